"""The input of a job: one or more files of any format, as one run of records."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import chain, islice
from typing import NamedTuple

from gridmill.batch import NO_TEXT, Batch, one_by_one
from gridmill.chunk import Record
from gridmill.column import Column
from gridmill.errors import FormatError
from gridmill.formats.detect import HEAD_LINES, detect
from gridmill.formats.header import distinct
from gridmill.formats.reader import Tally
from gridmill.formats.source import STDIN, Source

FILE_COLUMN = "file"  # where there are several files: the name of the one that a record is from


class Format(NamedTuple):
    """What was found out about one file, and by what."""

    file: str
    format: str
    reason: str


class Input:
    """The records of ``paths`` (``-`` is standard input), in order; files are opened when they are needed.

    ``column`` says that the files are tables with the puzzles in that column. Iterating begins at the first record
    again, with the same records, as long as the files are ``repeatable``; one iteration at a time. Raises FormatError,
    naming the file, when one cannot be read; what is wrong with single records is in their `gridmill.chunk.Fault`.
    """

    def __init__(self, paths: Sequence[str], *, column: str | None = None) -> None:
        if not paths:
            raise FormatError("no input: name a file, or - for standard input")
        if list(paths).count(STDIN) > 1:
            raise FormatError("standard input (-) is named twice, but it can be read only once")
        self._sources = [Source(path) for path in paths]
        self._column = column
        self._tally = Tally()
        self._is_read = False
        self.repeatable: bool = all(source.is_repeatable for source in self._sources)

    @cached_property
    def _parts(self) -> list["_Part"]:
        return [_Part(source, self._column) for source in self._sources]

    @cached_property
    def formats(self) -> tuple[Format, ...]:
        """One entry a file, found out from its first lines."""
        return tuple(part.format for part in self._parts)

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """The names of the records' extras: those of all files; where there are several files, `FILE_COLUMN` first."""
        return distinct(((FILE_COLUMN,) if len(self._parts) > 1 else ()) + self._own_columns)

    @cached_property
    def _own_columns(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(chain.from_iterable(part.columns for part in self._parts)))

    @property
    def skipped(self) -> int:
        """Comments, blank lines, titles and headers that this iteration has passed."""
        return self._tally.skipped

    @property
    def size(self) -> int | None:
        """Bytes of all files as they lie on the disk; None when that is not known."""
        sizes = [source.size for source in self._sources]
        return None if None in sizes else sum(size or 0 for size in sizes)

    @property
    def position(self) -> int:
        """How many of the bytes of `size` have been read."""
        return sum(source.position for source in self._sources)

    def __iter__(self) -> Iterator[Record | Batch]:
        """The records; where a kernel has packed many at once, as the batch that they are."""
        if self._is_read and not self.repeatable:
            once = next(source.name for source in self._sources if not source.is_repeatable)
            raise FormatError(f"{once} cannot be read twice; save it to a file and give that")
        self._is_read = True
        self._tally = Tally()
        return self._records()

    def records(self) -> Iterator[Record]:
        """The records, one by one."""
        return one_by_one(self)

    def _records(self) -> Iterator[Record | Batch]:
        parts = self._parts
        for source in self._sources:
            if source.is_repeatable:
                source.position = 0
        for part in parts:
            records = part.records(self._tally)
            yield from records if len(parts) == 1 else self._widened(part, records)

    def _widened(self, part: "_Part", records: Iterator[Record | Batch]) -> Iterator[Record | Batch]:
        """The records of one of several files, with the file's name and a place for every file's columns."""
        places = [1 + self._own_columns.index(name) for name in part.columns]
        file = part.format.file
        for item in records:
            if isinstance(item, Batch):
                columns = [Column.same(file, len(item))] + [NO_TEXT] * len(self._own_columns)
                for place, column in zip(places, item.extras, strict=True):
                    columns[place] = column
                yield replace(item, extras=columns)
            else:
                texts = [file] + [""] * len(self._own_columns)
                for place, text in zip(places, item.extras, strict=True):
                    texts[place] = text
                yield item._replace(extras=tuple(texts))


class _Part:
    """One file, its format found out. What cannot be opened twice stays open from here on."""

    def __init__(self, source: Source, column: str | None) -> None:
        self._source = source
        text = source.lines()
        head = list(islice(text, HEAD_LINES))
        found = detect(head, source.name, column)
        text.push_back(head)
        self._reader = found.reader
        self._open = None if source.is_repeatable else text
        self.format = Format(source.name, found.format, found.reason)
        self.columns = found.reader.columns

    def records(self, tally: Tally) -> Iterator[Record | Batch]:
        return self._reader.records(self._open or self._source.lines(), tally)
