"""Parquet out. Its directory is at its end, so it cannot be continued after a break: what grows while a job runs is
JSON lines, below one line with the names of the columns behind ours, and `finish` makes Parquet of it when all is
there.

Memory is that of one group of rows. Needs the package ``pyarrow``.
"""

from collections.abc import Container, Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from gridmill.formats import told
from gridmill.formats.jsonl import JsonlWriter
from gridmill.formats.row import FIELDS, OWN_PREFIX, Row
from gridmill.formats.sheet import Sheet

if TYPE_CHECKING:
    import pyarrow

BATCH = 1 << 12  # rows that are Python's objects at a time
GROUP = 1 << 16  # rows a group: what readers take at once, and 20 MB of text
_GROUP_BYTES = 1 << 25  # bytes after which a group ends early, so that wide columns stay in memory's limit
_NUMBERS = frozenset(("record", "line", "nodes")) | told.NUMBERS  # of our columns; all others are texts

_decode_names = msgspec.json.Decoder(dict[str, list[str]]).decode
_decode_row = msgspec.json.Decoder(dict[str, str | int | bool | list[str] | dict[str, str] | None]).decode


class ParquetWriter:
    """Writes what `finish` needs."""

    def __init__(self, columns: Sequence[str], told: Sequence[str] = ()) -> None:
        self._names = {"told": list(told), "in": list(columns)}
        self._lines = JsonlWriter(columns, told)

    def header(self) -> bytes:
        """The names of the columns behind ours: what else was told, and the input's."""
        return msgspec.json.encode(self._names) + b"\n"

    def rows(self, rows: Iterable[Row]) -> bytes:
        """One line a row."""
        return self._lines.rows(rows)

    def sheet(self, sheet: Sheet) -> Iterator[bytes]:
        return self._lines.sheet(sheet)


def finish(written: Path, made: Path) -> Iterator[None]:
    """Make the Parquet file ``made`` of all that a `ParquetWriter` has written, a group a step. Raises OSError."""
    with written.open("rb") as lines:
        asked, columns = _decode_names(next(lines)).values()
        names = (*FIELDS, *asked, *(OWN_PREFIX + name for name in columns))
        yield from write_table(made, names, (_values(line, asked, columns) for line in lines), _NUMBERS)


def _values(line: bytes, asked: Sequence[str], columns: Sequence[str]) -> list[Any]:
    row = _decode_row(line)
    own = row.get("in", {})
    said = [row[name] for name in FIELDS] + [_told(name, row[name]) for name in asked]
    return said + [own[name] for name in columns if isinstance(own, dict)]


def _told(name: str, value: object) -> object:
    return value if name in told.NUMBERS else told.text(value)


def write_table(
    path: Path, names: Sequence[str], rows: Iterable[Sequence[Any]], numbers: Container[str] = ()
) -> Iterator[None]:
    """Write a Parquet file of texts, a group a step; the columns called one of ``numbers`` are such. Raises OSError.

    The file is whole when there is no further step.
    """
    import pyarrow
    from pyarrow import parquet

    schema = pyarrow.schema([(name, pyarrow.int64() if name in numbers else pyarrow.string()) for name in names])
    with parquet.ParquetWriter(path, schema, compression="zstd") as writer:
        for group in _groups(_batches(rows, schema)):
            writer.write_table(pyarrow.Table.from_batches(group), row_group_size=GROUP)
            yield


def _batches(rows: Iterable[Sequence[Any]], schema: "pyarrow.Schema") -> Iterator["pyarrow.RecordBatch"]:
    import pyarrow

    source = iter(rows)
    while some := list(islice(source, BATCH)):
        columns = zip(*some, strict=True)
        arrays = [pyarrow.array(column, field.type) for column, field in zip(columns, schema, strict=True)]
        yield pyarrow.record_batch(arrays, schema=schema)


def _groups(batches: Iterable["pyarrow.RecordBatch"]) -> Iterator[list["pyarrow.RecordBatch"]]:
    group: list[pyarrow.RecordBatch] = []
    for batch in batches:
        group.append(batch)
        if sum(part.num_rows for part in group) >= GROUP or sum(part.nbytes for part in group) >= _GROUP_BYTES:
            yield group
            group = []
    if group:
        yield group
