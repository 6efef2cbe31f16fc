"""Pieces that no worker will answer any more, so that the collector has to solve them itself."""

from collections.abc import Callable

from collector.silence import Silence
from gridmill.entry import Snapshot
from gridmill.piece import Piece


class Unwanted:
    """``lies`` false answers about a piece are enough; and who is refused work for its lies is no worker.

    That nobody else is there is believed after ``lease`` seconds in which such a worker came and nobody began anything.
    """

    def __init__(self, *, lies: int, lease: float) -> None:
        self._lies, self._silence = lies, Silence(lease)

    def reset(self) -> None:
        """Begin anew."""
        self._silence.reset()

    def of(self, snapshot: Snapshot, now: float, waits_for: Callable[[Piece], bool]) -> list[Piece]:
        """The pieces in ``snapshot``, the nearest to their turn first.

        ``waits_for``: whether a piece needs an answer; one that the collector has solved itself looks started for ever.
        """
        queued = {piece: entry for piece, entry in snapshot.entries.items() if entry.state == "q"}
        found = {piece for piece, entry in queued.items() if entry.lies >= self._lies}
        is_refused = any(entry.beat for entry in queued.values())
        started = (piece for piece, entry in snapshot.entries.items() if entry.state == "s")
        if not is_refused or any(map(waits_for, started)):
            self._silence.reset()
        elif self._silence.lasts(True, now):
            found |= queued.keys()  # all, for the others may have had messages that are lost
        return sorted(found)
