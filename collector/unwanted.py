"""Pieces that no worker will answer any more, so that the collector has to solve them itself."""

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

    def of(self, snapshot: Snapshot, now: float) -> list[Piece]:
        """The pieces in ``snapshot``, the nearest to their turn first."""
        queued = {piece: entry for piece, entry in snapshot.entries.items() if entry.state == "q"}
        found = {piece for piece, entry in queued.items() if entry.lies >= self._lies}
        is_refused = any(entry.beat for entry in queued.values())
        if not is_refused or any(entry.state == "s" for entry in snapshot.entries.values()):
            self._silence.reset()
        elif self._silence.lasts(True, now):
            found |= queued.keys()  # all, for the others may have had messages that are lost
        return sorted(found)
