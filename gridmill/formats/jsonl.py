"""JSON lines: one object a record, with the fields of the CSV file; the input's own columns are under ``in``."""

from collections.abc import Iterable, Iterator, Sequence

import msgspec

from gridmill import kernel
from gridmill.answers import Answer
from gridmill.formats.press import press
from gridmill.formats.row import Row
from gridmill.formats.sheet import Sheet


class _Line(msgspec.Struct, rename={"own": "in"}, omit_defaults=True):
    """The object. ``own`` is left out when the input has no columns of its own."""

    record: int
    line: int
    id: str
    puzzle: str
    status: str
    count: str
    solution: str
    solution2: str
    nodes: int
    detail: str
    own: dict[str, str] | None = None


class JsonlWriter:
    """Writes JSON lines. Text is carried exactly: nothing here is run by a spreadsheet."""

    def __init__(self, columns: Sequence[str]) -> None:
        self._columns = columns
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
        names = [self._encoder.encode(name) for name in self._columns]
        return press("jsonl", sheet, _said, columns=1 + len(names), names=names)

    def _line(self, row: Row) -> _Line:
        record, line, number, puzzle, answer, extras = row
        own = dict(zip(self._columns, extras or self._no_extras, strict=True)) if self._columns else None
        shown = (answer.status, answer.count, answer.solution, answer.solution2, answer.nodes, answer.detail)
        return _Line(record, line, number, puzzle, *shown, own)


class _Said(msgspec.Struct):
    """The fields of `_Line` from ``puzzle`` to ``detail``."""

    puzzle: str
    status: str
    count: str
    solution: str
    solution2: str
    nodes: int
    detail: str


def _said(puzzle: str, answer: Answer) -> str:
    shown = (answer.status, answer.count, answer.solution, answer.solution2, answer.nodes, answer.detail)
    return msgspec.json.encode(_Said(puzzle, *shown)).decode()[1:-1]
