"""A sign for a blank that nobody would guess, demanded with ``--blank``.

The sign becomes a point before lines are read, and a point something that is in no file; in everything that is carried
they are changed back. So no reader of lines needs to know about it. Others are given `Blank.cells`.
"""

import codecs
import re
from collections.abc import Iterable, Iterator
from itertools import chain

from gridmill.board import BLANK
from gridmill.chunk import Fault, Record
from gridmill.errors import BoardError, FormatError
from gridmill.formats.cells import DIGITS, read_cells

_STAND_IN = "\u28ff"  # for a point: printable, and a braille sign that no puzzle has a use for
_ESCAPED = ascii(_STAND_IN)[1:-1]  # as faults name it
_QUOTED = re.compile(rf"'({re.escape(_ESCAPED)}|.)'")


class Blank:
    """Raises FormatError for a ``sign`` that is not one character, or is a digit from 1 to 9 or unprintable."""

    def __init__(self, sign: str) -> None:
        if len(sign) != 1 or sign in DIGITS or not sign.isprintable():
            raise FormatError(f"{sign!a} is no sign for a blank; give one character that is no digit from 1 to 9")
        self._there = str.maketrans({sign: BLANK, BLANK: _STAND_IN, _STAND_IN: sign} if sign != BLANK else {})
        self._back = str.maketrans({after: chr(before) for before, after in self._there.items()})

    def content(self, blocks: Iterable[bytes]) -> Iterator[bytes]:
        """The content of a file, so that a reader of lines takes the sign for a blank."""
        decoder = codecs.getincrementaldecoder("utf-8")("surrogateescape")
        texts = chain(map(decoder.decode, blocks), (decoder.decode(b"", final=True) for _ in range(1)))
        return (text.translate(self._there).encode("utf-8", "surrogateescape") for text in texts)

    def record(self, record: Record) -> Record:
        """A record of such lines, with everything but its board as it stood in the file."""
        line, board, fault, number, extras = record
        back = self._back
        if fault is not None:
            fault = Fault(fault.column, self._said(fault.reason), fault.text.translate(back))
        return Record(line, board, fault, number.translate(back), tuple([extra.translate(back) for extra in extras]))

    def cells(self, text: str) -> str:
        """`read_cells` of a text in which the sign is a blank. Raises BoardError."""
        try:
            return read_cells(text.translate(self._there))
        except BoardError as error:
            raise BoardError(self._said(str(error)), column=error.column, found=error.found) from error

    def _said(self, reason: str) -> str:
        """``reason`` with the characters that it names as they stood there."""
        return _QUOTED.sub(lambda match: f"'{match[1].replace(_ESCAPED, _STAND_IN).translate(self._back)}'", reason)
