"""How an input is cut into chunks: a pure function of its records and the job's chunk size.

A chunk that is sent twice must have the same content (the chain hash proves it), so nothing else may decide here.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from gridmill.chunk import Chunk, Record
from gridmill.entry import Place

RECORDS_CAP = 1_000_000  # in a chunk: its boards are 41 MB then, and the name of a piece has seven digits for each end
SIDE_CAP = 1 << 20  # bytes of ids and columns after which a chunk ends early, so that wide tables stay in the budget


class Cut(NamedTuple):
    """A chunk, the place before it and the place behind it."""

    at: Place
    chunk: Chunk
    after: Place


def cut(records: Iterable[Record], size: int) -> Iterator[Cut]:
    """Cut ``records`` into chunks of ``size`` records, fewer when `SIDE_CAP` or `RECORDS_CAP` is reached."""
    size = min(size, RECORDS_CAP)
    at = Place()
    held: list[Record] = []
    weight = 0
    for record in records:
        held.append(record)
        weight += _weight(record)
        if len(held) == size or weight >= SIDE_CAP:
            yield (made := _make(at, held))
            at, held, weight = made.after, [], 0
    if held:
        yield _make(at, held)


def _weight(record: Record) -> int:
    fault = len(record.fault.text) if record.fault else 0
    return len(record.id) + sum(map(len, record.extras)) + fault


def _make(at: Place, records: list[Record]) -> Cut:
    chunk = Chunk.of(at.record + 1, records)
    return Cut(at, chunk, Place(at.chunk + 1, at.record + len(records), chunk.chained(at.chain)))
