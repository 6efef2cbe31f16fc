"""The collector's own solver: a child process with limits, so that it takes nothing along when it dies of a board.

It is ``python -P -m collector.child``, or forked (`collector.nursery`). It reads how many bytes of memory it may have
from standard input, a u64, and says that it is ready; then it reads lists of questions and writes the claims about each
list to standard output, in MessagePack. Before each of these stands its length, a u32. It ends when its input does,
when nobody reads its output, and on Linux at once with the thread that started it: in the midst of a search nothing is
read or written.
"""

import contextlib
import resource
import signal
import struct
import sys
from collections.abc import Sequence
from functools import cache
from typing import IO, NamedTuple, Protocol

import msgspec

from gridmill import solvers
from gridmill.answers import Status
from gridmill.board import CELLS
from gridmill.questions import NOTHING, Questions
from gridmill.reply import Claim, Reply
from gridmill.solvers import Solver
from gridmill.solvers.claim import claim as claim_of
from gridmill.solvers.claim import reply_to

LENGTH = struct.Struct("<I")
MEMORY = struct.Struct("<Q")  # the first frame that a child reads
READY = b"ready"  # the first frame that it writes
END_WITH_STARTER = 1  # Linux's PR_SET_PDEATHSIG


class Question(NamedTuple):
    """One board, and what a worker ``claimed`` of it; None: nobody has answered, solve it.

    ``audit``: whatever it claimed, say what the job's solver says of it, and leave it at that. ``asked``: what else.
    """

    solver: str
    first: bool
    budget: int
    board: bytes
    claimed: Status | None
    audit: bool = False
    asked: Questions = NOTHING

    @property
    def nodes(self) -> int:
        """The most that may be spent on it."""
        boards = 1 + CELLS * self.asked.minimal  # it, and one for each of its givens
        return boards * self.budget + self.asked.nodes

    def is_refuted_by(self, claim: Claim) -> bool:
        """Whether ``claim`` shows that what a worker claimed is false."""
        return self.claimed is not None and claim.status not in (None, Status.UNDECIDED, self.claimed)


class Readable(Protocol):
    """What can be read, by a part of what is wanted at a time."""

    def read(self, size: int, /) -> bytes:
        """Some bytes, ``size`` at most; none at the end."""


def read(stream: Readable) -> bytes | None:
    """One frame; None at the end of the stream, also where that is in the middle of a frame."""
    head = _exactly(stream, LENGTH.size)
    return None if head is None else _exactly(stream, LENGTH.unpack(head)[0])


def _exactly(stream: Readable, size: int) -> bytes | None:
    """So many bytes, of which one without a buffer gives no more at a time than a pipe holds; None: it ends before."""
    data = bytearray()
    while len(data) < size:
        more = stream.read(size - len(data))
        if not more:
            return None
        data += more
    return bytes(data)


def write(stream: IO[bytes], data: bytes) -> None:
    """One frame."""
    stream.write(LENGTH.pack(len(data)) + data)
    stream.flush()


def settle_all(questions: Sequence[Question]) -> list[Claim]:
    """The claims about ``questions``: one of any kind, or several audits that differ in their boards alone."""
    first, *others = questions
    if not others:
        return [settle(first)]
    return list(_reply_to(first, b"".join(question.board for question in questions)).claims())


def settle(question: Question) -> Claim:
    """The answer that the collector stands for.

    ``none`` is believed only when an independent solver finds none either. A status of None in the claim means that
    two solvers contradict each other.
    """
    if question.claimed is Status.NONE and not question.audit:
        return _second_opinion(question, Claim(Status.NONE))
    (claim,) = _reply_to(question, question.board).claims()
    return _second_opinion(question, claim) if claim.status is Status.NONE and not question.audit else claim


def _reply_to(question: Question, boards: bytes) -> Reply:
    """As a worker does it: a solver that takes many boards takes even one so six times as fast."""
    solver, asked = _solver(question.solver), question.asked
    return reply_to(solver, boards, first=question.first, budget=question.budget, asked=asked)


@cache
def _solver(name: str) -> Solver:
    """One instance for all boards: making the SAT solver costs as much as twenty boards."""
    return solvers.get(name)


def _second_opinion(question: Question, claim: Claim) -> Claim:
    """``claim`` (none) if a solver other than the job's says the same, else what that one found."""
    others = ["sat"] if question.solver != "sat" else ["bitmask", "sat"]  # the first that decides within its budget
    for name in others:
        other = _solver(name)
        opinion = claim_of(other, question.board, first=False, budget=other.budget)
        if opinion.status is Status.NONE:
            return claim
        if opinion.status is not Status.UNDECIDED:
            return opinion if question.claimed is Status.NONE else Claim(None)
    return Claim(Status.UNDECIDED)


def main(shared: int = 0) -> None:
    """Answer questions until there are no more. ``shared``: bytes that it has mapped and that do not count, for they
    are of the process that it was forked from."""
    _end_with_starter()  # one that is gone by now has closed what is read next
    with (
        contextlib.suppress(BrokenPipeError),  # the collector is gone
        open(0, "rb", closefd=False) as asked,
        open(1, "wb", closefd=False) as said,
    ):
        if (memory := read(asked)) is None:  # it is not wanted
            return
        _bound(MEMORY.unpack(memory)[0] + shared)
        decoder = msgspec.msgpack.Decoder(list[Question])
        write(said, READY)
        while (frame := read(asked)) is not None:
            write(said, msgspec.msgpack.encode(settle_all(decoder.decode(frame))))


def _end_with_starter() -> None:
    if sys.platform == "linux":
        import ctypes  # here, so that the command need not

        ctypes.CDLL(None).prctl(END_WITH_STARTER, signal.SIGKILL, 0, 0, 0)


def _bound(size: int) -> None:
    with contextlib.suppress(ValueError):  # macOS knows the limit and refuses to set it
        resource.setrlimit(resource.RLIMIT_AS, (size, size))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


if __name__ == "__main__":
    main()
