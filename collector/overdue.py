"""Which pieces are overdue, judged by this process's own clock: how long *it* has seen a piece in the same state.

No due time comes from another host, and no clock but the monotonic one is read.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from gridmill.entry import Entry, Snapshot
from gridmill.piece import Piece

DOUBLINGS = 30  # of the grace time at most: years, and far from where a number overflows


class Due(NamedTuple):
    """``piece`` is overdue; ``sent``: how often it was sent again without having been started."""

    piece: Piece
    entry: Entry
    sent: int = 0


@dataclass(slots=True)
class _Seen:
    key: tuple[object, ...]
    since: float
    sent: int = 0


class Overdue:
    """Ages of pieces. ``lease``, ``grace`` and ``grace_max`` in seconds."""

    def __init__(self, *, lease: float, grace: float, grace_max: float) -> None:
        self._lease, self._grace, self._grace_max = lease, grace, grace_max
        self._seen: dict[Piece, _Seen] = {}

    def reset(self) -> None:
        """All ages begin anew: after a start, a reconnection or a gap in the ticks."""
        for seen in self._seen.values():
            seen.key = ()

    def due(self, snapshot: Snapshot, now: float) -> Iterator[Due]:
        """The pieces of ``snapshot`` that nobody will answer unless they are sent again."""
        for gone in self._seen.keys() - snapshot.entries.keys():
            del self._seen[gone]
        for piece, entry in snapshot.entries.items():
            if entry.state != "a" and self._is_due(piece, entry, snapshot, now):
                yield Due(piece, entry, max(0, self._seen[piece].sent - 1))

    def _is_due(self, piece: Piece, entry: Entry, snapshot: Snapshot, now: float) -> bool:
        # Sequence numbers are handed out in order, so a taken one above this piece's means that its message has been
        # taken too, or lost. A piece that merely waits is never due, so nothing multiplies while nobody works.
        gone = entry.state == "q" and (entry.seq < snapshot.mark or snapshot.queued == 0)
        seen = self._seen.setdefault(piece, _Seen((), now))
        key = (entry.state, entry.seq, entry.token, entry.beat, gone)
        if seen.key != key:
            seen.key, seen.since = key, now
        age = now - seen.since
        if entry.state == "s":
            seen.sent = 0
            return entry.lost or age > self._lease
        if not gone or age <= min(self._grace * 2 ** min(seen.sent, DOUBLINGS), self._grace_max):
            return False
        seen.sent += 1
        return True
