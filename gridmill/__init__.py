"""Gridmill: Sudoku in bulk, every answer checked.

`solve` fills one board in place, `solve_many` answers for many inside the process, `verify` checks a solution. The
pipeline is the ``gridmill`` command.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gridmill.answers import Answer, Status
from gridmill.errors import BoardError, GridmillError
from gridmill.record import Record
from gridmill.rules import verify

if TYPE_CHECKING:
    from gridmill.api.answers import Answers
    from gridmill.api.given import Boards

__all__ = ["Answer", "BoardError", "GridmillError", "Record", "Status", "__version__", "solve", "solve_many", "verify"]

__version__ = "0.1.0"


def solve(board: list[list[str]]) -> bool:
    """Fill the blanks (``.``) of a 9×9 board in place and return True, or leave it as it was and return False.

    The contract of LeetCode 37. False means that there is no solution, also when the givens clash. Which of several
    solutions is found is always the same. Raises BoardError when ``board`` is not nine rows of nine cells, each
    row a list of its own.

    >>> board = [["."] * 9 for _ in range(9)]
    >>> solve(board)
    True
    >>> verify("." * 81, "".join(map("".join, board))) is None
    True
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


def solve_many(
    boards: Boards,
    *,
    solver: str | None = None,
    first: bool = False,
    budget: int | None = None,
    threads: int | None = None,
) -> Answers:
    """One answer for each board, as the command would give, found by ``threads`` (one a core) of this process.

    ``boards`` are texts of 81 cells or `Record`s one after another, a bytes-like object with 81 bytes a board, an array
    of uint8 of shape (n, 81) or (n, 9, 9), or a column of Arrow's; see `gridmill.api.given`. What is no board is
    answered too: ``malformed``. ``solver``, ``first`` and ``budget`` are the command's ``--solver``, ``--first`` and
    ``--budget``. Every solution is held against the rules and its board.

    Raises BoardError when ``boards`` cannot hold boards at all, SettingsError for an unknown solver.

    >>> answers = solve_many(["53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"])
    >>> answers[0].status
    <Status.UNIQUE: 'unique'>
    >>> answers[0].solution
    '534678912672195348198342567859761423426853791713924856961537284287419635345286179'
    """
    from gridmill import solvers
    from gridmill.api import many

    return many.solve_many(boards, solver=solver or solvers.DEFAULT, first=first, budget=budget, threads=threads)
