"""Rows of fields, as CSV writes them (RFC 4180), read so that one broken row cannot swallow the rows behind it."""

import csv
import re
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import NamedTuple

from gridmill.formats.text import Text

QUOTE = '"'
WRONG_WIDTH = "the number of fields is"  # what is said of a row that has more or fewer than the header
ROW_LINES = 100  # lines that a row with line ends inside its quotes may have; more is taken for a quote never closed
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


def _taking(taken: list[str], text: Text) -> Iterator[str]:
    """The line already in ``taken``, then as many more as are asked for, noted in ``taken``."""
    yield taken[0] + "\n"
    for line in islice(text, ROW_LINES - 1):
        taken.append(line)
        yield line + "\n"


def _quoted(lines: Iterator[str], delimiter: str) -> list[str] | None:
    try:
        return next(csv.reader(lines, delimiter=delimiter, strict=True))
    except (csv.Error, StopIteration):
        return None
