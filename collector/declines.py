"""Workers that must not or cannot solve for a job: why, and whether anybody else is there."""

from collections.abc import Callable

from gridmill import logs
from gridmill.entry import Snapshot
from gridmill.incidents import Incident, Incidents
from gridmill.piece import Piece

KNOWN_MOST = 100  # reasons that are said; whoever writes ever new ones shall not fill the memory, nor the log
REMEDY = (
    "have the workers run the release that made the job (gridmill doctor says what is wrong with one), or cancel the "
    "job and start it anew"
)

log = logs.get("collector")


class Declines:
    """Those of one job. Nobody else is there when for ``lease`` seconds nobody has begun anything."""

    def __init__(self, incidents: Incidents, lease: float) -> None:
        self._incidents, self._lease = incidents, lease
        self._known: set[str] = set()
        self._begun: set[tuple[Piece, int]] = set()
        self.reset()

    def reset(self) -> None:
        """Begin anew."""
        self._since: float | None = None  # nobody has begun anything
        self._pause = self._lease  # until that is said, again

    def look(self, snapshot: Snapshot, now: float, waits_for: Callable[[Piece], bool]) -> str:
        """Log and note why workers decline, and again, ever more rarely, while nobody does anything else: then the
        latest reason, else nothing.

        ``waits_for``: whether a piece needs an answer; one that the collector has solved itself looks started for ever.
        """
        reason = snapshot.job.declined
        self._say_once(reason)
        if self._works(snapshot, waits_for) or not reason:
            self.reset()
            return ""
        self._since = now if self._since is None else self._since
        # Of a message that was taken nothing came: else all wait for a worker, whoever declined long ago.
        taken = (
            piece for piece, entry in snapshot.entries.items() if entry.state == "q" and entry.seq <= snapshot.mark
        )
        if now - self._since <= self._lease or not any(map(waits_for, taken)):
            return ""
        self._say_again(reason, now - self._since)
        return reason

    def _works(self, snapshot: Snapshot, waits_for: Callable[[Piece], bool]) -> bool:
        """Whether anybody is at a piece, or was since the last look."""
        before = self._begun
        self._begun = {(piece, entry.seq) for piece, entry in snapshot.entries.items() if entry.state != "q"}
        started = (piece for piece, entry in snapshot.entries.items() if entry.state == "s")
        return not self._begun <= before or any(map(waits_for, started))

    def _say_once(self, reason: str) -> None:
        if reason and reason not in self._known and len(self._known) < KNOWN_MOST:
            self._known.add(reason)
            log.error("workers decline", job=self._incidents.job, reason=reason, remedy=REMEDY)
            self._incidents.note(Incident("declined", reason))

    def _say_again(self, reason: str, seconds: float) -> None:
        if seconds > self._pause:
            self._pause *= 2
            event = "nobody begins: workers decline, and no other comes"
            log.error(event, job=self._incidents.job, seconds=round(seconds), reason=reason, remedy=REMEDY)
