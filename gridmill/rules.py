"""The rules: the 27 units, clashing givens, and whether a solution is right. Shares no code with any solver."""

from collections.abc import Iterator
from typing import NamedTuple

from gridmill.board import BLANK, CELLS, counted

DIGITS = frozenset("123456789")


class Unit(NamedTuple):
    """A row, column or box: its name as people say it, and its nine cells as indices 0..80."""

    name: str
    cells: tuple[int, ...]


class Clash(NamedTuple):
    """A digit that stands twice or more in one unit."""

    digit: str
    unit: str
    cells: tuple[int, ...]

    def __str__(self) -> str:
        times = {2: "twice", 3: "three times"}.get(len(self.cells), f"{len(self.cells)} times")
        return f"{self.digit} {times} in {self.unit}: {', '.join(map(cell_name, self.cells))}"


def cell_name(cell: int) -> str:
    """``r1c1`` for cell 0 to ``r9c9`` for cell 80."""
    return f"r{cell // 9 + 1}c{cell % 9 + 1}"


def _box(number: int) -> tuple[int, ...]:
    corner = 27 * (number // 3) + 3 * (number % 3)
    return tuple(corner + 9 * row + column for row in range(3) for column in range(3))


UNITS: tuple[Unit, ...] = (
    *(Unit(f"row {n + 1}", tuple(range(9 * n, 9 * n + 9))) for n in range(9)),
    *(Unit(f"column {n + 1}", tuple(range(n, CELLS, 9))) for n in range(9)),
    *(Unit(f"box {n + 1}", _box(n)) for n in range(9)),
)


def clash(board: str) -> Clash | None:
    """The first clash of the givens, rows before columns before boxes, or None."""
    return next(clashes(board), None)


def clashes(board: str) -> Iterator[Clash]:
    """Every clash of the givens, rows before columns before boxes."""
    for unit in UNITS:
        digits = [board[cell] for cell in unit.cells if board[cell] != BLANK]
        if len(set(digits)) == len(digits):
            continue
        for digit in dict.fromkeys(digits):
            if digits.count(digit) > 1:
                yield Clash(digit, unit.name, tuple(cell for cell in unit.cells if board[cell] == digit))


def verify(puzzle: str, solution: str) -> str | None:
    """None when ``solution`` solves ``puzzle``, else what is wrong with it, for people to read.

    Every unit must hold the nine digits as a set (sums would let nine fives pass), every given must be kept.
    """
    if len(solution) != CELLS:
        return f"the solution has {counted(len(solution))}"
    for unit in UNITS:
        if {solution[cell] for cell in unit.cells} != DIGITS:
            return f"{unit.name} of the solution does not hold each digit once"
    for cell, given in enumerate(puzzle):
        if given not in (BLANK, solution[cell]):
            return f"the given {given} in {cell_name(cell)} became {solution[cell]}"
    return None
