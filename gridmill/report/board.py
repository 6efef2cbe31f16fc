"""A board as SVG: the givens heavy, what was found light, marked cells in a frame that is seen without colour too."""

from collections.abc import Collection

from gridmill.board import BLANK, CELLS
from gridmill.report.tree import Node, node
from gridmill.rules import cell_name

CELL = 20  # units of a cell's side

_SIDE = 9 * CELL
_BASE = 14.6  # units from a cell's upper edge to the base line of its digit
_PAD = 1  # units around the board, for half of its outer line


def board(title: str, cells: str, givens: str, marked: Collection[int], *, mark: str) -> Node:
    """The picture of ``cells``, 81 characters; what is no ``givens`` was found. ``mark`` says what is ``marked``.

    ``title`` and the rows are read out by a screen reader.
    """
    return node(
        "svg",
        node("title", title),
        node("desc", _read_out(cells, marked, mark)),
        node("rect", x=0, y=0, width=_SIDE, height=_SIDE, class_="paper"),
        *(node("rect", x=CELL * (at % 9), y=CELL * (at // 9), width=CELL, height=CELL, class_="fill")
          for at in sorted(marked)),
        node("path", d=_lines(1, 2, 4, 5, 7, 8), class_="thin"),
        node("path", d=_lines(0, 3, 6, 9), class_="thick"),
        *(node("rect", x=CELL * (at % 9) + 2, y=CELL * (at // 9) + 2, width=CELL - 4, height=CELL - 4, class_="frame")
          for at in sorted(marked)),
        *_digits(cells, "given", [at for at in range(CELLS) if givens[at] != BLANK]),
        *_digits(cells, "found", [at for at in range(CELLS) if givens[at] == BLANK != cells[at]]),
        class_="board",
        role="img",
        viewBox=f"{-_PAD} {-_PAD} {_SIDE + 2 * _PAD} {_SIDE + 2 * _PAD}",
    )  # fmt: skip


def _lines(*places: int) -> str:
    """Lines across the board at these multiples of a cell, both ways."""
    across = (f"M0 {CELL * at}h{_SIDE}M{CELL * at} 0v{_SIDE}" for at in places)
    return "".join(across)


def _digits(cells: str, kind: str, places: list[int]) -> list[Node]:
    """One text a row, each of its digits at a place of its own: a quarter of the bytes of one text a digit."""
    rows = [[at for at in places if at // 9 == row] for row in range(9)]
    return [
        node(
            "text",
            "".join(cells[at] for at in row),
            x=" ".join(f"{CELL * (at % 9) + CELL / 2:g}" for at in row),
            y=CELL * number + _BASE,
            class_=kind,
        )
        for number, row in enumerate(rows)
        if row
    ]


def _read_out(cells: str, marked: Collection[int], mark: str) -> str:
    rows = (" ".join(cells[at : at + 9].replace(BLANK, "–")) for at in range(0, CELLS, 9))
    named = f" {mark}: {', '.join(map(cell_name, sorted(marked)))}." if marked else ""
    return "; ".join(f"row {number}: {row}" for number, row in enumerate(rows, 1)) + "." + named
