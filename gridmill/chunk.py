"""A chunk: a run of consecutive input records, as the producer stores it.

``boards`` has one 41-byte slot a record (`gridmill.board`), `HOLE` for a record that is not a board; so a piece
``n:lo:hi`` is the byte range ``41*lo`` to ``41*hi``. ``side`` is what only the collector needs, as MessagePack.
"""

import hashlib
from dataclasses import dataclass
from typing import NamedTuple, Self

import msgspec

from gridmill.board import HOLE, PACKED, pack
from gridmill.errors import WireError

CHAIN_START = b"\0" * 16  # h(-1) of the chain hash


class Fault(NamedTuple):
    """Why a record is not a puzzle. ``column`` counts from 1, 0 is the whole record; ``text`` is what stood there."""

    column: int
    reason: str
    text: str


class Record(NamedTuple):
    """One thing in the input that claims to be a puzzle: either ``board`` (81 characters, ``.``) or ``fault`` is set.

    ``line`` is where it begins, from 1. ``extras`` are the input's own columns, one a name in the input's ``columns``.
    """

    line: int
    board: str | None
    fault: Fault | None = None
    id: str = ""
    extras: tuple[str, ...] = ()


class Side(msgspec.Struct, array_like=True, frozen=True):
    """What the collector needs to write a chunk's rows: where its records stood, and what came with them.

    ``lines`` are runs ``(index, line)``: between two runs the line grows by one a record.
    ``ids`` and ``extras`` are empty when no record of the chunk has any. ``faults`` by index inside the chunk.
    """

    first: int
    lines: list[tuple[int, int]]
    ids: list[str]
    extras: list[tuple[str, ...]]
    faults: dict[int, Fault]


_side_encoder = msgspec.msgpack.Encoder()
_side_decoder = msgspec.msgpack.Decoder(Side)


@dataclass(frozen=True, slots=True)
class Chunk:
    """Consecutive records, packed. ``side`` stays encoded until somebody asks `records`."""

    boards: bytes
    side: bytes

    def __len__(self) -> int:
        return len(self.boards) // PACKED

    @classmethod
    def of(cls, first: int, records: list[Record]) -> Self:
        """Pack ``records``, the first of which is number ``first`` of the input (from 1)."""
        lines: list[tuple[int, int]] = []
        for index, record in enumerate(records):
            if not lines or record.line != lines[-1][1] + index - lines[-1][0]:
                lines.append((index, record.line))
        side = Side(
            first=first,
            lines=lines,
            ids=[record.id for record in records] if any(record.id for record in records) else [],
            extras=[record.extras for record in records] if any(record.extras for record in records) else [],
            faults={index: record.fault for index, record in enumerate(records) if record.fault},
        )
        boards = b"".join(HOLE if record.board is None else pack(record.board) for record in records)
        return cls(boards, _side_encoder.encode(side))

    def chained(self, previous: bytes) -> bytes:
        """h(n) of the chain hash from h(n-1): 16 bytes that prove that the same chunks came in the same order."""
        chain = hashlib.blake2b(previous, digest_size=16)
        chain.update(len(self.boards).to_bytes(8, "little"))
        chain.update(self.boards)
        chain.update(self.side)
        return chain.digest()

    def read_side(self) -> Side:
        """Decode the side data. Raises WireError."""
        try:
            return _side_decoder.decode(self.side)
        except msgspec.MsgspecError as error:
            raise WireError(f"side data of a chunk cannot be read: {error}") from error

    @property
    def has_work(self) -> bool:
        """Whether any record is a board."""
        return any(self.boards[at] != 0xFF for at in range(0, len(self.boards), PACKED))
