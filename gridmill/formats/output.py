"""The formats of an answers file, and which one a name asks for."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import PurePath
from typing import Protocol

from gridmill.errors import SettingsError
from gridmill.formats.counts import CountsWriter
from gridmill.formats.jsonl import JsonlWriter
from gridmill.formats.lines import LinesWriter
from gridmill.formats.row import Row
from gridmill.formats.sheet import Sheet
from gridmill.formats.table import TableWriter


class Writer(Protocol):
    """Makes bytes of rows. It keeps no state between calls, so bytes can be written, cut off and made again."""

    def header(self) -> bytes:
        """What stands before the first row."""

    def rows(self, rows: Iterable[Row]) -> bytes:
        """The bytes of these rows."""

    def sheet(self, sheet: Sheet) -> Iterator[bytes]:
        """The same bytes as of ``sheet.rows()``, in blocks; by the kernel, where there is one. Raises WireError."""


WRITERS: dict[str, Callable[[Sequence[str]], Writer]] = {
    "csv": TableWriter,
    "jsonl": JsonlWriter,
    "lines": lambda columns: LinesWriter(),
    "counts": lambda columns: CountsWriter(),
}
DEFAULT = "csv"

_ENDINGS = {".csv": "csv", ".jsonl": "jsonl", ".ndjson": "jsonl", ".txt": "lines"}
_NOT_WRITTEN = (".gz", ".xz", ".zip", ".bz2", ".zst", ".json", ".parquet", ".xlsx", ".tsv", ".sdm")


def choose_format(name: str | None, out: str) -> str:
    """The format called ``name``; without a name the one that the ending of ``out`` stands for, or CSV.

    Raises SettingsError for an unknown name, and for an ending of a format that is not written: CSV in a file called
    ``.parquet`` helps nobody.
    """
    if name is not None:
        if name not in WRITERS:
            raise SettingsError(f"there is no output format {name!r}; there are {', '.join(WRITERS)}")
        return name
    ending = PurePath(out).suffix.lower()
    if ending in _NOT_WRITTEN:
        raise SettingsError(f"{ending} is not written; say --format ({', '.join(WRITERS)}), or use another ending")
    return _ENDINGS.get(ending, DEFAULT)


def writer(name: str, columns: Sequence[str]) -> Writer:
    """The writer of format ``name`` for an input with these columns. ``lines`` and ``counts`` do not carry them."""
    return WRITERS[choose_format(name, "")](columns)
