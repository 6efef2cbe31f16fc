"""Is a reply acceptable? Its form, what it is about, and the truth of all that can be checked here."""

import re
from typing import NamedTuple

from gridmill import findings, solvers
from gridmill.answered import Answered
from gridmill.answers import Status
from gridmill.board import PACKED
from gridmill.chunk import Chunk
from gridmill.digest import digest
from gridmill.errors import GridmillError, WireError
from gridmill.job import Spec
from gridmill.judge import OPEN, WRONG, judge
from gridmill.piece import Piece
from gridmill.questions import NOTHING, Questions
from gridmill.reply import CODES, HOLE_CODE, Reply, tally

_OPEN = re.compile(bytes([OPEN]))


class Lie(GridmillError):
    """A reply that must not be believed. The text says why."""


def allowed(spec: Spec) -> frozenset[int]:
    """The codes that an honest worker can send for a job: a job that asks for proof takes no ``solved``."""
    found = {Status.SOLVED}
    if solvers.get(spec.solver).proves and not spec.first:
        found = {Status.UNIQUE, Status.MULTIPLE}
    statuses = found | {Status.NONE, Status.CLASH, Status.UNDECIDED}
    return frozenset({HOLE_CODE} | {CODES[status] for status in statuses})


class Examined(NamedTuple):
    """A reply of good form whose every checkable claim is right; ``open`` are the indices that need re-derivation."""

    reply: Reply
    open: list[int]


def boards_of(chunk: Chunk, piece: Piece) -> bytes:
    """The packed boards of ``piece``."""
    return chunk.boards[PACKED * piece.lo : PACKED * piece.hi]


def examine(
    chunk: Chunk, piece: Piece, answered: Answered, codes: frozenset[int], asked: Questions = NOTHING
) -> Examined:
    """Check what came for ``piece``; ``asked``: what it has to say beside its claims. Raises Lie."""
    boards = boards_of(chunk, piece)
    mark = chunk.mark if len(boards) == len(chunk.boards) else digest(boards)
    if answered.piece != str(piece).encode():
        raise Lie(f"it names piece {answered.piece[:40]!r}")
    if answered.boards_hash != mark:
        raise Lie("it is about other boards")
    try:
        reply = Reply.decode(answered.reply, len(piece))
    except WireError as error:
        raise Lie(str(error)) from error
    strange = [code for code, count in enumerate(tally(reply.codes)) if count and code not in codes]
    if strange:
        raise Lie(f"this job has no answers of code {strange[0]}")
    examined = check(boards, reply)
    if reason := findings.fault(boards, reply, asked):
        raise Lie(reason)
    return examined


def check(boards: bytes, reply: Reply) -> Examined:
    """Check every claim of ``reply`` against ``boards`` and the rules. Raises Lie for the first wrong one."""
    verdicts = judge(boards, reply)
    wrong = verdicts.find(WRONG)
    if wrong >= 0:
        raise Lie(f"the claim about its record {wrong} is false")
    return Examined(reply, [match.start() for match in _OPEN.finditer(verdicts)])
