"""How an input is cut into chunks: a pure function of its records and the job's chunk size.

A chunk that is sent twice must have the same content (the chain hash proves it), so nothing else may decide here;
least of all which records come packed already, which depends on the kernel and on how the input was read.
"""

from collections.abc import Iterable, Iterator
from itertools import accumulate
from typing import NamedTuple

from gridmill.batch import Batch, weight_of
from gridmill.chunk import Chunk, Record
from gridmill.entry import Place

RECORDS_CAP = 1_000_000  # in a chunk: its boards are 41 MB then, and the name of a piece has seven digits for each end
# The first two chunks have a sixteenth of the records, the next two an eighth, and so on up to half of them, but no
# fewer than LEAST: workers begin while the next one is read, and a small input is work for all of them.
RAMP = 4
LEAST = 100
# What is left at the end is halved again and again, down to an eighth of the usual size: all workers have some of it,
# and little is left to do when the last of them has answered.
LAST = 3
SIDE_CAP = 1 << 20  # bytes of ids and columns after which a chunk ends early, so that wide tables stay in the budget


class Cut(NamedTuple):
    """A chunk, the place before it and the place behind it."""

    at: Place
    chunk: Chunk
    after: Place


def cut(records: Iterable[Record | Batch], size: int) -> Iterator[Cut]:
    """Cut ``records`` into chunks of ``size`` records: the first ones have fewer (`RAMP`), the last ones too (`LAST`),
    and one that reaches `SIDE_CAP` or `RECORDS_CAP`."""
    size = min(size, RECORDS_CAP)
    at = Place()
    draft = _Draft(_records_of(0, size))
    for item in records:
        rest = draft.take(item)
        while draft.is_full:
            yield (made := draft.make(at))
            at, draft = made.after, _Draft(_records_of(made.after.chunk, size))
            rest = draft.take(rest) if rest else None
    rest = draft.batch() if draft.count else None
    while rest:
        draft = _Draft(max(min(size, LEAST), size >> LAST, -(-len(rest) // 2)))
        rest = draft.take(rest)
        yield (made := draft.make(at))
        at = made.after


def _records_of(number: int, size: int) -> int:
    """How many records chunk ``number`` has where ``size`` is usual."""
    return max(min(size, LEAST), size >> max(0, RAMP - number // 2))


class _Draft:
    """The records of the next chunk."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._batches: list[Batch] = []
        self._loose: list[Record] = []  # not packed yet, behind the batches
        self._weight = 0
        self.count = 0

    @property
    def is_full(self) -> bool:
        return self.count == self._size or self._weight >= SIDE_CAP

    def take(self, item: Record | Batch) -> Batch | None:
        """A record, or as many of a batch's as there is room for; the rest of them, if there is one."""
        if isinstance(item, Batch):
            return self._take(item)
        self._loose.append(item)
        self.count += 1
        self._weight += weight_of(item)
        return None

    def _take(self, batch: Batch) -> Batch | None:
        self._pack()
        taken = min(len(batch), self._size - self.count)
        if self._weight + batch.weight >= SIDE_CAP:
            weights = accumulate(batch.weights(), initial=self._weight)
            full = next(index for index, weight in enumerate(weights) if weight >= SIDE_CAP)
            taken = min(taken, full)
        part = batch if taken == len(batch) else batch.part(0, taken)
        self._batches.append(part)
        self.count += taken
        self._weight += part.weight
        return None if taken == len(batch) else batch.part(taken, len(batch))

    def batch(self) -> Batch:
        """All of it."""
        self._pack()
        return Batch.join(self._batches)

    def make(self, at: Place) -> Cut:
        """The chunk that is at ``at``."""
        self._pack()
        chunk = Chunk.joined(at.record + 1, self._batches)
        return Cut(at, chunk, Place(at.chunk + 1, at.record + self.count, chunk.chained(at.chain)))

    def _pack(self) -> None:
        if self._loose:
            self._batches.append(Batch.of(self._loose))
            self._loose = []
