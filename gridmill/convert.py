"""Turn a file of puzzles into one of another format, without any queue."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from gridmill.chunk import Record
from gridmill.formats.input import FILE_COLUMN, Input
from gridmill.formats.puzzles import PARQUET, blocks, to_parquet
from gridmill.whole import written

Tell = Callable[[str, Record], None]  # gets the file's name and each record of it that is no puzzle


@dataclass(slots=True)
class Count:
    """How many records there were, and how many of them are no puzzles."""

    records: int = 0
    malformed: int = 0


def convert(source: Input, out: Path | BinaryIO, form: str, tell: Tell, *, force: bool = False) -> Count:
    """Write the puzzles of ``source`` in ``form`` (`gridmill.formats.puzzles`) to ``out``.

    A file gets its name when it is whole. Raises FormatError and OutputError; OutputRefused when ``out`` exists, unless
    ``force`` says to overwrite it.
    """
    count = Count()
    if not isinstance(out, Path):
        for block in blocks(_counted(source, count, tell), source.columns, form):
            out.write(block)
        return count
    with written(out, force=force) as part:
        _write(part, source, count, form, tell)
    return count


def _write(part: Path, source: Input, count: Count, form: str, tell: Tell) -> None:
    records = _counted(source, count, tell)
    if form == PARQUET:
        to_parquet(part, records, source.columns)
        return
    with part.open("wb") as stream:
        stream.writelines(blocks(records, source.columns, form))


def _counted(source: Input, count: Count, tell: Tell) -> Iterator[Record]:
    several = source.columns[:1] == (FILE_COLUMN,) and len(source.formats) > 1
    for record in source.records():
        count.records += 1
        if record.fault is not None:
            count.malformed += 1
            tell(record.extras[0] if several else source.formats[0].file, record)
        yield record
