"""Which of many boards have been seen before, and in which record first."""

import struct

from gridmill import kernel
from gridmill.board import HOLE, slots
from gridmill.digest import BYTES, digest

_NONE = bytes(BYTES)  # stands for a hole, which is the same as nothing


class Seen:
    """Keeps a 16-byte digest of each different board: 36 to 72 bytes with the kernel, four times as much without."""

    def __init__(self) -> None:
        self._table = kernel.extension.Seen() if kernel.native else None
        self._first: dict[bytes, int] = {}

    def note(self, boards: bytes, first: int) -> tuple[int, ...]:
        """The record in which each of these packed boards stood first, 0 for a hole; theirs count from ``first``."""
        digests = [_NONE if slot == HOLE else digest(slot) for slot in slots(boards)]
        if self._table is not None:
            return struct.unpack(f"<{len(digests)}Q", self._table.note(b"".join(digests), first))
        numbered = enumerate(digests, first)
        return tuple(0 if mark == _NONE else self._first.setdefault(mark, number) for number, mark in numbered)
