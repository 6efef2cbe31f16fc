"""Parquet: a table whose column with the puzzles holds texts of 81 cells, lists of 81 numbers or of nine rows.

It is read batch by batch, and needs the package ``pyarrow``. What is packed, or comes through a pipe, is put into a
temporary file first, because the directory of a Parquet file is at its end.
"""

import os
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from importlib.util import find_spec
from typing import IO, TYPE_CHECKING, Any

import msgspec

from gridmill.chunk import Record
from gridmill.errors import BoardError, FormatError
from gridmill.formats import columns
from gridmill.formats.bomb import Balance
from gridmill.formats.cells import check_text
from gridmill.formats.escape import printable
from gridmill.formats.header import ID_NAME, PUZZLE_NAMES, distinct
from gridmill.formats.json_board import board_of, is_open
from gridmill.formats.reader import ContentReader, Found, Tally, fault_of
from gridmill.formats.source import Source

if TYPE_CHECKING:
    import pyarrow
    from pyarrow.parquet import ParquetFile

MAGIC = b"PAR1"  # at both ends of a file
_SAMPLES = 100  # rows that are looked at where several columns are named for puzzles
BATCH = 2048  # rows a batch: a quarter of a megabyte of boards
REMEDY = "pip install 'gridmill[parquet]'"

BATCH_BYTES = 1 << 23  # bytes of rows that are unpacked at a time, 8 MiB, by what the directory says of their length

_BUFFER = 1 << 18  # bytes that are read ahead of each column, instead of all of it
_FOOTER = 1 << 24  # bytes of one text, and entries of one list, in the directory: more is no honest file


def is_there() -> bool:
    """Whether the package that reads and writes Parquet is installed."""
    return find_spec("pyarrow") is not None


class Parquet(ContentReader):
    """The reader of one file. ``copy``: of what can be read only once."""

    def __init__(self, names: tuple[str, ...], puzzle: str, copy: IO[bytes] | None) -> None:
        self._puzzle, self._copy = puzzle, copy
        self._id = next((name for name in names if name.lower() == ID_NAME and name != puzzle), None)
        self._carried = tuple(name for name in names if name not in (puzzle, self._id))
        self.columns = distinct(printable(name) or "column" for name in self._carried)

    def read(self, source: Source, content: Iterator[bytes], tally: Tally) -> Iterator[Record]:
        """One record a row; its line is the row's number."""
        with self._copy or _seekable(source, content) as stream:
            for number, row in enumerate(self._rows(_opened(stream, source.name), source), 1):
                yield self._record(number, *row)

    def _rows(self, file: "ParquetFile", source: Source) -> Iterator[tuple[str, str, tuple[str, ...]]]:
        """Puzzle, id and extras of each row, as texts."""
        try:
            for batch in _batches(file, source):
                puzzles = _texts(batch.column(self._puzzle), "surrogateescape")  # so that the fault can name the byte
                none = [""] * batch.num_rows
                ids = _texts(batch.column(self._id)) if self._id is not None else none
                extras = [_texts(batch.column(name)) for name in self._carried]
                yield from zip(puzzles, ids, zip(*extras, strict=True) if extras else [()] * len(none), strict=True)
        except _errors() as error:
            raise _broken(source.name, error) from error

    def _record(self, row: int, puzzle: str, number: str, extras: tuple[str, ...]) -> Record:
        try:
            check_text(puzzle)
            board = board_of(puzzle, self.cells) if puzzle.startswith("[") else self.cells(puzzle)
            return Record(row, board, None, number, extras)
        except BoardError as error:
            return Record(row, None, fault_of(error, puzzle), number, extras)


def texts(source: Source) -> Iterator[tuple[str, ...]]:
    """The names of the columns, then each row, as texts. Raises FormatError."""
    if not is_there():
        raise _missing(source)
    with _seekable(source, source.content()) as stream:
        file = _opened(stream, source.name)
        yield tuple(file.schema_arrow.names)
        try:
            for batch in _batches(file, source):
                yield from zip(*map(_texts, batch.columns), strict=True)
        except _errors() as error:
            raise _broken(source.name, error) from error


def recognise(source: Source, content: Iterator[bytes], column: str | None) -> Found:
    """The claim to a file that begins with `MAGIC`.

    Raises FormatError when the package is missing, the file is broken, or no column is named for puzzles.
    """
    if not is_there():
        raise _missing(source)
    with ExitStack() as stack:
        stream = stack.enter_context(_seekable(source, content))
        file = _opened(stream, source.name)
        names = tuple(file.schema_arrow.names)
        if len(set(names)) < len(names):
            raise FormatError(f"{source.name} has two columns of the same name; rename one")
        both = _holding_puzzles(file, source.name) if column is None else []
        if len(both) > 1:
            raise columns.ambiguous(source.name, f"columns {both[0]!r} and {both[1]!r}", "NAME")
        puzzle = both[0] if both else _puzzle_of(names, column)
        if puzzle is None:
            there = ", ".join(map(printable, names)) or "none"
            wanted = printable(column) if column else "puzzle"
            raise FormatError(f"{source.name} has no column {wanted!r}; say --column NAME, of its columns: {there}")
        if not source.is_repeatable:
            stack.pop_all()  # the stream stays open, to be read by the reader
    reader = Parquet(names, puzzle, None if source.is_repeatable else stream)
    return Found(0, "parquet", f"it is Parquet, puzzles in the column {printable(puzzle)!r}", reader)


def _puzzle_of(names: tuple[str, ...], column: str | None) -> str | None:
    if column is not None:
        by_number = columns.number_of(column) or 0
        return column if column in names else names[by_number - 1] if 1 <= by_number <= len(names) else None
    lower = {name.lower(): name for name in reversed(names)}
    return next((lower[name] for name in PUZZLE_NAMES if name in lower), None)


def _holding_puzzles(file: "ParquetFile", name: str) -> list[str]:
    """Of several columns that are named for puzzles, those in which the first rows have boards with blanks."""
    named = [column for column in file.schema_arrow.names if column.lower() in PUZZLE_NAMES]
    if len(named) < 2:
        return named
    try:
        batch = next(file.iter_batches(batch_size=_SAMPLES, columns=named, use_threads=False), None)
        return [column for column in named if batch and any(map(is_open, _texts(batch.column(column))))]
    except _errors() as error:
        raise _broken(name, error) from error


def _seekable(source: Source, content: Iterator[bytes]) -> IO[bytes]:
    """The file itself where it is a plain one, else a temporary file with its ``content``."""
    if type(source) is Source and source.is_repeatable:
        stream = open(source.path, "rb")  # noqa: SIM115  # the caller closes it
        if stream.read(len(MAGIC)) == MAGIC:
            return stream
        stream.close()
    with ExitStack() as stack:
        try:
            copy = stack.enter_context(tempfile.TemporaryFile(prefix="gridmill-"))
            for block in content:
                copy.write(block)
        except OSError as error:
            where = tempfile.gettempdir()
            raise FormatError(f"{source.name} cannot be copied to {where}: {error.strerror}; set TMPDIR") from error
        stack.pop_all()  # the caller closes it
    return copy


def _batches(file: "ParquetFile", source: Source) -> Iterator["pyarrow.RecordBatch"]:
    """The rows of ``source``, as many at a time as `BATCH_BYTES` hold of the longest; it says how many were taken."""
    groups = [file.metadata.row_group(number) for number in range(file.num_row_groups)]
    longest = max((group.total_byte_size // max(1, group.num_rows) for group in groups), default=0)
    rows = max(1, min(BATCH, BATCH_BYTES // max(1, longest)))
    size, whole, done = source.size or 0, max(1, file.metadata.num_rows), 0
    for batch in file.iter_batches(batch_size=rows, use_threads=False):
        yield batch
        done += batch.num_rows
        source.position = size * done // whole


def _opened(stream: IO[bytes], name: str) -> "ParquetFile":
    """Raises FormatError when it is broken, or a bomb."""
    from pyarrow.parquet import ParquetFile

    try:
        file = ParquetFile(
            stream,
            buffer_size=_BUFFER,
            pre_buffer=False,
            thrift_string_size_limit=_FOOTER,
            thrift_container_size_limit=_FOOTER,
        )
    except _errors() as error:
        raise _broken(name, error) from error
    size = sum(file.metadata.row_group(number).total_byte_size for number in range(file.num_row_groups))
    Balance(name, stream.seek(0, os.SEEK_END)).weigh(size)
    return file


def _texts(column: "pyarrow.Array[Any]", errors: str = "backslashreplace") -> list[str]:
    """Each value as text: null is empty, lists and structures are JSON, bytes are taken for UTF-8."""
    import pyarrow
    from pyarrow import types

    if types.is_nested(column.type):
        return ["" if value is None else _json(value) for value in column.to_pylist()]
    if not (types.is_string(column.type) or types.is_binary(column.type) or types.is_large_binary(column.type)):
        column = column.cast(pyarrow.string())
    values = column.cast(pyarrow.binary()).to_pylist()  # bytes, since one text that is no UTF-8 must not spoil others
    return ["" if value is None else value.decode("utf-8", errors) for value in values]


def _json(value: object) -> str:
    return msgspec.json.encode(value, enc_hook=str).decode()


def _errors() -> tuple[type[Exception], ...]:
    import pyarrow

    return (pyarrow.ArrowException, OSError, ValueError)


def _missing(source: Source) -> FormatError:
    return FormatError(f"{source.name} is a Parquet file, which needs a package that is not installed: {REMEDY}")


def _broken(name: str, error: Exception) -> FormatError:
    return FormatError(f"{name} is a broken Parquet file ({printable(str(error))}); fetch or write it again")
