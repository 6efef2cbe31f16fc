"""Rows of fields, as CSV writes them (RFC 4180), read so that one broken row cannot swallow the rows behind it."""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from gridmill.formats.text import Text

QUOTE = '"'
UNCLOSED = "a quoted field is not closed, or goes on behind its closing quote"
WRONG_WIDTH = "the number of fields is"  # what is said of a row that has more or fewer than the header
# Lines that a row with line ends inside its quotes may have, and characters; more is taken for a quote never closed.
ROW_LINES = 100
_ROW_SIGNS = 1 << 23
_SPECIAL = re.compile(r'[",\r\n]').search


class Fields(NamedTuple):
    """A row: the line where it begins (from 1), its raw text, and its fields; None where the quotes are broken."""

    line: int
    raw: str
    fields: list[str] | None


def quote(field: str) -> str:
    """``field`` as it stands in a row with commas: in quotes where it has a comma, a quote or a line end."""
    return f"{QUOTE}{field.replace(QUOTE, QUOTE + QUOTE)}{QUOTE}" if _SPECIAL(field) else field


def split_rows(lines: Iterable[str], delimiter: str, width: int) -> Iterator[Fields]:
    """The rows of ``lines`` (without line ends); ``width`` is the number of fields that a row should have."""
    text = Text.of(lines)
    return (read_row(line, text, delimiter, width) for line in text)


def read_row(line: str, text: Text, delimiter: str, width: int) -> Fields:
    """The row that begins with ``line``, which has just been taken from ``text``.

    A row that goes on over several lines is believed only when its quotes close and it has ``width`` fields. Else its
    first line alone is a broken row, and the next line is read afresh.
    """
    number = text.number
    if QUOTE not in line:
        return Fields(number, line, line.split(delimiter))
    taken = [line]
    fields = _quoted(_taking(taken, text), delimiter)
    if len(taken) > 1 and (fields is None or len(fields) != width):
        text.push_back(taken[1:])
        taken, fields = [line], None
    return Fields(number, "\n".join(taken), fields)


def split_row(row: str) -> list[str]:
    """The fields of a whole ``row`` with commas, line ends and all. Raises ValueError where its quotes are broken."""
    fields = _quoted(iter(row.removesuffix("\n").split("\n")), ",")
    if fields is None:
        raise ValueError(UNCLOSED)
    return fields


def _taking(taken: list[str], text: Text) -> Iterator[str]:
    """The line already in ``taken``, then as many more as are asked for, noted in ``taken``."""
    yield taken[0]
    size = len(taken[0])
    while len(taken) < ROW_LINES and size < _ROW_SIGNS and (line := next(text, None)) is not None:
        taken.append(line)
        size += len(line)
        yield line


def _quoted(lines: Iterator[str], delimiter: str) -> list[str] | None:
    """The fields of the row that begins with the first of ``lines``; None where its quotes are broken.

    As `csv.reader` has them when it is strict, but for that one's limit to a field, which a process has only one of.
    """
    line, at = next(lines), 0
    fields: list[str] = []
    while True:
        if line.startswith(QUOTE, at):
            closed = _closed(line, at + 1, lines)
            if closed is None:
                return None
            field, line, end = closed
        else:
            end = line.find(delimiter, at)
            end = len(line) if end < 0 else end
            field = line[at:end]
        fields.append(field)
        if end == len(line):
            return fields
        if line[end] != delimiter:
            return None
        at = end + 1


def _closed(line: str, at: int, more: Iterator[str]) -> tuple[str, str, int] | None:
    """The field whose quote opens before ``at``, the line in which it closes, and where; None: it never does."""
    parts: list[str] = []
    while True:
        end = line.find(QUOTE, at)
        if end < 0:
            parts += line[at:], "\n"
            following = next(more, None)
            if following is None:
                return None
            line, at = following, 0
            continue
        parts.append(line[at:end])
        at = end + 1
        if not line.startswith(QUOTE, at):
            return "".join(parts), line, at
        parts.append(QUOTE)
        at += 1
