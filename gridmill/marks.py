"""Which cells of a board somebody who looks at it should see: where two solutions differ, and what clashes."""

from gridmill.board import CELLS
from gridmill.rules import clashes


def differing(first: str, second: str) -> frozenset[int]:
    """The cells in which two solutions differ; none when there are not two."""
    return frozenset(cell for cell in range(CELLS) if first[cell] != second[cell]) if first and second else frozenset()


def clashing(board: str) -> frozenset[int]:
    """The cells of all givens that stand twice in a row, column or box."""
    return frozenset(cell for found in clashes(board) for cell in found.cells)
