"""The formats of an answers file, and which one a name asks for."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path, PurePath
from typing import Protocol

from gridmill.errors import SettingsError
from gridmill.formats import parquet, told
from gridmill.formats.counts import CountsWriter
from gridmill.formats.gzipped import ENDING, GzippedWriter
from gridmill.formats.jsonl import JsonlWriter
from gridmill.formats.lines import LinesWriter
from gridmill.formats.parquet_out import ParquetWriter, finish
from gridmill.formats.row import Row
from gridmill.formats.sdm import SdmWriter
from gridmill.formats.sheet import Sheet
from gridmill.formats.table import TableWriter
from gridmill.questions import NOTHING, Questions


class SheetWriter(Protocol):
    """What a collector writes with."""

    def header(self) -> bytes:
        """What stands before the first row."""

    def sheet(self, sheet: Sheet) -> Iterator[bytes]:
        """The bytes of ``sheet.rows()``, in blocks; by the kernel, where there is one. Raises WireError."""


class Writer(SheetWriter, Protocol):
    """Makes bytes of rows. It keeps no state between calls, so bytes can be written, cut off and made again.

    Of some formats these bytes are not the file itself: `FINISHES` has what makes it of them when all are there.
    """

    def rows(self, rows: Iterable[Row]) -> bytes:
        """The bytes of these rows, the same as of a sheet of them."""


# Makes the second file of the first, which a writer has written, in steps of less than a second.
Finish = Callable[[Path, Path], Iterator[None]]

WRITERS: dict[str, Callable[[Sequence[str], Sequence[str]], Writer]] = {
    "csv": TableWriter,
    "jsonl": JsonlWriter,
    "lines": lambda columns, told: LinesWriter(),
    "counts": lambda columns, told: CountsWriter(),
    "sdm": lambda columns, told: SdmWriter(),
    "parquet": ParquetWriter,
}
# Formats without columns, and of what can be asked beside the answers that which they show.
_SHOWN: dict[str, frozenset[str]] = {
    "lines": frozenset({"--all"}),
    "counts": frozenset({"--count"}),
    "sdm": frozenset(),
}
FINISHES: dict[str, Finish] = {"parquet": finish}  # formats of which the file is made when all rows are written
DEFAULT = "csv"

_ENDINGS = {
    ".csv": "csv",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".txt": "lines",
    ".sdm": "sdm",
    ".parquet": "parquet",
}
_NOT_WRITTEN = frozenset(
    {".7z", ".arrow", ".bz2", ".db", ".docx", ".feather", ".html", ".json", ".ods", ".opensudoku", ".pdf", ".png"}
    | {".sdk", ".sqlite", ".ss", ".svg", ".tar", ".tgz", ".tsv", ".xls", ".xlsx", ".xml", ".xz", ".zip", ".zst"}
)


def choose_format(name: str | None, out: str) -> str:
    """The format called ``name``; without a name the one that the ending of ``out`` stands for, or CSV.

    With ``.gz`` behind it, any but Parquet is packed. Raises SettingsError for an unknown name, for an ending of a
    format that is not written (CSV in a file called ``.xlsx`` helps nobody), and where a format cannot be written.
    """
    form = name if name is not None else _by_ending(PurePath(out))
    plain = form.removesuffix(ENDING)
    if plain not in WRITERS:
        raise SettingsError(f"there is no output format {form!r}; there are {', '.join(WRITERS)}, and {ENDING} of each")
    if plain in FINISHES and form != plain:
        raise SettingsError(f"{form} is not written, for {plain} is packed already; leave {ENDING} away")
    if plain in FINISHES and out == "-":
        raise SettingsError(f"{form} cannot go to standard output, for it is made when all is there; say -o FILE")
    if plain == "parquet" and not parquet.is_there():
        raise SettingsError(f"Parquet needs a package that is not installed: {parquet.REMEDY}")
    return form


def _by_ending(out: PurePath) -> str:
    is_packed = out.suffix.lower() == ENDING
    ending = (out.with_suffix("") if is_packed else out).suffix.lower()
    if ending in _NOT_WRITTEN:
        raise SettingsError(f"{ending} is not written; say --format ({', '.join(WRITERS)}), or use another ending")
    return _ENDINGS.get(ending, DEFAULT) + (ENDING if is_packed else "")


def writer(name: str, columns: Sequence[str], asked: Questions = NOTHING) -> Writer:
    """The writer of format ``name`` for an input with these columns. Not all formats carry them.

    Raises SettingsError where it cannot show what is ``asked``.
    """
    told.check(asked)
    form = choose_format(name, "")
    plain = form.removesuffix(ENDING)
    wanted = frozenset(asked.options)
    hidden = wanted - _SHOWN.get(plain, wanted)
    if hidden:
        able = ", ".join(other for other in WRITERS if wanted <= _SHOWN.get(other, wanted))
        raise SettingsError(f"{plain} has no place for {', '.join(sorted(hidden))}; choose one of {able}")
    made = WRITERS[plain](columns, told.names(asked))
    return GzippedWriter(made) if form.endswith(ENDING) else made
