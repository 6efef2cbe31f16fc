"""Sections with boards."""

from collections.abc import Iterable, Sequence

from gridmill.board import BLANK, CELLS
from gridmill.marks import clashing, differing
from gridmill.plural import counted
from gridmill.report.blocks import Shown
from gridmill.report.board import board
from gridmill.report.figures import Hard
from gridmill.report.parts import count, cut, first_of
from gridmill.report.tree import Child, Node, node

DRAWN = 6  # boards of a kind: two rows of three

_NOTHING: frozenset[int] = frozenset()


def hardest(puzzles: Sequence[Hard]) -> list[Child]:
    """Those that took the most nodes."""
    if not puzzles:
        return []
    cards = (_card(hard.first, _took(hard), _answer(hard.first)) for hard in puzzles)
    return [node("p", "By the nodes that their search took; givens are bold."), _cards(cards)]


def _took(hard: Hard) -> str:
    many = f", in {count(hard.records)} records" if hard.records > 1 else ""
    return f"{counted(hard.first.nodes, 'node')}, {hard.first.status}{many}"


def multiple(shown: Sequence[Shown], number: int) -> list[Child]:
    """Two solutions of each, their differences marked."""
    cards = []
    for one in shown[:DRAWN]:
        marked = differing(one.solution, one.solution2)
        pair = [
            _picture(one, name, cells, marked, "differs")
            for name, cells in (("one solution", one.solution), ("another solution", one.solution2))
        ]
        cards.append(_card(one, f"{len(marked)} cells differ", node("div", *pair, class_="boards")))
    return _section(cards, number, "Two solutions each; the cells in which they differ are framed.", wide=True)


def clash(shown: Sequence[Shown], number: int) -> list[Child]:
    """Boards whose givens clash, these marked."""
    cards = [
        _card(one, one.detail, _picture(one, "puzzle", one.puzzle, clashing(one.puzzle), "clashes"))
        for one in shown[:DRAWN]
    ]
    return _section(cards, number, "The givens that stand twice in a row, a column or a box are framed.")


def none(shown: Sequence[Shown], number: int) -> list[Child]:
    """Boards that have no solution."""
    cards = [_card(one, one.detail, _picture(one, "puzzle", one.puzzle)) for one in shown[:DRAWN]]
    return _section(cards, number, "No digits fit, although no givens clash.")


def _section(cards: list[Node], number: int, text: str, *, wide: bool = False) -> list[Child]:
    if not cards:
        return []
    return [node("p", f"{text} {first_of(len(cards), number)}."), _cards(cards, wide=wide)]


def _cards(cards: Iterable[Node], *, wide: bool = False) -> Node:
    return node("div", *cards, class_="cards wide" if wide else "cards")


def _card(one: Shown, said: str, picture: Node) -> Node:
    name = node("b", f"Record {count(one.record)}" + (f", {cut(one.id)}" if one.id else ""))
    givens = CELLS - one.puzzle.count(BLANK)
    caption = node(
        "figcaption",
        name,
        f", line {count(one.line)}",
        node("br"),
        counted(givens, "given") + (f", {said}" if said else ""),
        node("br"),
        node("code", one.puzzle),
    )
    return node("figure", picture, caption)


def _answer(one: Shown) -> Node:
    return _picture(one, "solution" if one.solution else "puzzle", one.solution or one.puzzle)


def _picture(one: Shown, what: str, cells: str, marked: frozenset[int] = _NOTHING, mark: str = "") -> Node:
    return board(f"Record {one.record}, {what}", cells, one.puzzle, marked, mark=mark)
