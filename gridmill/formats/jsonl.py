"""JSON lines: one value a line.

Read      each a puzzle as in `gridmill.formats.json_board`.
Written   one object a record, with the fields of the CSV file; the input's own columns are under ``in``. What else was
          asked (`gridmill.formats.told`) may be a list.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence

import msgspec

from gridmill import kernel
from gridmill.answers import Answer
from gridmill.chunk import Record
from gridmill.column import Column
from gridmill.formats.json_board import Boards, is_puzzle, settled
from gridmill.formats.json_text import shape_of
from gridmill.formats.notes import is_note
from gridmill.formats.press import press
from gridmill.formats.reader import Found, Tally, records_of
from gridmill.formats.row import FIELDS, Row
from gridmill.formats.sheet import Sheet
from gridmill.formats.told import encoded, value

_GOES_ON = ("{", "[", ",", ":")  # ends of a line that is only a part of a value


class Jsonl:
    """The reader."""

    def __init__(self, boards: Boards) -> None:
        self._boards = boards
        self.columns = boards.columns

    @property
    def cells(self) -> Callable[[str], str]:
        """What turns the text of a board into one."""
        return self._boards.cells

    @cells.setter
    def cells(self, cells: Callable[[str], str]) -> None:
        self._boards.cells = cells

    def records(self, lines: Iterable[str], tally: Tally) -> Iterator[Record]:
        """One record a line that is neither blank nor a comment."""
        return records_of(lines, tally, self._boards.record)


def recognise(head: Sequence[str], name: str, column: str | None) -> Found | None:
    """Seen at the first line that is a whole value, if another line follows it, or if it is a text."""
    content = [(at, line.strip()) for at, line in enumerate(head) if not is_note(line)]
    first = content[0][1] if content else ""
    second = content[1][1] if len(content) > 1 else ""
    if not ((second and _is_value(first)) or _is_text(first) or _is_cut_off(first, second)):
        return None
    at = content[0][0]
    boards = settled([line for _, line in content], column, name)
    return Found(at, "jsonl", f"line {at + 1} is a JSON value of its own", Jsonl(boards))


def _is_value(line: str) -> bool:
    return isinstance(shape_of(line), list | dict) or _is_text(line)


def _is_text(line: str) -> bool:
    value = shape_of(line)
    return isinstance(value, str) and is_puzzle(value)


def _is_cut_off(first: str, second: str) -> bool:
    """Whether the first line is a damaged object and the second a whole one: within one object that cannot be."""
    return first.startswith('{"') and second.startswith("{") and not first.endswith(_GOES_ON) and _is_value(second)


_ANSWER = FIELDS[FIELDS.index("puzzle") :]


class JsonlWriter:
    """Writes JSON lines. Text is carried exactly: nothing here is run by a spreadsheet."""

    def __init__(self, columns: Sequence[str], told: Sequence[str] = ()) -> None:
        self._columns, self._told = columns, told
        self._no_extras = ("",) * len(columns)
        self._encoder = msgspec.json.Encoder()

    def header(self) -> bytes:
        """Nothing."""
        return b""

    def rows(self, rows: Iterable[Row]) -> bytes:
        """One line a row."""
        return self._encoder.encode_lines(map(self._line, rows))

    def sheet(self, sheet: Sheet) -> Iterator[bytes]:
        if not kernel.native:
            return iter((self.rows(sheet.rows()),))
        names = [self._encoder.encode(name) for name in (*self._told, *self._columns)]
        pairs = zip(self._told, sheet.told(), strict=True)
        told = [Column.of([encoded(name, text) for text in texts]) for name, texts in pairs]
        return press("jsonl", sheet, _said, columns=1 + len(self._columns), names=names, told=told)

    def _line(self, row: Row) -> dict[str, object]:
        record, line, number, puzzle, answer, extras, told = row
        fields = {"record": record, "line": line, "id": number} | _fields(puzzle, answer)
        fields |= {name: value(name, text) for name, text in zip(self._told, told, strict=True)}
        if self._columns:
            fields["in"] = dict(zip(self._columns, extras or self._no_extras, strict=True))
        return fields


def _fields(puzzle: str, answer: Answer) -> dict[str, object]:
    """Those from ``puzzle`` to ``detail``."""
    shown = (answer.status, answer.count, answer.solution, answer.solution2, answer.nodes, answer.detail)
    return dict(zip(_ANSWER, (puzzle, *shown), strict=True))


def _said(puzzle: str, answer: Answer) -> str:
    return msgspec.json.encode(_fields(puzzle, answer)).decode()[1:-1]
