"""How far a run on this machine is, and how fast it was: for those who watch it, and for reports.

A small file a run, ``<state_dir>/tracks/<job>``, which the run replaces every second. Like `gridmill.runs` it is for
people: no answer depends on it, and where it cannot be written, that is logged and the run goes on.

The run holds a lock on the file for as long as it lives; the kernel lets go of it, however the run dies. (Its process's
number would not do: that is another's one day, and is kept for as long as nobody asks how a process ended.)
"""

import contextlib
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

import msgspec

from gridmill import logs
from gridmill.job import is_id
from gridmill.progress import Seen, Size
from gridmill.socketfolder import let_go, lock

if sys.platform != "win32":
    import fcntl

RUNNING, DONE, STOPPED = "running", "done", "stopped"
SAMPLES_MOST = 80  # of a run, whatever it takes: as many as a chart can show
SITTINGS_MOST = 20  # of a run that was stopped again and again, the latest: each keeps two samples at least
# s between two samples at the start; doubled, and every second one dropped, when there are too many
FIRST_PERIOD = 0.25
WRITE_PERIOD = 1.0  # s between two replacements of the file: a look from elsewhere need not be newer
KEPT = 100  # files of runs that have ended: 300 kB at most

log = logs.get("track")


class Track(msgspec.Struct):
    """``state``: `RUNNING`, `DONE` or `STOPPED`; ``out`` is where its answers go (empty: standard output). The progress
    as in `gridmill.progress`, of the input too: it says how much there may be in all.

    ``sittings``: of each time that the run was begun or gone on with, after how many seconds how many records were
    written in all.
    """

    job: str
    out: str
    state: str = RUNNING
    written: int = 0
    enqueued: int = 0
    total: int | None = None
    counts: dict[str, int] = {}
    size: int | None = None
    position: int = 0
    read: int = 0
    sittings: list[list[tuple[float, int]]] = []


class Tracks:
    """All tracks in the state folder."""

    def __init__(self, state_dir: Path) -> None:
        self.state_dir, self._folder = state_dir, state_dir / "tracks"
        self._has_failed = False
        self._held: dict[str, int] = {}  # by run of this process: a descriptor, with the lock

    def load(self, job: str) -> Track | None:
        """The track of ``job``; None when there is none, or none that can be read."""
        try:
            return msgspec.json.decode((self._folder / job).read_bytes(), type=Track) if is_id(job) else None
        except (OSError, msgspec.MsgspecError):
            return None

    def is_running(self, track: Track) -> bool:
        """Whether the process of the run lives."""
        return track.state == RUNNING and not self._is_free(self._folder / track.job)

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
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            self._replace(track)
        except OSError as error:
            if not self._has_failed:
                log.warning(
                    "nobody can watch this run without its server, and a report will not know how fast it was",
                    job=track.job,
                    reason=str(error),
                )
            self._has_failed = True

    def _replace(self, track: Track) -> None:
        draft = self._folder / f"{track.job}.{os.getpid()}"
        draft.unlink(missing_ok=True)  # of a process that had this number, and died
        held = lock(draft)  # before it has the name by which others look for it
        try:
            draft.write_bytes(msgspec.json.encode(track))
            os.replace(draft, self._folder / track.job)
        except OSError:
            let_go(held)
            raise
        before = self._held.pop(track.job, None)
        if before is not None:
            let_go(before)
        if track.state == RUNNING:
            self._held[track.job] = held
        else:
            let_go(held)

    def _is_free(self, path: Path) -> bool:
        """Whether nobody has the lock on the file that has this name now."""
        while True:
            try:
                with path.open("rb") as file:
                    fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
                    if os.path.samestat(os.fstat(file.fileno()), path.stat()):
                        return True
            except BlockingIOError:
                return False
            except OSError:  # it was removed, or is on a disk without locks, on which no run can have one
                return True

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
        self.track = Track(job, str(out.absolute()) if out else "")
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
        self.track.state = DONE if finished else STOPPED
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
            source = self._source
            self.track.size, self.track.position, self.track.read = source.size, source.position, source.read
        self._tracks.save(self.track)


def _thinned(sitting: list[tuple[float, int]]) -> list[tuple[float, int]]:
    """Every second sample, the first and the last among them."""
    return sitting[:-1:2] + sitting[-1:]
