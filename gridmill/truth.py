"""Whether one line of an answers file is true: held against the rules.

Shares with the solvers nothing but the rules' words. That no solution exists, or no second one, cannot be seen from a
line; a ``recount`` by some solver that one trusts decides it.
"""

from gridmill import aside, kernel
from gridmill.answers import Answer, Status
from gridmill.aside import Recount, counted
from gridmill.board import CELLS, pack
from gridmill.errors import BoardError
from gridmill.formats.cells import read_cells
from gridmill.formats.quoting import WRONG_WIDTH
from gridmill.formats.stated import Stated, is_number
from gridmill.judge import RIGHT, judge
from gridmill.reply import CODES, Reply
from gridmill.rules import clash, verify

RECOUNTED = 1000  # solutions that are counted again of a board at most: SAT takes a third of a second

_SHOWN = {Status.UNIQUE: 1, Status.SOLVED: 1, Status.MULTIPLE: 2}  # how many solutions belong to a status


def examine(stated: Stated, recount: Recount | None = None) -> str | None:
    """None when the line is true, as far as it can be seen; else what is wrong with it."""
    if stated.fault:
        return stated.fault
    if stated.status is Status.MALFORMED:
        return _malformed(stated) or aside.fault(stated, "", None)
    try:
        board = read_cells(stated.puzzle)
    except BoardError as error:
        return f"the puzzle is no board: {error}"
    status = stated.status or implied(stated)
    if status is None:
        return f"says nothing that can be checked (count {stated.count!a}, no solution)"
    return (
        misfit(stated)
        or (None if _is_judged_right(board, stated) else _solutions(board, stated) or _clashes(board, stated))
        or aside.fault(stated, board, recount)
        or _recounted(board, status, stated.count, recount)
    )


def _malformed(stated: Stated) -> str | None:
    """A text that is a board can be malformed only because of the row that it stood in."""
    try:
        read_cells(stated.puzzle)
    except BoardError:
        return None
    return None if WRONG_WIDTH in stated.detail else "called malformed, but it is a board"


def implied(stated: Stated) -> Status | None:
    """The status that a count, or a solution without one, stands for."""
    if stated.count == "0":
        return Status.NONE
    if stated.count == "1":
        return Status.UNIQUE
    if _is_several(stated.count):
        return Status.MULTIPLE
    return Status.SOLVED if stated.solution and stated.count in ("", ">0") else None


def _is_several(count: str) -> bool:
    """Whether a count means two or more: ``2``, ``332``, ``>1``."""
    number = count.removeprefix(">")
    least = 1 if count.startswith(">") else 2
    return is_number(number) and int(number[:18]) >= least


def misfit(stated: Stated) -> str | None:
    """Whether count and number of solutions fit a status that is named."""
    if stated.status is None:
        return None
    known = Answer(stated.status).count
    fits = stated.count in ("", known) or (stated.status is Status.MULTIPLE and _is_several(stated.count))
    if not fits:
        return f"the count {stated.count!a} does not fit {stated.status}"
    shown = sum(map(bool, (stated.solution, stated.solution2)))
    wanted = _SHOWN.get(stated.status, 0)
    return None if shown == wanted else f"the number of solutions is {shown}, with {stated.status} it is {wanted}"


def _is_judged_right(board: str, stated: Stated) -> bool:
    """Whether the kernel's judge, which is ten times as fast as the rules in Python, finds its solutions right, and so
    that the givens do not clash. Where it does not, these say why."""
    shown = [text for text in (stated.solution, stated.solution2) if text]
    are_grids = all(len(text) == CELLS and is_number(text) for text in shown)
    if not kernel.native or not stated.solution or not are_grids or stated.count == "0":
        return False
    code = CODES[Status.MULTIPLE if stated.solution2 else Status.SOLVED]
    reply = Reply(bytes([code]), bytes(4), pack(stated.solution), pack(stated.solution2) if stated.solution2 else b"")
    return judge(pack(board), reply) == bytes([RIGHT])


def _solutions(board: str, stated: Stated) -> str | None:
    if stated.solution and stated.solution == stated.solution2:
        return "both solutions are the same"
    if stated.count == "0" and stated.solution:
        return "the count is 0, but here is a solution"
    shown = filter(None, (stated.solution, stated.solution2))
    return next(filter(None, (verify(board, solution) for solution in shown)), None)


def _clashes(board: str, stated: Stated) -> str | None:
    """A file that names the status must tell ``clash`` from ``none``; a count of 0 stands for both."""
    found = clash(board)
    if stated.status is Status.CLASH:
        return None if found else "called a clash, but no digit stands twice in a unit"
    if found is None or (stated.status is None and stated.count == "0"):
        return None
    return f"the givens clash: {found}"


def _recounted(board: str, status: Status, count: str, recount: Recount | None) -> str | None:
    least = {Status.NONE: 0, Status.UNIQUE: 1, Status.MULTIPLE: 2}.get(status)
    if recount is None or least is None:
        return None
    if status is not Status.MULTIPLE or not _is_several(count):
        found = recount(board, 2)
        return None if found == least else f"said to be {status}, but it has {counted(found, 2)}"
    is_open, number = count.startswith(">"), int(count.removeprefix(">")[:18])
    limit = min(number + 1, RECOUNTED)
    found = recount(board, limit)
    if found < 2:
        return f"said to be {status}, but it has {counted(found, limit)}"
    wanted = limit if is_open else min(number, limit)
    return None if found == wanted else f"the count is {count}, but it has {counted(found, limit)}"
