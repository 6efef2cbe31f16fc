"""Gridmill: Sudoku in bulk, every answer checked.

`solve` fills one board in place, `solve_many` answers for many inside the process, `verify` checks a solution; `read`
and `write` are for files of puzzles and of answers; `Mill` is the whole pipeline, as the ``gridmill`` command has it.
"""

from __future__ import annotations

TYPE_CHECKING = False  # not from typing, which takes long: whoever imports this cannot be heard at Ctrl-C meanwhile
if TYPE_CHECKING:
    from collections.abc import Iterable
    from os import PathLike

    from gridmill.answers import Answer, Status
    from gridmill.api.answers import Answers
    from gridmill.api.given import Boards
    from gridmill.api.job import Job
    from gridmill.api.mill import Mill
    from gridmill.api.progress import Progress
    from gridmill.api.records import Records
    from gridmill.errors import BoardError, GridmillError
    from gridmill.questions import Questions
    from gridmill.record import Record
    from gridmill.rules import verify

__all__ = [
    "Answer", "Answers", "BoardError", "GridmillError", "Job", "Mill", "Progress", "Questions", "Record", "Status",
    "__version__", "read", "solve", "solve_many", "verify", "write",
]  # fmt: skip

__version__ = "0.1.0"

_LATE = {  # imported when they are wanted
    "Answer": "gridmill.answers",
    "Answers": "gridmill.api.answers",
    "BoardError": "gridmill.errors",
    "GridmillError": "gridmill.errors",
    "Job": "gridmill.api.job",
    "Mill": "gridmill.api.mill",
    "Progress": "gridmill.api.progress",
    "Questions": "gridmill.questions",
    "Record": "gridmill.record",
    "Status": "gridmill.answers",
    "verify": "gridmill.rules",
}


def __getattr__(name: str) -> object:
    if name not in _LATE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    found = globals()[name] = getattr(import_module(_LATE[name]), name)
    return found


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
    from gridmill import kernel

    if kernel.native and (filled := kernel.extension.fill(board, kernel.width)) is not None:
        return filled

    from gridmill.board import check_apart, fill, from_grid, to_grid

    check_apart(board)
    grid = to_grid(from_grid(board))
    if not _decide(grid):
        return False
    fill(board, from_grid(grid))
    return True


def _decide(grid: list[list[str]]) -> bool:
    """`solve` for rows and cells of the plain types: which solution is found depends on no other."""
    from gridmill import kernel
    from gridmill.errors import GridmillError
    from gridmill.solvers import DEFAULT, get

    if kernel.native and (filled := kernel.extension.fill(grid, kernel.width)) is not None:
        return filled
    for solver in (get(DEFAULT), get("sat")):  # a board that is too much for the first is not for the second
        outcome = solver.search(grid, 1, solver.budget)
        if not outcome.spent or outcome.solutions:
            return bool(outcome.solutions)
    raise GridmillError("no solver could decide this board within its budget")


def solve_many(
    boards: Boards,
    *,
    solver: str | None = None,
    first: bool = False,
    budget: int | None = None,
    asked: Questions | None = None,
    threads: int | None = None,
) -> Answers:
    """One answer for each board, as the command would give, found by ``threads`` (one a core) of this process.

    ``boards`` are texts of 81 cells or `Record`s one after another, a bytes-like object with 81 bytes a board, an array
    of uint8 of shape (n, 81) or (n, 9, 9), or a column of Arrow's; see `gridmill.api.given`. What is no board is
    answered too: ``malformed``. ``solver``, ``first`` and ``budget`` are the command's ``--solver``, ``--first`` and
    ``--budget``; ``asked`` is what its ``--count``, ``--all`` and the like ask. Solutions are held against the rules.

    Raises BoardError when ``boards`` cannot hold boards at all, SettingsError for an unknown solver, and for a
    ``budget`` or ``threads`` below 1.

    >>> answers = solve_many(["53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"])
    >>> answers[0].status
    <Status.UNIQUE: 'unique'>
    >>> answers[0].solution
    '534678912672195348198342567859761423426853791713924856961537284287419635345286179'
    """
    from gridmill import solvers
    from gridmill.api import many
    from gridmill.questions import NOTHING

    solver, asked = solver or solvers.DEFAULT, asked or NOTHING
    return many.solve_many(boards, solver=solver, first=first, budget=budget, asked=asked, threads=threads)


def read(
    path: str | PathLike[str], *, column: str | None = None, form: str | None = None, blank: str | None = None
) -> Records:
    """The records of a file of puzzles, of a folder or pattern of them, or of standard input (``-``), in order.

    What it is in is found out, or said by ``form``, ``column`` and ``blank`` as by the command's ``--input-format``,
    ``--column`` and ``--blank``. A record that is no puzzle has a ``fault``. `solve_many` takes all of them without an
    object for each. Raises FormatError, now or while it is read.

    >>> write("answers.csv", solve_many(["." * 81, "what is this?"]))
    >>> records = read("answers.csv")
    >>> next(records).board == "." * 81
    True
    >>> next(records).fault.reason
    "'w' is neither a digit 1-9 nor a blank"
    >>> records.columns[:2]
    ('record', 'line')
    """
    import os

    from gridmill.api.records import Records
    from gridmill.formats.input import Input

    return Records(Input([os.fspath(path)], column=column, form=form, blank=blank))


def write(
    path: str | PathLike[str], answers: Answers | Iterable[Answers], *, form: str | None = None, force: bool = False
) -> None:
    """Write ``answers`` to a file that gets its name when it is whole, byte for byte as the command does.

    ``form`` is as the command's ``--format``; without it the ending of ``path`` says it. Raises OutputRefused when the
    file exists, unless ``force`` says to overwrite it, OutputError when it cannot be written, and SettingsError when
    there is no such format.

    >>> write("answers.jsonl", solve_many(["." * 81]))
    >>> next(read("answers.jsonl")).board == "." * 81
    True
    """
    from gridmill.api import output

    output.write(path, answers, form, force=force)
