"""What the four row-major solvers share: they fill the blanks from left to right, top to bottom, in place.

They keep LeetCode 37's contract: a ``list[list[str]]`` with ``.`` for a blank, and the first solution ends the search.
"""

from abc import ABC, abstractmethod

from gridmill.board import BLANK, Grid
from gridmill.rules import clash
from gridmill.solvers.outcome import Budget, Outcome, Spent

DIGITS = "123456789"


class RowMajor(ABC):
    """Refuses clashing givens, lets `fill` search, and restores the board when the budget ends it."""

    proves = False
    budget = 1_000_000  # nodes: a second or a few, well below the 15 s after which silent work is sent again

    def search(self, grid: Grid, limit: int, budget: int) -> Outcome:
        """See `gridmill.solvers.Solver`; the first solution ends the search whatever ``limit`` is."""
        if clash(_text(grid)):
            return Outcome((), 0, spent=False)
        blanks = [(row, column) for row in range(9) for column in range(9) if grid[row][column] == BLANK]
        meter = Budget(budget)
        try:
            solved = self.fill(grid, meter)
        except Spent:
            for row, column in blanks:
                grid[row][column] = BLANK
            return Outcome((), meter.nodes, spent=True)
        return Outcome((_text(grid),) if solved else (), meter.nodes, spent=False)

    @abstractmethod
    def fill(self, grid: Grid, budget: Budget) -> bool:
        """Fill the blanks of a board without clashes and return True, or leave it as it was and return False.

        Raises Spent, with the placements of the moment left on the board.
        """


def _text(grid: Grid) -> str:
    return "".join(map("".join, grid))
