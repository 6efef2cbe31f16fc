"""How far a run on this machine is, and how fast it was: for those who watch it, and for reports.

A small file a run, ``<state_dir>/tracks/<job>``, which the run replaces every second. Like `gridmill.runs` it is for
people: no answer depends on it, and where it cannot be written, that is logged and the run goes on.
"""

import contextlib
import os
import time
from collections.abc import Callable
from pathlib import Path

import msgspec

from gridmill import logs
from gridmill.job import is_id
from gridmill.progress import Seen, Size

SAMPLES_MOST = 80  # of a run, whatever it takes: as many as a chart can show
SITTINGS_MOST = 20  # of a run that was stopped again and again, the latest: each keeps two samples at least
# s between two samples at the start; doubled, and every second one dropped, when there are too many
FIRST_PERIOD = 0.25
WRITE_PERIOD = 1.0  # s between two replacements of the file: a look from elsewhere need not be newer
KEPT = 100  # files of runs that have ended: 300 kB at most

log = logs.get("track")


class Track(msgspec.Struct):
    """``state``: running, done or stopped; ``pid`` is the process of the run, ``out`` where its answers go (empty:
    standard output). The progress as in `gridmill.progress`, of the input too: it says how much there may be in all.

    ``sittings``: of each time that the run was begun or gone on with, after how many seconds how many records were
    written in all.
    """

    job: str
    out: str
    state: str = "running"
    pid: int = 0
    written: int = 0
    enqueued: int = 0
    total: int | None = None
    counts: dict[str, int] = {}
    size: int | None = None
    position: int = 0
    sittings: list[list[tuple[float, int]]] = []

    @property
    def is_running(self) -> bool:
        """Whether the process of the run lives, as far as this machine knows."""
        if self.state != "running":
            return False
        try:
            os.kill(self.pid, 0)
        except ProcessLookupError:
            return False
        except PermissionError:  # another user's
            pass
        return True


class Tracks:
    """All tracks in the state folder."""

    def __init__(self, state_dir: Path) -> None:
        self._folder = state_dir / "tracks"
        self._has_failed = False

    def load(self, job: str) -> Track | None:
        """The track of ``job``; None when there is none, or none that can be read."""
        try:
            return msgspec.json.decode((self._folder / job).read_bytes(), type=Track) if is_id(job) else None
        except (OSError, msgspec.MsgspecError):
            return None

    def of_output(self, out: Path) -> Track | None:
        """The latest track of a run into ``out``."""
        name = str(out.absolute())
        found = (track for job in reversed(self.jobs()) if (track := self.load(job)) and track.out == name)
        return next(found, None)

    def jobs(self) -> list[str]:
        """All that have a track, the latest last."""
        found = []
        for file in self._folder.glob("*"):
            if is_id(file.name):
                with contextlib.suppress(FileNotFoundError):  # another run has just removed it
                    found.append((file.stat().st_mtime, file.name))
        return [job for _, job in sorted(found)]

    def save(self, track: Track) -> None:
        """Replace the file of ``track`` at once. Where that cannot be, it is logged the first time."""
        draft = self._folder / f"{track.job}.{os.getpid()}"
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            draft.write_bytes(msgspec.json.encode(track))
            os.replace(draft, self._folder / track.job)
        except OSError as error:
            if not self._has_failed:
                log.warning(
                    "nobody can watch this run without its server, and a report will not know how fast it was",
                    job=track.job,
                    reason=str(error),
                )
            self._has_failed = True

    def remove(self, job: str) -> None:
        """Forget a run."""
        (self._folder / job).unlink(missing_ok=True)

    def prune(self) -> None:
        """Forget all runs but the latest."""
        for job in self.jobs()[:-KEPT]:
            self.remove(job)


class Tracker:
    """Keeps the track of one sitting of a run, which reads ``source`` (None: another does). ``clock`` gives seconds."""

    def __init__(
        self,
        tracks: Tracks,
        job: str,
        out: Path | None,
        source: Size | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._tracks, self._source, self._clock = tracks, source, clock
        before = tracks.load(job)
        self.track = Track(job, str(out.absolute()) if out else "", pid=os.getpid())
        self.track.sittings = [*(before.sittings if before else []), []]
        self._begun = clock()
        self._period = FIRST_PERIOD
        self._sampled, self._written = -FIRST_PERIOD, -WRITE_PERIOD  # the first of each is at once
        tracks.prune()

    def note(self, progress: Seen) -> None:
        """Take a sample, and write it down, each when it is time."""
        now = self._clock() - self._begun
        if now - self._sampled >= self._period:
            self._sample(now, progress)
        if now - self._written >= WRITE_PERIOD:
            self._write(now, progress)

    def end(self, progress: Seen, *, finished: bool) -> None:
        """The last sample: the run is done, or stopped."""
        now = self._clock() - self._begun
        self._sample(now, progress)
        self.track.state = "done" if finished else "stopped"
        self._write(now, progress)

    def _sample(self, now: float, progress: Seen) -> None:
        self._sampled = now
        self.track.sittings[-1].append((round(now, 3), progress.written))
        if sum(map(len, self.track.sittings)) > SAMPLES_MOST:
            self._period *= 2
            self.track.sittings = [_thinned(sitting) for sitting in self.track.sittings[-SITTINGS_MOST:]]

    def _write(self, now: float, progress: Seen) -> None:
        self._written = now
        self.track.written, self.track.enqueued, self.track.total = progress.written, progress.enqueued, progress.total
        self.track.counts = dict(progress.counts)
        if self._source is not None:
            self.track.size, self.track.position = self._source.size, self._source.position
        self._tracks.save(self.track)


def _thinned(sitting: list[tuple[float, int]]) -> list[tuple[float, int]]:
    """Every second sample, the first and the last among them."""
    return sitting[:-1:2] + sitting[-1:]
