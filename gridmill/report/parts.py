"""What several sections are made of: tables, and numbers as they stand in them."""

from collections.abc import Iterable, Sequence

from gridmill.plural import counted
from gridmill.report.blocks import Shown
from gridmill.report.tree import Child, Node, node

TEXT_MOST = 160  # characters of what stood in an input: enough to see what it is, whatever its length


def count(number: int) -> str:
    """``1,234,567``."""
    return f"{number:,}"


def table(caption: str, titles: Sequence[str], rows: Iterable[Sequence[str]]) -> Node:
    """A table of figures; all columns but the first are numbers."""
    kinds = [{}, *({"class_": "number"} for _ in titles[1:])]
    head = (node("th", title, scope="col", **kind) for title, kind in zip(titles, kinds, strict=True))
    lines = (
        node("tr", node("th", row[0], scope="row"), *(node("td", text, class_="number") for text in row[1:]))
        for row in rows
    )
    return node("table", node("caption", caption), node("thead", node("tr", *head)), node("tbody", *lines))


def folded(summary: str, content: Node) -> Node:
    """Content that is shown when somebody asks for it; no script is needed for that."""
    return node("details", node("summary", summary), content)


def listing(shown: Sequence[Shown], number: int) -> list[Child]:
    """A table of records with what is said of them; the first of ``number``."""
    if not shown:
        return []
    numbers = (node("th", title, scope="col", class_="number") for title in ("Record", "Line"))
    texts = (node("th", title, scope="col") for title in ("What stood there", "Reason"))
    titles = node("tr", *numbers, *texts)
    rows = (
        node(
            "tr",
            node("th", _named(one), scope="row", class_="number"),
            node("td", count(one.line), class_="number"),
            node("td", cut(one.puzzle), class_="text"),
            node("td", one.detail, class_="reason"),
        )
        for one in shown
    )
    body = node("table", node("caption", first_of(len(shown), number)), node("thead", titles), node("tbody", *rows))
    # It can be scrolled sideways on a phone, by keyboard too, so it can have the focus and has a name.
    return [node("div", body, class_="scroll", tabindex=0, role="region", aria_label=counted(number, "record"))]


def first_of(shown: int, number: int) -> str:
    """``All 3``, or ``The first 50 of 1,234``."""
    return f"The first {count(shown)} of {count(number)}" if shown < number else f"All {count(number)}"


def cut(text: str) -> str:
    """Its beginning, where it is long."""
    return text if len(text) <= TEXT_MOST else text[:TEXT_MOST] + "…"


def _named(one: Shown) -> str:
    return f"{count(one.record)} ({cut(one.id)})" if one.id else count(one.record)
