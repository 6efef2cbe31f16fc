"""What a worker says of one record in reply to `gridmill.questions`, beside its claim.

Layout, little-endian, each part only where it is asked. Of a record that is `multiple`:

    u32       how many solutions there are; with the highest bit: at least so many, and perhaps more
    41 each   the listed ones, in lexicographic order

Of a record that is `unique`, where it is asked which givens can be spared: 11 bytes, of which bit c, counted from the
lowest of the first, is set when the given in cell c can be. Of all others there is nothing to say: the status has it.
"""

import struct
from collections.abc import Iterable
from typing import NamedTuple, Self

from gridmill.board import CELLS, PACKED
from gridmill.column import SIZE
from gridmill.errors import WireError
from gridmill.questions import Questions

_COUNT = struct.Struct("<I")
_AT_LEAST = 1 << 31


class Counted(NamedTuple):
    """The finding of a record that is `multiple`: ``number`` solutions, or, with ``is_open``, so many and perhaps more.

    ``listed``: solutions, packed end to end.
    """

    number: int
    is_open: bool
    listed: bytes = b""

    def encode(self) -> bytes:
        """The bytes that travel."""
        return _COUNT.pack(self.number | _AT_LEAST * self.is_open) + self.listed

    @classmethod
    def decode(cls, data: bytes, asked: Questions) -> Self:
        """Read what `encode` wrote. Raises WireError when it is not what was asked, by its form or its number."""
        if len(data) < _COUNT.size:
            raise WireError("a finding has no count")
        (said,) = _COUNT.unpack_from(data)
        counted = cls(said & ~_AT_LEAST, said >= _AT_LEAST, data[_COUNT.size :])
        if not 2 <= counted.number <= asked.count + counted.is_open:
            raise WireError(f"a finding counts {counted.shown} solutions, and 2 to {asked.count} can be counted")
        if len(counted.listed) != PACKED * min(counted.number, asked.listed):
            raise WireError("a finding lists more or fewer solutions than it counts")
        return counted

    @property
    def shown(self) -> str:
        """The count for people: exact, or ``>N`` for more than N."""
        return f">{self.number - 1}" if self.is_open else str(self.number)


SPARED = -(-CELLS // 8)  # bytes, a bit a cell
_NONE_SPARED = bytes(SPARED)


def spared(cells: Iterable[int]) -> bytes:
    """The finding of a record that is `unique`, of whose givens those in ``cells`` can be spared, one at a time."""
    return sum(1 << cell for cell in cells).to_bytes(SPARED, "little")


def read_spared(data: bytes, board: bytes) -> list[int]:
    """The cells of what `spared` wrote about a packed board. Raises WireError when they cannot be."""
    if data == _NONE_SPARED:  # of most puzzles
        return []
    digits, bits, cells = board.hex(), int.from_bytes(data, "little"), list[int]()
    while bits:
        cells.append((bits & -bits).bit_length() - 1)
        bits &= bits - 1
    if len(data) != SPARED or not all(cell < CELLS and digits[cell] != "0" for cell in cells):
        raise WireError("a finding spares what is no given")
    return cells


def room(asked: Questions) -> int:
    """The most bytes that a reply can have for a record beyond what it has when nothing is asked."""
    return SIZE + max(_COUNT.size + PACKED * asked.listed, SPARED) if asked.of_workers else 0


def share(asked: Questions) -> float:
    """The part of the bytes in flight that is left to boards and answers; of the rest the server knows nothing."""
    usual = 3 * PACKED  # a board, and room for two solutions
    return usual / (usual + room(asked))
