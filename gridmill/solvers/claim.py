"""From a packed board to a worker's claim about it, and from a piece's boards to its reply."""

from collections.abc import Callable

from gridmill.answers import Status
from gridmill.board import HOLE, slots, to_grid, unpack
from gridmill.questions import NOTHING, Questions
from gridmill.reply import Claim, Reply
from gridmill.rules import clash
from gridmill.solvers import Solver, inquiry, is_batch
from gridmill.solvers.outcome import claimed


def claim(solver: Solver, packed: bytes, *, first: bool, budget: int) -> Claim:
    """What ``solver`` says about one packed board, with up to ``budget`` nodes; ``first`` stops at one solution.

    Raises BoardError when the bytes are neither a board nor a hole.
    """
    if packed == HOLE:
        return Claim(None)
    board = unpack(packed)
    if clash(board) is not None:
        return Claim(Status.CLASH)
    limit = 1 if first or not solver.proves else 2
    return claimed(solver.search(to_grid(board), limit, budget), limit)


def reply_to(
    solver: Solver,
    boards: bytes,
    *,
    first: bool,
    budget: int,
    asked: Questions = NOTHING,
    tick: Callable[[], None] = lambda: None,
) -> Reply:
    """The claims about every slot of a piece, in order, with what else is ``asked``.

    ``tick`` is called after each board, as a sign of life.
    A solver that takes many boards at once calls it less often. Raises BoardError like `claim`.
    """

    def solve(boards: bytes) -> Reply:
        return _reply_to(solver, boards, first=first, budget=budget, tick=tick)

    reply = solve(boards)
    if not asked.of_workers:
        return reply
    return inquiry.answered(solver, boards, reply, asked, budget=budget, solve=solve, tick=tick)


def _reply_to(solver: Solver, boards: bytes, *, first: bool, budget: int, tick: Callable[[], None]) -> Reply:
    if is_batch(solver):
        return solver.reply(boards, 1 if first else 2, budget, tick)
    claims = []
    for packed in slots(boards):
        claims.append(claim(solver, packed, first=first, budget=budget))
        tick()
    return Reply.of(claims)
