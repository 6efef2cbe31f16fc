"""What is written becomes safe beside the work: a sync takes the disk as long as a chunk takes the workers."""

from collections.abc import Iterable
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from threading import Event

from collector.manuscript import Manuscript
from gridmill.clock import Clock
from gridmill.entry import Place

SAVE_SECONDS = 0.5  # s between two saves: two fsyncs cost up to 20 ms on a slow disk
SAVE_BYTES = 8_000_000  # bytes after which a save does not wait: it also makes room in Redis


class Keeper:
    """Writes to a manuscript, and saves it half a second or 8 MB after the last time, one save at a time.

    A save is about what was written when it was begun; what is written meanwhile is the next one's. Everything before
    ``saved`` is safe, and ``counts`` are of that. ``stirred`` is set when a save has ended. ``aside`` runs the saves:
    one thread, unless a test has another.
    """

    def __init__(self, manuscript: Manuscript, clock: Clock, stirred: Event, aside: Executor | None = None) -> None:
        self._manuscript, self._clock, self._stirred = manuscript, clock, stirred
        self._aside = aside or ThreadPoolExecutor(1, "saving")
        self._running: Future[None] | None = None
        self.saved, self.counts = manuscript.state.place, manuscript.state.counts
        self._meant = self.saved, self.counts
        self._unsaved, self._saved_at = 0, clock.now()

    def write(self, rows: Iterable[bytes]) -> None:
        """Add ``rows`` at the end. Raises OutputError."""
        self._unsaved += self._manuscript.write(rows)

    def begin(self, place: Place, counts: dict[str, int]) -> None:
        """Begin a save of what was written, everything before ``place``, if it is time for one."""
        late = self._clock.now() - self._saved_at > SAVE_SECONDS
        if self._running is None and self._unsaved and (late or self._unsaved > SAVE_BYTES):
            self._mean(place, counts)
            self._running = self._aside.submit(self._manuscript.saving(place, counts))
            self._running.add_done_callback(lambda _: self._stirred.set())

    def has_ended(self) -> bool:
        """Whether a save has ended that nobody has been told of yet. Raises OutputError when it failed."""
        if self._running is None or not self._running.done():
            return False
        self._settle()
        return True

    def save(self, place: Place, counts: dict[str, int], *, done: bool = False) -> None:
        """Make everything safe that was written, now. Raises OutputError."""
        self._settle()
        self._mean(place, counts)
        self._manuscript.saving(place, counts, done=done)()
        self.saved, self.counts = self._meant

    def close(self) -> None:
        """Wait for the save that is running; how it ends no longer matters."""
        self._aside.shutdown()

    def _mean(self, place: Place, counts: dict[str, int]) -> None:
        self._meant = place, counts
        self._unsaved, self._saved_at = 0, self._clock.now()

    def _settle(self) -> None:
        running, self._running = self._running, None
        if running is not None:
            running.result()
            self.saved, self.counts = self._meant
