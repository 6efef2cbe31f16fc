"""The referee: the last word on what no check can settle, from a child that may die without taking anything along.

A thread of its own asks the child, so the collector's loop never waits. A board that kills the child, or takes longer
than its limit, three times, gets no claim.
"""

import contextlib
import queue
import select
import threading
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from types import MappingProxyType
from typing import IO, NamedTuple, Protocol

import msgspec

from collector.child import MEMORY, READY, Question, read, write
from collector.nursery import Child, Nursery
from gridmill import logs
from gridmill.errors import Incomplete
from gridmill.reply import Claim

STARTS = 3  # of a child in a row, before there is none to be had: one may be killed that had nothing to do with it
START_SECONDS = 60.0  # for the child to be ready: it takes 0.2 s, and a hundred times that on a machine that swaps
# Questions that a child has at a time: to wait for each answer costs five times what most of them do. All of them have
# to fit into a pipe, or both sides might wait for each other.
AHEAD = 32
DEATHS = 3  # of the child on one board, before the board is given up
NODE_SECONDS = 1e-3  # the slowest that a search node may be; a budget of nodes gets at least that much time

log = logs.get("referee")


NOTHING: Mapping[int, str] = MappingProxyType({})


class Ruling(NamedTuple):
    """The claims on the boards of one request, in order; None for a board that every child died of, and ``causes`` of
    the last death, by index. They may end early behind one that shows a false claim: that settles all of them."""

    key: int
    claims: list[Claim | None]
    causes: Mapping[int, str] = NOTHING


class Referee(Protocol):
    """Settles questions, in its own time. ``stirred`` is set whenever there is a ruling, or can be no more; others may
    set it too, for whoever waits."""

    stirred: threading.Event

    def ask(self, key: int, questions: Sequence[Question]) -> None:
        """Have ``questions`` settled; the ruling comes under ``key``."""

    def rulings(self) -> list[Ruling]:
        """All rulings since the last call. Raises Incomplete when there can be no more."""

    def drop(self) -> None:
        """Forget what has not been settled yet; a ruling that is being made may still come."""

    def close(self) -> None:
        """Stop; what is not settled yet is dropped."""


class ChildReferee:
    """The referee with a child, of ``nursery``. ``memory`` in bytes and ``seconds`` a board limit it."""

    def __init__(self, *, memory: int, seconds: float, nursery: Nursery | None = None) -> None:
        self._memory, self._seconds = memory, seconds
        self._nursery = nursery or Nursery()
        self._requests: queue.SimpleQueue[tuple[int, Sequence[Question]] | None] = queue.SimpleQueue()
        self._rulings: queue.SimpleQueue[Ruling] = queue.SimpleQueue()
        self.stirred = threading.Event()
        self._child: Child | None = None
        self._closing = False
        self._error: Exception | None = None
        self._decoder = msgspec.msgpack.Decoder(list[Claim])
        self._thread = threading.Thread(target=self._run, name="referee", daemon=True)
        self._thread.start()

    def ask(self, key: int, questions: Sequence[Question]) -> None:
        """See `Referee`."""
        self._requests.put((key, questions))

    def rulings(self) -> list[Ruling]:
        """See `Referee`."""
        if self._error is not None:
            raise Incomplete(f"the collector cannot solve for itself: {self._error}") from self._error
        return [self._rulings.get() for _ in range(self._rulings.qsize())]

    def drop(self) -> None:
        """See `Referee`."""
        with contextlib.suppress(queue.Empty):
            while True:
                self._requests.get_nowait()

    def close(self) -> None:
        """See `Referee`."""
        self._closing = True
        self._requests.put(None)
        child = self._child
        if child is not None:
            child.process.kill()
        self._thread.join()

    def _run(self) -> None:
        try:
            while (request := self._requests.get()) is not None and not self._closing:
                key, questions = request
                causes: dict[int, str] = {}
                claims = self._settle(questions, causes)
                if not self._closing:
                    self._rulings.put(Ruling(key, claims, causes))
                    self.stirred.set()
        except Exception as error:
            self._error = error
            self.stirred.set()
        finally:
            self._end_child()

    def _settle(self, questions: Sequence[Question], causes: dict[int, str]) -> list[Claim | None]:
        """A claim for each, as far as `close` or a false one lets it. A child takes one after the other, so what it
        died of is the first without a claim; of several that it had at once, each is asked alone then."""
        claims: list[Claim | None] = []
        deaths = 0
        is_false = False  # or an answer of tens of thousands of false claims would hold up all others for minutes
        alone = False
        while len(claims) < len(questions) and not self._closing and not is_false:
            try:
                for claim in self._put(questions[len(claims) : len(claims) + AHEAD], alone=alone):
                    is_false |= questions[len(claims)].is_refuted_by(claim)
                    claims.append(claim)
                    deaths = 0
            except _Death as cause:
                self._end_child()
                if cause.questions > 1:
                    alone = True
                    continue
                deaths += 1
                board = questions[len(claims)].board.hex()[:81]
                if not self._closing:
                    log.warning("the solving child died", board=board, death=deaths, cause=str(cause))
                if deaths == DEATHS:
                    causes[len(claims)] = str(cause)
                    claims.append(None)
                    deaths = 0
        return claims

    def _put(self, questions: Sequence[Question], *, alone: bool) -> Iterator[Claim]:
        child = self._child or self._start_child()
        frames = [[question] for question in questions] if alone else _frames(questions)
        with contextlib.suppress(OSError):  # it has died of one already, which its answers to those before will tell
            for frame in frames:
                write(child.asked, msgspec.msgpack.encode(frame))
        try:
            for waiting in frames:
                seconds = max(self._seconds, waiting[0].nodes * NODE_SECONDS)  # also for several: most take none
                answer = read(_Awaited(child.said, seconds))
                if answer is None:
                    raise _Death(f"exit code {child.process.wait()}", len(waiting))
                yield from self._decoder.decode(answer)
        except (OSError, msgspec.MsgspecError) as error:
            raise _Death(str(error), len(waiting)) from error

    def _start_child(self) -> Child:
        """A child that says that it is ready. Raises Incomplete: one that cannot start says nothing about a board."""
        for start in range(1, STARTS + 1):
            child = self._child = self._nursery.bear()
            if not self._closing and self._is_ready(child):  # `close` may have looked for it before it was there
                return child
            code = self._end_child()
            if self._closing:
                raise _Death("closing")
            log.warning("the solving child did not start", start=start, code=code)
        raise Incomplete(f"its process does not start (exit code {code}); is GRIDMILL_CHILD_MEMORY low?")

    def _is_ready(self, child: Child) -> bool:
        try:
            write(child.asked, MEMORY.pack(self._memory))
            return read(_Awaited(child.said, START_SECONDS)) == READY
        except OSError:  # it is dead, or says nothing
            return False

    def _end_child(self) -> int | None:
        child, self._child = self._child, None
        return child.end() if child else None


def _frames(questions: Sequence[Question]) -> list[list[Question]]:
    """What a child gets at once: audits of one kind, for many boards cost little more than one; else each alone."""
    alike = (list(group) for _, group in groupby(questions, lambda question: question._replace(board=b"")))
    return [frame for group in alike for frame in ([group] if group[0].audit else [[each] for each in group])]


class _Awaited:
    """What a child writes, each part of it waited for: it may be stopped in the middle of a long answer, too."""

    def __init__(self, stream: IO[bytes], seconds: float) -> None:
        self._stream, self._seconds = stream, seconds

    def read(self, size: int, /) -> bytes:
        """What there is, ``size`` bytes at most. Raises TimeoutError."""
        if not select.select([self._stream], [], [], self._seconds)[0]:
            raise TimeoutError(f"no answer in {self._seconds:.0f} s")
        return self._stream.read(size)


class _Death(Exception):
    """The child died, or was killed at its time limit, when it had so many ``questions`` to answer at once."""

    def __init__(self, cause: str, questions: int = 1) -> None:
        super().__init__(cause)
        self.questions = questions
