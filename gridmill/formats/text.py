"""The lines of an input: one at a time as text, or, where there is a kernel, many at once, packed."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple, Self

from gridmill import kernel
from gridmill.batch import NO_TEXT, Batch
from gridmill.column import Column

# Characters of a line that are read, the rest is dropped unseen: far more than any puzzle with its columns needs. It
# bounds the memory of a file without a single line end.
LINE_LIMIT = 1 << 16
# The same of a row that we have written: 820,000 with all solutions that can be listed of a puzzle, and beside them
# what its input carried.
ROW_LIMIT = 1 << 22
_BYTES = 4  # of a character, whichever it is
_STRIDE_LIMIT = _BYTES * LINE_LIMIT  # bytes that are taken apart at once
_STRIDE = 256  # bytes that are taken apart without asking the kernel, after a line that it did not want; then doubled
_WORTH = 16  # records in a batch that are worth asking again at once: a batch costs as much as a few single records


def is_cut(line: str, limit: int = LINE_LIMIT) -> bool:
    """Whether ``line`` (from a `Text` with this limit) is only the beginning of a line that was too long."""
    return len(line) >= limit


class Packed(NamedTuple):
    """Records that were packed from a block up to its byte ``end``; each is one line."""

    end: int
    boards: bytes
    ids: Column = NO_TEXT
    extras: Sequence[Column] = ()


Pack = Callable[[bytes, int], Packed]  # packs what follows a place in a block, up to the first line that is not plain


class Text(Iterator[str]):
    """The lines of ``blocks``, without their ends (``\\n``, ``\\r\\n`` or ``\\r``).

    Bytes that are not UTF-8 come as surrogates (``surrogateescape``). A line of ``limit`` characters is the
    beginning of one at least as long, see `is_cut`; who finds out what the text is may set another limit for the lines
    that have not been taken. ``number`` counts those that have been.
    """

    def __init__(self, blocks: Iterator[bytes], limit: int = LINE_LIMIT) -> None:
        self.limit = limit
        self._blocks = blocks
        self._block = b""
        self._at = 0  # before it, all of the block has been taken
        self._batch_at = 0  # where the last batch begins
        self._is_last = False
        self._waiting: list[str] = []  # lines that come before the rest of the block, the next one last
        self._stride = 0  # bytes to take apart at a time; 0: one line
        self.number = 0

    @classmethod
    def of(cls, lines: Iterable[str]) -> Self:
        """``lines`` itself, or a text of lines that are at hand."""
        if isinstance(lines, cls):
            return lines
        text = cls(iter(()))
        text._waiting = list(lines)[::-1]
        return text

    def __next__(self) -> str:
        while not self._waiting:
            self._take_apart()
        self.number += 1
        return self._waiting.pop()

    def push_back(self, lines: Sequence[str]) -> None:
        """Take back ``lines``, the last ones that were taken."""
        self._waiting.extend(reversed(lines))
        self.number -= len(lines)

    def raw(self) -> bytes:
        """The bytes of the batch that `items` has just given."""
        return self._block[self._batch_at : self._at]

    def items(self, pack: Pack) -> Iterator[str | Batch]:
        """What follows: what ``pack`` takes, in batches; every other line, by itself. Lines may be taken meanwhile."""
        if not kernel.native:
            yield from self
            return
        self._stride = 0
        while True:
            batch = None if self._waiting else self._pack(pack)
            if batch:
                yield batch
            elif (line := next(self, None)) is not None:
                yield line
            else:
                return

    def _pack(self, pack: Pack) -> Batch | None:
        while True:
            packed = pack(self._block, self._at)
            self._batch_at, self._at = self._at, packed.end
            if packed.boards:
                batch = Batch(packed.boards, [(0, self.number + 1)], packed.ids, packed.extras)
                self.number += len(batch)
                if len(batch) >= _WORTH:
                    self._stride = 0
                return batch
            if self._line_end() or not self._fill():
                return None

    def _take_apart(self) -> None:
        """Make lines wait: those within the stride, or one. Raises StopIteration behind the last line."""
        while not (end := self._line_end()) and self._fill():
            pass
        end = end or len(self._block)
        text = self._block[self._at : end].decode("utf-8", "surrogateescape")
        if not text:
            raise StopIteration
        self._at = end
        self._stride = min(max(2 * self._stride, _STRIDE), _STRIDE_LIMIT)
        if "\r" in text:
            text = text.replace("\r\n", "\n").replace("\r", "\n")
        lines = text.removesuffix("\n").split("\n")
        if len(text) > self.limit:
            lines = [line[: self.limit] for line in lines]
        lines.reverse()
        self._waiting = lines

    def _line_end(self) -> int:
        """Behind the last whole line within the stride, or behind the first one; 0 when no line of the block is."""
        block, at = self._block, self._at
        stop = len(block)
        if block.endswith(b"\r") and not self._is_last:
            stop -= 1  # its \n may come with the next block
        far = min(at + self._stride, stop)
        end = max(block.rfind(b"\n", at, far), block.rfind(b"\r", at, far))
        if end < 0:
            feed = block.find(b"\n", at, stop)
            end = block.find(b"\r", at, feed if feed >= 0 else stop)
            end = feed if end < 0 else end
        if end < 0:
            return 0
        return end + 2 if block.startswith(b"\r\n", end) else end + 1

    def _fill(self) -> bool:
        """Get the next block, behind what is left of this one, which is less than a line; whether there was one."""
        block = next(self._blocks, None)
        if block is None:
            was_last, self._is_last = self._is_last, True
            return not was_last and self._block.endswith(b"\r")  # which now ends a line
        rest = self._block[self._at :]
        if len(rest) > _BYTES * self.limit:
            rest = rest[: _BYTES * self.limit] + (b"\r" if rest.endswith(b"\r") else b"")
        self._block, self._at = rest + block, 0
        return True
