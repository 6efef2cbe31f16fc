"""The whole pipeline as an object: workers of this process's own, or a fleet that is there."""

from __future__ import annotations

import asyncio
import os
import weakref
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Self

from gridmill import logs, mill, roles, solvers
from gridmill.api.given import Given
from gridmill.api.house import House
from gridmill.api.job import Job
from gridmill.api.progress import Progress
from gridmill.api.run import Run
from gridmill.ask import Ask
from gridmill.errors import GridmillError
from gridmill.ledger import Ledger
from gridmill.questions import NOTHING, Questions
from gridmill.settings import Settings

if TYPE_CHECKING:
    from gridmill.api.given import Boards

ROOM = 4  # chunks of answers that wait for whoever takes them: enough that nobody waits for a single one
QUIET = {"log_level": "warning"}  # of workers, unless something else is set: they would log every piece


class Mill:
    """``Mill(url)`` sends jobs to the workers on that Redis or Valkey; `Mill.local` starts workers of its own.

    ``settings`` are those of docs/commands.md, by their names in small letters. As a context manager it closes itself;
    whatever it started ends with this process in any case. Raises SettingsError, BrokerError.

    >>> import gridmill
    >>> with gridmill.Mill.local(workers=1) as mill:
    ...     [answer.status.value for answer in mill.submit(["." * 81, "55" + "." * 79])]
    ['multiple', 'clash']
    """

    def __init__(self, url: str, **settings: Any) -> None:
        made = Settings.load(broker=url, **settings)
        self._set_up(made, None, mill.open_ledger(made))

    @classmethod
    def local(cls, workers: int | None = None, **settings: Any) -> Self:
        """A mill with a private server and ``workers`` processes (one a core), as ``gridmill solve`` has them."""
        made = cls.__new__(cls)
        house = House(Settings.load(workers=workers, **(QUIET | settings)))
        try:
            made._set_up(house.settings, house, mill.open_ledger(house.settings))
        except BaseException:
            house.stop()
            raise
        return made

    def _set_up(self, settings: Settings, house: House | None, ledger: Ledger) -> None:
        logs.as_library()
        self.settings, self.house = settings, house
        self._process = os.getpid()
        self._ledger = ledger
        self._runs: weakref.WeakSet[Run] = weakref.WeakSet()
        self._close = weakref.finalize(self, _close, self._process, self._runs, house)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await asyncio.to_thread(self.close)

    def submit(
        self,
        puzzles: str | os.PathLike[str] | Boards,
        *,
        solver: str = solvers.DEFAULT,
        first: bool = False,
        budget: int | None = None,
        chunk: int | None = None,
        column: str | None = None,
        form: str | None = None,
        blank: str | None = None,
        asked: Questions = NOTHING,
        watch: Callable[[Progress], None] = lambda progress: None,
    ) -> Job:
        """Begin a job with ``puzzles``: the path of a file, or boards as `gridmill.solve_many` takes them.

        The options are the command's; ``form`` is its ``--input-format``, ``asked`` its ``--count``, ``--all`` and the
        like. Answers that nobody takes hold the job up, so memory stays flat. ``watch`` is called some times a second,
        in another thread; what it raises ends the job.

        Raises FormatError, BoardError or SettingsError for what cannot be begun. What ends a job later is raised where
        it is iterated.
        """
        if os.getpid() != self._process:
            raise GridmillError("a mill belongs to the process that made it; make another in the child")
        if not self._close.alive:
            raise GridmillError("this mill is closed; make another")
        inputs = (os.fspath(puzzles),) if isinstance(puzzles, str | os.PathLike) else ()
        ask = Ask(inputs, solver, first, budget, chunk, column, form, blank, asked)
        records = ask.records() if isinstance(puzzles, str | os.PathLike) else Given(puzzles)
        spec = ask.spec(records)
        workers = self.house.workers if self.house else None
        made = roles.delivered(self._ledger, spec, records, self.settings, ROOM, workers)
        run = Run(made, self._ledger, self.house.check if self.house else lambda: None, watch)
        self._runs.add(run)
        run.start()
        return Job(run, spec.columns)

    def close(self) -> None:
        """Cancel what is not finished, and end what this mill started. May be repeated."""
        self._close()


def _close(process: int, runs: weakref.WeakSet[Run], house: House | None) -> None:
    """What `Mill.close` does; also called when the mill is forgotten, and when Python ends."""
    if os.getpid() != process:  # a forked child has a copy of what is its parent's
        return
    for run in list(runs):
        run.stop()
    for run in list(runs):
        run.join()
    if house:
        house.stop()
