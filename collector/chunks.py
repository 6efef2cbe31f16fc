"""The chunks in flight, as the server holds them."""

from collections import Counter, OrderedDict

from gridmill.chunk import Chunk
from gridmill.errors import BrokerLost, Incomplete
from gridmill.ledger import Ledger
from gridmill.shelf import Shelf

HELD = 4  # chunks kept at hand between examining and writing them
MISSES = 5  # times that a chunk's boards may be missing, each followed by a new look, before the job is given up


class Chunks:
    """Those of one job. ``shelf``: where a producer in this process leaves them too."""

    def __init__(self, ledger: Ledger, job: str, shelf: Shelf | None = None) -> None:
        self._ledger, self._job = ledger, job
        self._shelf = shelf or Shelf(0)
        self._held: OrderedDict[int, Chunk] = OrderedDict()
        self._misses: Counter[int] = Counter()  # by chunk

    def clear(self) -> None:
        """Forget what is at hand: the server may hold another state than before."""
        self._held.clear()

    def drop(self, number: int) -> None:
        """A chunk was written: it is no longer wanted, nor is any before it."""
        self._held.pop(number, None)
        self._shelf.drop(number)

    def get(self, number: int) -> Chunk:
        """A chunk that is in flight.

        Raises BrokerLost when the server does not hold it (look again), Incomplete when that goes on.
        """
        found = self._held.get(number) or self._shelf.get(number) or self._ledger.chunk(self._job, number)
        if found is None:
            raise self.missed(number)
        del self._misses[number]
        self._held[number] = found
        while len(self._held) > HELD:
            self._held.popitem(last=False)
        return found

    def missed(self, number: int) -> Exception:
        """What to raise when a chunk's boards are not there, as a step of the ledger says too."""
        self._shelf.clear()  # or nobody would see that it stays so
        # The server may have gone back in time since the last look, as a new look will show. Or they are gone for good.
        self._misses[number] += 1
        if self._misses[number] > MISSES:
            return Incomplete(
                f"the server has lost the boards of chunk {number} of job {self._job}; what was written stays valid. "
                f"To have the rest fed again: gridmill cancel {self._job}, gridmill clean, then gridmill resume OUT",
                job=self._job,
            )
        return BrokerLost(f"the boards of chunk {number} are not there")
