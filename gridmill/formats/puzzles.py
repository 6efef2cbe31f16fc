"""Files of puzzles, without answers: records of any format in, one of a few formats out.

A record that is no puzzle keeps its place: in tables and JSON lines as the text that stood there, where every line must
be a board as ``<malformed>``.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Protocol

import msgspec

from gridmill.board import BLANK
from gridmill.chunk import Record
from gridmill.errors import SettingsError
from gridmill.formats.counts import MALFORMED
from gridmill.formats.formula import guard
from gridmill.formats.gzipped import ENDING, packed
from gridmill.formats.header import ID_NAME, distinct
from gridmill.formats.output import choose_format
from gridmill.formats.parquet_out import write_table
from gridmill.formats.quoting import quote

OWN = (ID_NAME, "puzzle")  # the columns before those of the input

_BLOCK = 4096  # records that are turned into bytes at a time: half a megabyte


class PuzzleWriter(Protocol):
    """Makes bytes of records."""

    def header(self) -> bytes:
        """What stands before the first record."""

    def records(self, records: Iterable[Record]) -> bytes:
        """The bytes of these records."""


class _Table:
    def __init__(self, columns: Sequence[str]) -> None:
        self._names = distinct((*OWN, *columns))

    def header(self) -> bytes:
        return (",".join(map(quote, self._names)) + "\n").encode()

    def records(self, records: Iterable[Record]) -> bytes:
        rows = (",".join([quote(guard(value)) for value in _values(record, len(self._names))]) for record in records)
        return "".join([row + "\n" for row in rows]).encode()


class _Jsonl:
    def __init__(self, columns: Sequence[str]) -> None:
        self._names = distinct((*OWN, *columns))

    def header(self) -> bytes:
        return b""

    def records(self, records: Iterable[Record]) -> bytes:
        rows = (dict(zip(self._names, _values(record, len(self._names)), strict=True)) for record in records)
        return msgspec.json.Encoder().encode_lines(rows)


class _Lines:
    def __init__(self, blank: str) -> None:
        self._blank = blank

    def header(self) -> bytes:
        return b""

    def records(self, records: Iterable[Record]) -> bytes:
        boards = (record.board or MALFORMED for record in records)
        return "".join([f"{board.replace(BLANK, self._blank)}\n" for board in boards]).encode()


FORMATS: dict[str, Callable[[Sequence[str]], PuzzleWriter]] = {
    "csv": _Table,
    "jsonl": _Jsonl,
    "lines": lambda columns: _Lines(BLANK),
    "sdm": lambda columns: _Lines("0"),
}
PARQUET = "parquet"
NAMES = (*FORMATS, PARQUET)


def choose_puzzle_format(name: str | None, out: str) -> str:
    """As `gridmill.formats.output.choose_format`, for files without answers. Raises SettingsError."""
    form = choose_format(name, out)
    if form.removesuffix(ENDING) not in NAMES:
        raise SettingsError(f"{form} is for answers; puzzles can be written as {', '.join(NAMES)}")
    return form


def blocks(records: Iterable[Record], columns: Sequence[str], form: str) -> Iterator[bytes]:
    """The file with ``records``, in blocks; of any format but Parquet."""
    writer = FORMATS[form.removesuffix(ENDING)](columns)
    source = iter(records)
    pieces = (writer.records(some) for some in iter(lambda: list(islice(source, _BLOCK)), []))
    whole = (piece for part in ((writer.header(),), pieces) for piece in part if piece)
    return map(packed, whole) if form.endswith(ENDING) else whole


def to_parquet(path: Path, records: Iterable[Record], columns: Sequence[str]) -> None:
    """Write the Parquet file ``path``. Raises OSError."""
    names = distinct((*OWN, *columns))
    for _ in write_table(path, names, (_values(record, len(names)) for record in records)):
        pass


def _values(record: Record, width: int) -> tuple[str, ...]:
    text = record.board or (record.fault.text if record.fault else "")
    extras = record.extras or ("",) * (width - len(OWN))
    return (record.id, text, *extras)
