"""The referee: the last word on what no check can settle, from a child that may die without taking anything along.

A thread of its own asks the child, so the collector's loop never waits. A board that kills the child, or takes longer
than its limit, three times, gets no claim.
"""

import contextlib
import queue
import select
import subprocess
import sys
import threading
from collections.abc import Hashable, Sequence
from typing import NamedTuple

import msgspec

from collector.child import Question, read, write
from gridmill import logs
from gridmill.reply import Claim

DEATHS = 3  # of the child on one board, before the board is given up
NODE_SECONDS = 1e-3  # the slowest that a search node may be; a budget of nodes gets at least that much time

log = logs.get("referee")


class Ruling(NamedTuple):
    """The claims on the boards of one request, in order; None for a board that every child died of."""

    key: Hashable
    claims: list[Claim | None]


class _Death(Exception):
    """The child died, or was killed at its time limit."""


class Referee:
    """``memory`` in bytes and ``seconds`` a board limit the child."""

    def __init__(self, *, memory: int, seconds: float) -> None:
        self._memory, self._seconds = memory, seconds
        self._requests: queue.SimpleQueue[tuple[Hashable, Sequence[Question]] | None] = queue.SimpleQueue()
        self._rulings: queue.SimpleQueue[Ruling] = queue.SimpleQueue()
        self._child: subprocess.Popen[bytes] | None = None
        self._closing = False
        self._decoder = msgspec.msgpack.Decoder(Claim)
        self._thread = threading.Thread(target=self._run, name="referee", daemon=True)
        self._thread.start()

    def ask(self, key: Hashable, questions: Sequence[Question]) -> None:
        """Have ``questions`` settled; the ruling comes under ``key``."""
        self._requests.put((key, questions))

    def rulings(self) -> list[Ruling]:
        """All rulings since the last call."""
        return [self._rulings.get() for _ in range(self._rulings.qsize())]

    def close(self) -> None:
        """Stop; what is not settled yet is dropped."""
        self._closing = True
        self._requests.put(None)
        child = self._child
        if child is not None:
            child.kill()
        self._thread.join()

    def _run(self) -> None:
        try:
            while (request := self._requests.get()) is not None and not self._closing:
                key, questions = request
                claims = [self._settle(question) for question in questions]
                if not self._closing:
                    self._rulings.put(Ruling(key, claims))
        finally:
            self._end_child()

    def _settle(self, question: Question) -> Claim | None:
        for death in range(1, DEATHS + 1):
            if self._closing:
                return None
            try:
                return self._put(question)
            except _Death as cause:
                self._end_child()
                if not self._closing:
                    log.warning(
                        "the solving child died", board=question.board.hex()[:81], death=death, cause=str(cause)
                    )
        return None

    def _put(self, question: Question) -> Claim:
        if self._child is None:
            self._child = subprocess.Popen(
                [sys.executable, "-P", "-m", "collector.child", str(self._memory)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                start_new_session=True,  # Ctrl-C is the collector's to handle
            )
        child = self._child
        assert child.stdin is not None
        assert child.stdout is not None
        seconds = max(self._seconds, question.budget * NODE_SECONDS)
        try:
            write(child.stdin, msgspec.msgpack.encode(question))
            if not select.select([child.stdout], [], [], seconds)[0]:
                raise _Death(f"no answer in {seconds:.0f} s")
            frame = read(child.stdout)
        except OSError as error:
            raise _Death(str(error)) from error
        if frame is None:
            raise _Death(f"exit code {child.wait()}")
        try:
            return self._decoder.decode(frame)
        except msgspec.MsgspecError as error:
            raise _Death(str(error)) from error

    def _end_child(self) -> None:
        child, self._child = self._child, None
        if child is None:
            return
        child.kill()
        child.wait()
        for pipe in (child.stdin, child.stdout):
            if pipe:
                with contextlib.suppress(OSError):  # what was meant for a dead child cannot be flushed
                    pipe.close()
