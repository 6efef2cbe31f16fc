"""How long a chunk is left to workers, whatever the ledger says of it."""

from gridmill.entry import Snapshot

# So often the lease: a piece that poisons or hangs each of its workers is down to the one board, and solved, in half of
# it. Whoever is slower than that, beats or not, has somebody beside him: work is done twice, and nothing is lost.
LEASES = 20


class Patience:
    """With the chunks of one job; ``lease`` in seconds.

    Workers write the ledger, and a hostile one can have it say for ever that a piece is at work, new, or answered. So
    what counts is since when somebody has had to do with a chunk.
    """

    def __init__(self, lease: float) -> None:
        self._limit = LEASES * lease
        self._since: dict[int, float] = {}

    def reset(self) -> None:
        """Begin anew."""
        self._since.clear()

    def look(self, snapshot: Snapshot, turn: int, now: float, *, passed: bool) -> None:
        """See which chunks do not merely wait. ``passed``: others came before the chunk whose ``turn`` it is."""
        begun = {piece.chunk for piece, entry in snapshot.entries.items() if entry.state != "q" or entry.tries}
        begun.update(snapshot.torn, [turn] if passed else [])
        self._since = {chunk: self._since.get(chunk, now) for chunk in begun | self._since.keys() if chunk >= turn}

    def is_over(self, chunk: int, now: float) -> bool:
        """Whether ``chunk`` has to be solved here."""
        return now - self._since.get(chunk, now) > self._limit
