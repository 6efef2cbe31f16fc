"""The page: its sections, each a heading, what it shows, and the figures behind it as a table."""

from collections.abc import Iterator
from importlib import resources
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple

from gridmill.answers import Status
from gridmill.plural import counted
from gridmill.report import Facts, Sittings, charts, gallery
from gridmill.report.blocks import Shown
from gridmill.report.figures import Figures
from gridmill.report.parts import count, listing
from gridmill.report.tree import Child, Node, node, page, style

POLICY = "default-src 'none'; style-src 'unsafe-inline'"  # whatever slipped into the page, nothing is loaded or run


class Section(NamedTuple):
    """``key`` is its anchor. A ``chart`` stands beside others where there is room."""

    key: str
    title: str
    content: list[Child]
    chart: bool = False


def render(name: str, figures: Figures, facts: Facts, sittings: Sittings) -> str:
    """The report about the answers file ``name``.

    ``facts``, names and values, are about the run. ``sittings`` are what it was done in: of each, after how many
    seconds how many records were written in all.
    """
    sections = [section for section in _sections(figures, facts, sittings) if section.content]
    links = (node("li", node("a", section.title, href=f"#{section.key}")) for section in sections)
    return page(
        node(
            "html",
            _head(name),
            node(
                "body",
                node(
                    "header",
                    node("p", "Gridmill report", class_="kicker"),
                    node("h1", name),
                    node("nav", node("ul", *links), aria_label="Sections"),
                ),
                node("main", *_arranged(sections)),
                node(
                    "footer",
                    node("p", "Every answer was checked before it was written; gridmill verify does it again."),
                ),
            ),
            lang="en",
        )
    )


def _head(name: str) -> Node:
    return node(
        "head",
        node("meta", charset="utf-8"),
        node("meta", http_equiv="Content-Security-Policy", content=POLICY),
        node("meta", name="viewport", content="width=device-width, initial-scale=1"),
        node("meta", name="color-scheme", content="light dark"),
        node("title", f"{name} – Gridmill report"),
        style(resources.files(__package__).joinpath("page.css").read_text("utf-8")),
    )


def _arranged(sections: list[Section]) -> Iterator[Node]:
    for is_chart, those in groupby(sections, key=attrgetter("chart")):
        made = map(_section, those)
        yield from [node("div", *made, class_="charts")] if is_chart else made


def _section(section: Section) -> Node:
    return node("section", node("h2", section.title, id=section.key), *section.content, aria_labelledby=section.key)


def _sections(figures: Figures, facts: Facts, sittings: Sittings) -> list[Section]:
    def those(status: Status) -> tuple[list[Shown], int]:
        return figures.first[status], figures.counts[status]

    return [
        Section("totals", "Totals", _totals(figures, facts)),
        Section("rate", "Rate over time", charts.rate(sittings), chart=True),
        Section("difficulty", "Difficulty", charts.difficulty(figures.nodes), chart=True),
        Section("technique", "Hardest technique", charts.techniques(figures.techniques), chart=True),
        Section("givens", "Givens", charts.givens(figures.givens), chart=True),
        Section("hardest", "Hardest puzzles", gallery.hardest(figures.hardest)),
        Section("multiple", "More than one solution", gallery.multiple(*those(Status.MULTIPLE))),
        Section("clash", "Givens that clash", gallery.clash(*those(Status.CLASH))),
        Section("none", "No solution", gallery.none(*those(Status.NONE))),
        Section("malformed", "Not a puzzle", listing(*those(Status.MALFORMED))),
        Section("undecided", "Undecided", listing(*those(Status.UNDECIDED))),
        Section("failed", "Failed", listing(*those(Status.FAILED))),
        Section("disagrees", "Contradicts the input", listing(figures.disagreeing, figures.disagreements)),
    ]


def _totals(figures: Figures, facts: Facts) -> list[Child]:
    statuses = _statuses(figures)
    if not facts:
        return [statuses]
    rows = (node("tr", node("th", name, scope="row"), node("td", value, class_="number")) for name, value in facts)
    return [node("div", statuses, node("table", node("caption", "The run"), *rows), class_="pair")]


def _statuses(figures: Figures) -> Node:
    whole = max(1, figures.records)
    rows = (
        node(
            "tr",
            node("th", node("b", status.value), node("br"), node("span", status.meaning, class_="soft"), scope="row"),
            node("td", count(number), class_="number"),
            node("td", _share(number / whole), class_="number"),
            node("td", node("i", style=f"width:{100 * number / whole:.2f}%"), class_="share", aria_hidden="true"),
        )
        for status in Status
        if (number := figures.counts[status])
    )
    titles = (
        node("th", "Status", scope="col"),
        node("th", "Records", scope="col", class_="number"),
        node("th", "Share", scope="col", class_="number"),
        node("td", aria_hidden="true"),
    )
    caption = node("caption", counted(figures.records, "record"))
    return node("table", caption, node("thead", node("tr", *titles)), node("tbody", *rows), class_="totals")


def _share(part: float) -> str:
    return f"{part:.1%}" if part >= 0.001 else "<0.1%"  # nothing that occurred is nothing
