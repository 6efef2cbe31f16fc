"""What the row-major solvers share, tried with a filler of our own."""

import pytest

from gridmill.board import BLANK, CELLS, Grid, from_grid, to_grid
from gridmill.solvers.outcome import Budget
from gridmill.solvers.row_major import RowMajor


class Scribbler(RowMajor):
    """Writes a 1 into every blank, a node each, and calls the result what it is told to call it."""

    def fill(self, grid: Grid, budget: Budget) -> bool:
        for row in grid:
            for column, sign in enumerate(row):
                if sign == BLANK:
                    budget.spend()
                    row[column] = "1"
        return True


def test_what_was_placed_when_the_budget_ended_is_taken_back() -> None:
    board = BLANK * 9 + "23456789." + BLANK * 63
    grid = to_grid(board)

    outcome = Scribbler().search(grid, 1, 20)

    assert (outcome.solutions, outcome.nodes, outcome.spent) == ((), 20, True)
    assert from_grid(grid) == board


def test_a_budget_that_is_just_enough_is_not_spent() -> None:
    outcome = Scribbler().search(to_grid(BLANK * CELLS), 1, CELLS)

    assert (outcome.nodes, outcome.spent) == (CELLS, False)


def test_clashing_givens_never_reach_the_search() -> None:
    assert Scribbler().search(to_grid("11" + BLANK * 79), 1, CELLS).nodes == 0


def test_it_cannot_be_used_without_a_filler() -> None:
    with pytest.raises(TypeError, match="fill"):
        RowMajor()  # type: ignore[abstract]  # that is the point
