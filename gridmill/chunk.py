"""A chunk: a run of consecutive input records, as the producer stores it.

``boards`` has one 41-byte slot a record (`gridmill.board`), `HOLE` for a record that is not a board; so a piece
``n:lo:hi`` is the byte range ``41*lo`` to ``41*hi``. ``side`` is what only the collector needs, as MessagePack.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Self

import msgspec

from gridmill.batch import Batch
from gridmill.board import PACKED
from gridmill.column import Column
from gridmill.digest import digest
from gridmill.errors import WireError
from gridmill.record import Fault, Record

__all__ = ["CHAIN_START", "Chunk", "Fault", "Record", "Side"]

CHAIN_START = b"\0" * 16  # h(-1) of the chain hash


class Side(msgspec.Struct, array_like=True, frozen=True):
    """What the collector needs to write a chunk's rows: where its records stood, and what came with them.

    ``first`` is the number of its first record in the input, from 1; the rest is as in `gridmill.batch.Batch`.
    """

    first: int
    lines: list[tuple[int, int]]
    ids: Column
    extras: list[Column]
    faults: dict[int, Fault]


_side_encoder = msgspec.msgpack.Encoder()
_side_decoder = msgspec.msgpack.Decoder(Side)


@dataclass(frozen=True)
class Chunk:
    """Consecutive records, packed. ``side`` stays encoded until somebody asks `records`."""

    boards: bytes
    side: bytes

    def __len__(self) -> int:
        return len(self.boards) // PACKED

    @classmethod
    def of(cls, first: int, records: Sequence[Record]) -> Self:
        """Pack ``records``, the first of which is number ``first`` of the input (from 1)."""
        return cls.joined(first, [Batch.of(records)])

    @classmethod
    def joined(cls, first: int, batches: Sequence[Batch]) -> Self:
        """The chunk of all records of ``batches``: the same bytes, however they are divided among these."""
        whole = Batch.join(batches)
        side = Side(first, whole.lines, whole.ids, list(whole.extras), dict(whole.faults))
        return cls(whole.boards, _side_encoder.encode(side))

    def chained(self, previous: bytes) -> bytes:
        """h(n) of the chain hash from h(n-1): 16 bytes that prove that the same chunks came in the same order."""
        return digest(previous, self.mark, self.side)

    @cached_property
    def mark(self) -> bytes:
        """The digest of its boards, by which a worker says what it has solved: 16 bytes."""
        return digest(self.boards)

    def read_side(self) -> Side:
        """Decode the side data. Raises WireError."""
        try:
            return _side_decoder.decode(self.side)
        except (msgspec.MsgspecError, RecursionError) as error:
            raise WireError(f"side data of a chunk cannot be read: {error}") from error

    @property
    def has_work(self) -> bool:
        """Whether any record is a board."""
        return any(self.boards[at] != 0xFF for at in range(0, len(self.boards), PACKED))
