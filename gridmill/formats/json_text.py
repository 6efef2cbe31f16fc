"""JSON cut into its values without holding it all: a cursor over text that comes in pieces; and a value's shape."""

import json
import re
from collections.abc import Iterator
from typing import Any

from gridmill.errors import FormatError
from gridmill.formats.text import LINE_LIMIT

VALUE_LIMIT = LINE_LIMIT  # characters of one value: the same as of a line
_COMPACT = 1 << 18  # characters behind the cursor that are kept before they are let go: copying the rest gets rare

_SPACE = re.compile(r"[ \t\n\r]*").match
_decode = json.JSONDecoder(parse_int=str, parse_float=str, parse_constant=str).raw_decode
_decode_shape = json.JSONDecoder(parse_int=float).decode  # Python makes no int of more than 4,300 digits


def shape_of(text: str) -> Any:
    """What a JSON text stands for, with any number as a float, so that none is too long. None when it is broken."""
    try:
        return _decode_shape(text)
    except (ValueError, RecursionError):
        return None


class Cursor:
    """A place in the text of ``pieces``. ``line`` counts from 1. ``name`` is the file's, for errors."""

    def __init__(self, pieces: Iterator[str], name: str) -> None:
        self._pieces = pieces
        self._name = name
        self._text = ""
        self._at = 0
        self.line = 1

    def peek(self) -> str:
        """The next character that is no white space; empty at the end."""
        while True:
            space = _SPACE(self._text, self._at)
            self._pass(space.end() if space else self._at)
            if self._at < len(self._text) or not self._more():
                return self._text[self._at : self._at + 1]

    def take(self, *signs: str) -> str:
        """Go behind the next character, which must be one of ``signs``. Raises FormatError."""
        sign = self.peek()
        if sign not in signs:
            raise self.broken(f"here belongs {' or '.join(signs)}, not {sign!a}" if sign else "it ends too early")
        self._pass(self._at + 1)
        return sign

    def value(self) -> str:
        """The text of the next value, and go behind it. Raises FormatError when there is none, or it is too long."""
        self.peek()
        while True:
            try:
                _, end = _decode(self._text, self._at)
            except RecursionError as error:
                raise self.broken("it is nested too deeply") from error
            except ValueError as error:
                if self._held() > VALUE_LIMIT:
                    raise self.broken(f"a value is broken, or has more than {VALUE_LIMIT:,} characters") from error
                if not self._more():
                    raise self.broken(f"a value is broken or not closed ({error})") from error
                continue
            if self._text[end : end + 2].strip(".eE+-") or not self._more():  # a number may go on in the next piece
                break
        text = self._text[self._at : end]
        self._pass(end)
        return text

    def broken(self, reason: str) -> FormatError:
        """An error at this place."""
        return FormatError(f"{self._name} is broken JSON, line {self.line}: {reason}; what is behind cannot be read")

    def _held(self) -> int:
        return len(self._text) - self._at

    def _pass(self, end: int) -> None:
        self.line += self._text.count("\n", self._at, end)
        self._at = end
        if end > _COMPACT:
            self._text, self._at = self._text[end:], 0

    def _more(self) -> bool:
        """Take another piece; whether there was one. A piece without text is none."""
        piece = next((piece for piece in self._pieces if piece), None)
        self._text += piece or ""
        return piece is not None
