"""How much a packed file may grow: a small file must not keep a machine busy for days, or fill it.

Unpacking is streamed, so memory is safe anyway. Puzzles shrink to a third or a sixth when they are packed, and even a
hundred thousand copies of one puzzle stay within `FREE`.
"""

from collections.abc import Iterator

from gridmill.errors import FormatError

FREE = 1 << 26  # bytes, 64 MiB: so much may come out of any file, for it is read in about a second
RATIO = 200  # times the packed size, beyond `FREE`: 30 times what a list of different puzzles reaches
MOST = 1 << 40  # bytes, 1 TiB: 13 thousand million puzzles


class Balance:
    """Bytes in and bytes out of one packed file. ``packed``: bytes that are known to lie there before it is read."""

    def __init__(self, name: str, packed: int = 0) -> None:
        self._name = name
        self._packed = packed
        self._content = 0

    def weighed(self, blocks: Iterator[bytes]) -> Iterator[bytes]:
        """The packed ``blocks``, counted."""
        for block in blocks:
            self._packed += len(block)
            yield block

    def checked(self, content: Iterator[bytes]) -> Iterator[bytes]:
        """The unpacked ``content``. Raises FormatError when there is too much of it."""
        for piece in content:
            self.weigh(len(piece))
            yield piece

    def weigh(self, size: int) -> None:
        """Count ``size`` bytes of content. Raises FormatError when there is too much of it."""
        self._content += size
        if self._content > min(MOST, max(FREE, RATIO * self._packed)):
            raise FormatError(
                f"{self._name} grows more than {RATIO} times when it is unpacked, as no list of puzzles does; "
                "unpack it yourself if you trust it"
            )
