"""One text a record, for many records, without an object for each."""

import struct
from collections.abc import Iterable, Sequence
from itertools import accumulate, pairwise
from typing import NamedTuple, Self

SIZE = 4  # bytes of a text's size


class Column(NamedTuple):
    """``text``: all texts end to end, as UTF-8; ``sizes``: the bytes of each, u32, little-endian.

    Without ``sizes`` every text is empty, however many there are.
    """

    text: bytes = b""
    sizes: bytes = b""

    @classmethod
    def of(cls, texts: Sequence[str]) -> Self:
        """The column of these texts."""
        encoded = [text.encode() for text in texts]
        return cls(b"".join(encoded), struct.pack(f"<{len(encoded)}I", *map(len, encoded)))

    @classmethod
    def of_bytes(cls, blobs: Sequence[bytes]) -> Self:
        """The column of what is bytes already; without sizes when all are empty."""
        text = b"".join(blobs)
        return cls(text, struct.pack(f"<{len(blobs)}I", *map(len, blobs))) if text else cls()

    @classmethod
    def same(cls, text: str, count: int) -> Self:
        """The column that has ``text`` ``count`` times."""
        encoded = text.encode()
        return cls(encoded * count, struct.pack("<I", len(encoded)) * count)

    @classmethod
    def join(cls, parts: Iterable[tuple[int, "Column"]]) -> Self:
        """Columns with their numbers of texts, one behind the other. A column without any text has no sizes."""
        parts = list(parts)
        text = b"".join(column.text for _, column in parts)
        if not text:
            return cls()
        return cls(text, b"".join(column.sizes or bytes(SIZE * count) for count, column in parts))

    def lengths(self, count: int) -> tuple[int, ...]:
        """The bytes of each of ``count`` texts."""
        return struct.unpack(f"<{count}I", self.sizes) if self.sizes else (0,) * count

    def texts(self, count: int) -> list[str]:
        """The ``count`` texts. Raises ValueError when there are not as many, or they are not UTF-8."""
        if not self.sizes and not self.text:
            return [""] * count
        if len(self.sizes) != SIZE * count:
            raise ValueError(f"a column of {count} texts has {len(self.sizes)} bytes of sizes")
        ends = accumulate(self.lengths(count), initial=0)
        if self.text.isascii():  # then bytes are characters, and there is one to decode instead of many
            whole = self.text.decode()
            texts = [whole[begin:end] for begin, end in pairwise(ends)]
        else:
            texts = [self.text[begin:end].decode() for begin, end in pairwise(ends)]
        if sum(self.lengths(count)) != len(self.text):
            raise ValueError("the texts of a column are not as long as their sizes say")
        return texts

    def blobs(self, count: int) -> list[bytes]:
        """The bytes of each of ``count`` texts."""
        ends = accumulate(self.lengths(count), initial=0)
        return [self.text[begin:end] for begin, end in pairwise(ends)]

    def part(self, lo: int, hi: int) -> Self:
        """The texts ``lo`` to ``hi`` (exclusive)."""
        if not self.sizes:
            return self
        begin = sum(struct.unpack_from(f"<{lo}I", self.sizes))
        size = sum(struct.unpack_from(f"<{hi - lo}I", self.sizes, SIZE * lo))
        return type(self)(self.text[begin : begin + size], self.sizes[SIZE * lo : SIZE * hi])
