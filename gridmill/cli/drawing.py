"""Boards drawn in lines of text, several beside each other."""

import sys
from collections.abc import Callable, Collection, Sequence
from itertools import zip_longest
from typing import NamedTuple

from gridmill.board import BLANK

WIDTH = 25  # columns of a board: three stand beside each other on the 80 of a narrow terminal
GAP = 2  # columns between two boards
MARK = "*"  # behind a digit that differs or clashes, so that it needs no colour to be seen

Styled = Callable[[str, str], str]  # a digit as it is shown when it is "given", "found" or "marked"


class Ruling(NamedTuple):
    """The lines of a board: its upper edge, the line between boxes, the lower edge, and what stands between cells."""

    top: str
    middle: str
    bottom: str
    side: str


def _ruling(left: str, between: str, right: str) -> str:
    return left + between.join(["─" * 7] * 3) + right


LINES = Ruling(_ruling(*"┌┬┐"), _ruling(*"├┼┤"), _ruling(*"└┴┘"), "│")
_EDGE = "+-------+-------+-------+"
ASCII = Ruling(_EDGE, _EDGE, _EDGE, "|")


class Picture(NamedTuple):
    """A board under a ``title``; what is no ``givens`` was found, and the ``marked`` cells are to be seen first."""

    title: str
    cells: str
    givens: str
    marked: Collection[int] = ()


def drawn(pictures: Sequence[Picture], columns: int, ruling: Ruling, styled: Styled) -> list[str]:
    """The lines of all ``pictures``, as many beside each other as there is room for in ``columns``."""
    beside = max(1, (columns + GAP) // (WIDTH + GAP))
    blocks = [_board(picture, ruling, styled) for picture in pictures]
    rows = [blocks[at : at + beside] for at in range(0, len(blocks), beside)]
    return [(" " * GAP).join(lines).rstrip() for row in rows for lines in zip_longest(*row)]


def can_show(sign: str) -> bool:
    """Whether standard output can show ``sign``."""
    try:
        sign.encode(sys.stdout.encoding)
    except UnicodeEncodeError:
        return False
    return True


def _board(picture: Picture, ruling: Ruling, styled: Styled) -> list[str]:
    lines = [picture.title[:WIDTH].ljust(WIDTH), ruling.top]
    for row in range(9):
        if row in (3, 6):
            lines.append(ruling.middle)
        threes = (range(9 * row + at, 9 * row + at + 3) for at in (0, 3, 6))
        inside = ruling.side.join(" " + "".join(_cell(picture, cell, styled) for cell in three) for three in threes)
        lines.append(f"{ruling.side}{inside}{ruling.side}")
    return [*lines, ruling.bottom]


def _cell(picture: Picture, cell: int, styled: Styled) -> str:
    """Two columns: the digit, and its mark."""
    digit = picture.cells[cell]
    if cell in picture.marked:
        return styled(f"{digit}{MARK}", "marked")
    if digit == BLANK:
        return f"{digit} "
    return styled(digit, "given" if picture.givens[cell] != BLANK else "found") + " "
