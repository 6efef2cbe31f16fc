"""JSON lines: one object a record, with the fields of the CSV file; the input's own columns are under ``in``."""

from collections.abc import Iterable, Sequence

import msgspec

from gridmill.formats.row import Row


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

    def _line(self, row: Row) -> _Line:
        record, line, number, puzzle, answer, extras = row
        own = dict(zip(self._columns, extras or self._no_extras, strict=True)) if self._columns else None
        shown = (answer.status, answer.count, answer.solution, answer.solution2, answer.nodes, answer.detail)
        return _Line(record, line, number, puzzle, *shown, own)
