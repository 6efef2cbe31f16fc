"""One input, opened: a path or ``-``, plain or packed, as lines of text. Memory stays flat, whatever its size."""

import codecs
import errno
import io
import os
import stat
import sys
from collections.abc import Generator, Iterator
from contextlib import AbstractContextManager, nullcontext
from typing import cast

from gridmill.board import BLANKS, CELLS
from gridmill.errors import FormatError
from gridmill.formats.escape import printable
from gridmill.formats.text import LINE_LIMIT, Text
from gridmill.formats.unpack import BLOCK, unpacked

STDIN = "-"
_CELL_SIGNS = frozenset("123456789" + BLANKS)
PATH_LIMIT = 4096  # characters of a path that are shown: longer than any that can be opened

_BOMS = {  # the longer ones first: UTF-32's little-endian mark begins with UTF-16's
    codecs.BOM_UTF32_LE: "UTF-32",
    codecs.BOM_UTF32_BE: "UTF-32",
    codecs.BOM_UTF16_LE: "UTF-16",
    codecs.BOM_UTF16_BE: "UTF-16",
}


class Source:
    """A file or standard input (``-``). ``position`` counts the bytes read so far, packed as they lie on the disk."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.name = "standard input" if path == STDIN else printable(path, PATH_LIMIT)
        self.position = 0

    @property
    def size(self) -> int | None:
        """Bytes of the file on the disk, None when it is no regular file."""
        status = self._stat()
        return status.st_size if status and stat.S_ISREG(status.st_mode) else None

    @property
    def is_repeatable(self) -> bool:
        """Whether it can be read again from the start: not standard input, a pipe or a device."""
        status = self._stat()
        return self.path != STDIN and (status is None or stat.S_ISREG(status.st_mode))

    def lines(self, limit: int = LINE_LIMIT) -> Text:
        """Every line, from the start, cut where it has ``limit`` characters.

        Reading them raises FormatError when the file cannot be opened, read or unpacked, or is UTF-16 or UTF-32.
        """
        return Text(self.content(), limit)

    def content(self) -> Generator[bytes, None, None]:
        """The unpacked bytes, from the start, without UTF-8's mark. Raises FormatError, see `lines`."""
        self.position = 0
        blocks = unpacked(self._blocks(), self.name)
        first = b""
        while len(first) < 4 and (more := next(blocks, b"")):
            first += more
        for bom, encoding in _BOMS.items():
            if first.startswith(bom):
                raise FormatError(f"{self.name} is {encoding} text; save it as UTF-8 (iconv -f {encoding} -t UTF-8)")
        yield first.removeprefix(codecs.BOM_UTF8)
        yield from blocks

    def _blocks(self) -> Iterator[bytes]:
        try:
            with self._open() as stream:
                while block := stream.read1(BLOCK):
                    self.position += len(block)
                    yield block
        except (OSError, ValueError) as error:  # ValueError: a NUL in the path, or a closed stream
            reason = _reason(error)
            remedy = "; a puzzle itself is read from standard input (-)" if _is_board(self.path) else ""
            raise FormatError(f"{self.name} cannot be read: {reason[:1].lower()}{reason[1:]}{remedy}") from error

    def _open(self) -> AbstractContextManager[io.BufferedReader]:
        if self.path != STDIN:
            return open(self.path, "rb")
        if sys.stdin is None:  # closed by whoever started this process
            raise OSError(errno.EBADF, os.strerror(errno.EBADF))
        return nullcontext(cast(io.BufferedReader, sys.stdin.buffer))

    def _stat(self) -> os.stat_result | None:
        try:
            return None if self.path == STDIN else os.stat(self.path)
        except (OSError, ValueError):
            return None  # opening it will say what is wrong


def _reason(error: OSError | ValueError) -> str:
    if isinstance(error, OSError) and error.errno == errno.EBADF:  # of standard input: all else is opened here
        return "it is closed; name a file instead of -"
    return error.strerror if isinstance(error, OSError) and error.strerror else str(error)


def _is_board(path: str) -> bool:
    """Whether somebody gave a puzzle where the name of a file belongs."""
    return len(path) == CELLS and set(path) <= _CELL_SIGNS
