"""A job of this process: fed by one thread, collected by another, its sheets taken by whoever asks."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

from gridmill.answers import Status
from gridmill.api.progress import Progress
from gridmill.errors import GridmillError, JobEnded, JobError
from gridmill.ledger import Ledger
from gridmill.roles import Delivered

if TYPE_CHECKING:
    from typing import Any

END_SECONDS = 10.0  # for the collector to see that it is to stop: it looks once a tick


class Run:
    """Runs ``job`` until all is delivered or it is told to stop; then it is cancelled on the server.

    ``watch`` is called at every tick, in the collector's thread; what it raises ends the job, as does what ``check``
    raises: it looks whether whatever the job needs is still there.
    """

    def __init__(
        self, job: Delivered, ledger: Ledger, check: Callable[[], None], watch: Callable[[Progress], None]
    ) -> None:
        self._job, self._ledger, self._check, self._watch = job, ledger, check, watch
        self._stop = threading.Event()
        self._error: BaseException | None = None
        self._is_whole = False
        self._thread = threading.Thread(target=self._run, name=f"gridmill-{job.job}", daemon=True)
        self.id = job.job
        self.start = self._thread.start
        self.wait, self.take = job.delivery.wait, job.delivery.take

    @property
    def is_over(self) -> bool:
        """Whether there is nothing to take and there will not be; `check` says whether that is all of it."""
        return self._job.delivery.is_over

    @property
    def is_running(self) -> bool:
        """Whether the collector has not come to its end yet."""
        return self._thread.is_alive()

    @property
    def progress(self) -> Progress:
        """How far it is now."""
        return _progress(self._job.collector.progress)

    def check(self) -> None:
        """Raise what ended it before its end; JobEnded when it was told to stop."""
        if self._error is not None:
            raise self._error
        if not self._is_whole or self._job.delivery.has_dropped:
            raise JobEnded(f"job {self.id} was cancelled; its answers end here", job=self.id)

    def stop(self) -> None:
        """Make it end soon, and deliver nothing any more."""
        if self.is_running:
            self._stop.set()
        self._job.delivery.close()

    def join(self) -> None:
        """Wait for its end, after `stop`."""
        self._thread.join(END_SECONDS)

    def _run(self) -> None:
        try:
            self._job.feeding.start()
            self._is_whole = self._job.collector.run(self._stop, self._tick)
            self._watch(self.progress)
        except BaseException as error:
            self._error = error
        finally:
            self._job.feeding.stop()
            if not self._is_whole and not isinstance(self._error, JobError):  # nobody can go on with it
                with contextlib.suppress(GridmillError):
                    self._ledger.final(self.id, "cancelled")
            self._job.delivery.close()

    def _tick(self, progress: Any) -> None:
        self._check()
        self._job.feeding.check()
        self._watch(_progress(progress))


_STATUSES = set(Status)  # beside them, counts have how many records disagree or repeat


def _progress(now: Any) -> Progress:
    """``now`` is the collector's own, which goes on changing."""
    counts = {Status(name): count for name, count in dict(now.counts).items() if name in _STATUSES}
    return Progress(now.written, now.enqueued, now.total, counts, now.rejected, now.resent)
