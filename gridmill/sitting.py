"""A sitting: one process that collects a job into an output, from where the last one stopped, and how that ended."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from gridmill import heap, roles
from gridmill.formats.output import writer
from gridmill.incidents import About
from gridmill.job import Spec
from gridmill.progress import Size
from gridmill.settings import Settings
from gridmill.shelf import Shelf
from gridmill.stop import Stop
from gridmill.track import Tracker, Tracks

if TYPE_CHECKING:
    from collector.manuscript import Manuscript
    from collector.progress import Progress
    from gridmill.ledger import Ledger
    from worker.supervisor import Supervisor


@dataclass(frozen=True)
class Summary:
    """How a run ended. ``written`` in this run alone.

    ``finished`` False: it was stopped, by the signal of that number, and what is written stays. ``skipped`` None: some
    other process has read the input. ``sittings`` as in `gridmill.track.Track`.
    """

    job: str
    finished: bool
    progress: Progress
    seconds: float
    written: int
    signal: int = 0
    skipped: int | None = None
    restarts: int = 0
    sittings: Sequence[Sequence[tuple[float, int]]] = ()


class Sitting:
    """``manuscript`` is of ``out`` (None: standard output), in the output format ``form``; ``feeding``, ``workers``,
    ``shelf`` and ``nurseries`` are as in `gridmill.roles.collector`. Raises OutputError, and JobError where the solver
    here is not the job's."""

    def __init__(
        self,
        ledger: Ledger,
        job: str,
        spec: Spec,
        manuscript: Manuscript,
        out: Path | None,
        form: str,
        settings: Settings,
        *,
        feeding: bool,
        workers: Supervisor | None = None,
        shelf: Shelf | None = None,
        nurseries: roles.Nurseries | None = None,
    ) -> None:
        self._job, self._out, self._settings = job, out, settings
        about = About(str(out.absolute()) if out else "", form, spec.encode())
        rows = writer(form, spec.columns, spec.asked)
        self.collector = roles.collector(
            ledger, job, spec, manuscript, rows, about, settings,
            feeding=feeding, workers=workers, shelf=shelf, nurseries=nurseries,
        )  # fmt: skip

    def run(self, stop: Stop, tick: Callable[[Progress], None], source: Size | None = None) -> Summary:
        """Collect until the job is done or ``stop`` is set; ``tick`` is called all the while.

        ``source`` is the input, where this process reads it.
        """
        heap.keep()
        collector = self.collector
        begun, before = time.monotonic(), collector.progress.written
        tracker = Tracker(Tracks(self._settings.state_dir), self._job, self._out, source)

        def noted(progress: Progress) -> None:
            tracker.note(progress)
            tick(progress)

        finished, progress = False, collector.progress
        try:
            finished = collector.run(stop, noted)
        finally:
            tracker.end(progress, finished=finished)
        seconds, sittings = time.monotonic() - begun, tracker.track.sittings
        return Summary(
            self._job, finished, progress, seconds, progress.written - before, stop.signal, sittings=sittings
        )
