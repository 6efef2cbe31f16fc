"""Gridmill: Sudoku in bulk, every answer checked.

`solve` fills one board in place; `verify` checks a solution. The pipeline is the ``gridmill`` command.
"""

from gridmill.answers import Answer, Status
from gridmill.errors import BoardError, GridmillError
from gridmill.rules import verify

__all__ = ["Answer", "BoardError", "GridmillError", "Status", "__version__", "solve", "verify"]

__version__ = "0.1.0"


def solve(board: list[list[str]]) -> bool:
    """Fill the blanks (``.``) of a 9×9 board in place and return True, or leave it as it was and return False.

    The contract of LeetCode 37. False means that there is no solution, also when the givens clash. Which of several
    solutions is found is always the same. Raises BoardError when ``board`` is not nine rows of nine cells, each
    row a list of its own.
    """
    from gridmill.board import check_apart, fill, from_grid, to_grid
    from gridmill.solvers import DEFAULT, get

    check_apart(board)
    grid = to_grid(from_grid(board))
    for solver in (get(DEFAULT), get("sat")):  # a board that is too much for the first is not for the second
        outcome = solver.search(grid, 1, solver.budget)
        if outcome.solutions:
            fill(board, outcome.solutions[0])
            return True
        if not outcome.spent:
            return False
    raise GridmillError("no solver could decide this board within its budget")
