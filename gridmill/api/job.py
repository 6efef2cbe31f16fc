"""A job that was submitted, and its answers."""

from __future__ import annotations

import asyncio
import weakref
from collections.abc import AsyncIterator, Iterator

from gridmill.answers import Answer
from gridmill.api.answers import Answers
from gridmill.api.progress import Progress
from gridmill.api.run import Run

WAIT_SECONDS = 1.0  # between two looks whether a job is over, in case nobody wakes whoever waits
ASYNC_SECONDS = 0.2  # that a thread of the event loop's waits at most, for it cannot be cancelled


class Job:
    """Iterate it for the answers, in the order of the input, as they come: ``for`` or ``async for``.

    Each answer is given once, whoever asks and in whatever way; take them in one place. A job that nobody holds any
    more, or whose mill is closed, is cancelled.
    """

    def __init__(self, run: Run, columns: tuple[str, ...]) -> None:
        self._run, self.columns = run, columns
        self.id = run.id
        self._rest: Iterator[Answer] = iter(())  # of the block that was taken last
        weakref.finalize(self, run.stop)

    def __iter__(self) -> Iterator[Answer]:
        yield from self._rest
        for block in self.blocks():
            self._rest = iter(block)
            yield from self._rest

    async def __aiter__(self) -> AsyncIterator[Answer]:
        while True:
            for answer in self._rest:
                yield answer
            if self._run.is_over:
                break
            await asyncio.to_thread(self._run.wait, ASYNC_SECONDS)
            if (sheet := self._run.take()) is not None:
                self._rest = iter(Answers([sheet]))
        self._run.check()

    def __repr__(self) -> str:
        return f"<job {self.id}: {self.progress.answered:,} answered>"

    def blocks(self) -> Iterator[Answers]:
        """The answers as they come, many at a time: the quick way, for arrays, tables and `gridmill.write`."""
        while not self._run.is_over:
            self._run.wait(WAIT_SECONDS)
            if (sheet := self._run.take()) is not None:
                yield Answers([sheet], self.columns)
        self._run.check()

    def answers(self) -> Answers:
        """All answers that nobody has taken yet, when the last of them is there; they have to fit into memory."""
        return Answers([sheet for block in self.blocks() for sheet in block.sheets], self.columns)

    @property
    def progress(self) -> Progress:
        """How far it is."""
        return self._run.progress

    def cancel(self) -> None:
        """End it, and delete what waits in the server; iterating it then raises JobEnded. May be repeated."""
        self._run.stop()
        self._run.join()
