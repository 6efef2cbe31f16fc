"""From the claims about a piece to the findings beside them: what `gridmill.questions` asks of a worker."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from gridmill.answers import Status
from gridmill.board import PACKED, slots
from gridmill.column import Column
from gridmill.errors import SettingsError
from gridmill.finding import Counted
from gridmill.questions import Questions
from gridmill.reply import CODES, WITH_SECOND, Claim, Reply
from gridmill.solvers import Counts, Solver, spare

_UNIQUE = CODES[Status.UNIQUE]
BLOCK = 1000  # puzzles whose givens are tried at a time: 1 MB of boards, and less where the kernel leaves most out


def check(solver: Solver, asked: Questions, *, first: bool) -> None:
    """Raises SettingsError when ``solver`` cannot say what is ``asked``."""
    if not asked.of_workers:
        return
    if first:
        raise SettingsError("--first looks for no second solution, so no --count, --all or --minimal; leave it away")
    if not solver.proves:
        raise SettingsError(f"the solver {solver.name} looks for one solution only; choose another with --solver")
    if asked.count and not isinstance(solver, Counts):
        raise SettingsError(f"the solver {solver.name} cannot count solutions; choose bitmask or lanes with --solver")


def answered(
    solver: Solver,
    boards: bytes,
    reply: Reply,
    asked: Questions,
    *,
    budget: int,
    solve: Callable[[bytes], Reply],
    tick: Callable[[], None],
) -> Reply:
    """``reply``, a solver's about ``boards``, with the findings. ``solve`` asks it about others, with ``budget`` nodes.

    ``tick`` is called as a sign of life.
    """
    findings = [b""] * len(reply.codes)
    if asked.minimal:
        unique, packed, solutions = _unique(boards, reply)
        for at in range(0, len(unique), BLOCK):
            block = slice(PACKED * at, PACKED * (at + BLOCK))
            spared = spare.spared(packed[block], solutions[block], solve)
            for index, cells in zip(unique[at : at + BLOCK], spared, strict=True):
                findings[index] = cells
    if asked.count and WITH_SECOND in reply.codes:
        for index, (board, claim) in enumerate(zip(slots(boards), reply.claims(), strict=True)):
            if claim.second:
                findings[index] = _counted(solver, board, claim, asked, budget).encode()
                tick()
    return replace(reply, findings=Column.of_bytes(findings))


def _unique(boards: bytes, reply: Reply) -> tuple[Sequence[int], bytes, bytes]:
    """The records that are unique, their boards and their solutions."""
    if reply.codes.count(_UNIQUE) == len(reply.codes):  # the rule, without an object for each
        return range(len(reply.codes)), boards, reply.solutions
    unique = [index for index, code in enumerate(reply.codes) if code == _UNIQUE]
    packed = b"".join([boards[PACKED * index : PACKED * (index + 1)] for index in unique])
    return unique, packed, b"".join([claim.solution for claim in reply.claims() if claim.status is Status.UNIQUE])


def _counted(solver: Solver, board: bytes, claim: Claim, asked: Questions, budget: int) -> Counted:
    assert isinstance(solver, Counts)  # `check` lets no other pass
    tally = solver.tally(board, asked.count, budget + asked.nodes, keep=asked.every)
    if tally.spent and tally.found < 2:  # the claim knows two
        return Counted(2, True, b"".join(sorted((claim.solution, claim.second)))[: PACKED * asked.listed])
    return Counted(tally.found, tally.spent or tally.found > asked.count, tally.solutions)
