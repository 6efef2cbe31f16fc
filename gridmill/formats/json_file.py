"""JSON: an array of puzzles, an object with such an array among its fields, or a single puzzle.

The array is never held: its puzzles are taken one after the other. What a puzzle may be is in
`gridmill.formats.json_board`; columns are the fields of the objects among the first puzzles.
"""

import codecs
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import islice

from gridmill.chunk import Record
from gridmill.errors import FormatError
from gridmill.formats import jsonl
from gridmill.formats.header import PUZZLE_NAMES, SOLUTION_NAMES
from gridmill.formats.json_board import Boards, is_puzzle, settled
from gridmill.formats.json_text import Cursor, shape_of
from gridmill.formats.reader import ContentReader, Found, Tally
from gridmill.formats.source import Source

_SAMPLES = 100  # puzzles that are looked at to learn the columns
_START = re.compile(r"\s*[\[{]").match
_SURE = re.compile(r'\s*(?:\[\s*["{\[\]]|\{\s*["}])').match  # the beginning of nothing but JSON


class Json(ContentReader):
    """The reader. ``key``: of the field with the array, empty for none; ``is_one``: the whole file is one puzzle."""

    def __init__(self, boards: Boards, key: str, *, is_one: bool) -> None:
        self._boards, self._key, self._is_one = boards, key, is_one
        self.columns = boards.columns

    def read(self, source: Source, content: Iterator[bytes], tally: Tally) -> Iterator[Record]:
        """One record a puzzle, at the line where its value begins."""
        self._boards.cells = self.cells
        decoder = codecs.getincrementaldecoder("utf-8")("surrogateescape")
        cursor = Cursor((decoder.decode(block) for block in content), source.name)
        values = _value(cursor) if self._is_one else _inside(cursor, self._key) if self._key else _array(cursor)
        for line, text in values:
            yield self._boards.record(line, text)
        if sign := cursor.peek():
            raise cursor.broken(f"{sign!a} follows behind the end")


def _value(cursor: Cursor) -> Iterator[tuple[int, str]]:
    cursor.peek()
    line = cursor.line
    yield line, cursor.value()


def _array(cursor: Cursor) -> Iterator[tuple[int, str]]:
    """The line and text of each element."""
    cursor.take("[")
    if cursor.peek() == "]":
        cursor.take("]")
        return
    while True:
        yield from _value(cursor)
        if cursor.take(",", "]") == "]":
            return


def _inside(cursor: Cursor, wanted: str) -> Iterator[tuple[int, str]]:
    """The elements of the array in the field ``wanted``. A second array of puzzles is one too many."""
    for key in _keys(cursor):
        if key == wanted:
            yield from _array(cursor)
        elif cursor.peek() != "[":
            cursor.value()
        elif any(is_puzzle(shape_of(text)) for _, text in _array(cursor)):
            raise _twice(cursor, wanted, key)


def _twice(cursor: Cursor, one: str, other: str) -> FormatError:
    return cursor.broken(f"there are puzzles in {one!a} and in {other!a}; give one array of puzzles")


def _keys(cursor: Cursor) -> Iterator[str]:
    """The keys of an object; before the next is asked for, the value must have been taken."""
    cursor.take("{")
    if cursor.peek() == "}":
        cursor.take("}")
        return
    while True:
        text = cursor.value()
        cursor.take(":")
        yield str(shape_of(text))
        if cursor.take(",", "}") == "}":
            return


def recognise(head: Sequence[str], name: str, column: str | None) -> Found | None:
    """Seen at the first line that is not blank, if that is how JSON begins.

    Raises FormatError for broken JSON, and for what other programs keep as JSON.
    """
    text = "\n".join(head)
    at = next((at for at, line in enumerate(head) if line.strip()), 0)
    if not _START(text) or jsonl.recognise(head, name, column):
        return None
    try:
        key, is_one = _layout(text, name)
    except FormatError:
        if _SURE(text):
            raise
        return None
    samples = [text] if is_one else _samples(text, name, key)
    boards = settled(samples, column, name)
    what = "one puzzle" if is_one else f"an array of puzzles in the field {key!a}" if key else "an array of puzzles"
    return Found(at, "json", f"it is JSON, {what}", Json(boards, key, is_one=is_one))


def _layout(text: str, name: str) -> tuple[str, bool]:
    """The key of the field with the puzzles, empty where there is none, and whether the whole is one puzzle."""
    cursor = Cursor(iter((text,)), name)
    if cursor.peek() == "[":
        first = next(_array(cursor), None)
        if first is not None and cursor.peek() not in ",]":
            cursor.take(",", "]")
        return "", first is not None and not _is_element(shape_of(first[1]))
    next(_keys(Cursor(iter((text,)), name)), None)
    _refuse_foreign(text, name)
    holders = _holders(cursor)
    if len(holders) > 1:
        raise _twice(cursor, *list(holders)[:2])
    key, is_array = next(iter(holders.items()), ("", False))
    return (key, False) if is_array else ("", True)


def _holders(cursor: Cursor) -> dict[str, bool]:
    """The fields of an object that hold puzzles, and whether in an array; solutions beside a puzzle are none."""
    holders: dict[str, bool] = {}
    with suppress(FormatError):  # of what the head holds only in part
        for key in _keys(cursor):
            is_list, values = cursor.peek() == "[", list[object]()
            for _, text in _array(cursor) if is_list else _value(cursor):
                values.append(shape_of(text))
                if is_list and is_puzzle(values[0]):
                    holders[key] = True
            if key not in holders and key.lower() in PUZZLE_NAMES and is_puzzle(values if is_list else values[0]):
                holders[key] = False
    if False in holders.values():
        return {key: is_array for key, is_array in holders.items() if key.lower() not in SOLUTION_NAMES}
    return holders


def _is_element(value: object) -> bool:
    """Whether the first element of an array is a puzzle, or was meant to be one; else the array itself is one."""
    return is_puzzle(value) or isinstance(value, dict) or (isinstance(value, str) and len(value) not in (0, 1, 9))


def _samples(text: str, name: str, key: str) -> list[str]:
    cursor = Cursor(iter((text,)), name)
    samples: list[str] = []
    with suppress(FormatError):  # the last one may be cut
        samples.extend(value for _, value in islice(_inside(cursor, key) if key else _array(cursor), _SAMPLES))
    return samples


def _refuse_foreign(text: str, name: str) -> None:
    value = shape_of(text)
    if not isinstance(value, dict):
        return
    grid = value.get("grid")
    row = grid[0] if isinstance(grid, list) and grid else None
    if isinstance(row, list) and any(isinstance(cell, dict) for cell in row):
        raise FormatError(f"{name} is a puzzle of f-puzzles; export it as 81 characters")
    if isinstance(value.get("cells"), list):
        raise FormatError(f"{name} is a puzzle of SudokuPad; export it as 81 characters")
