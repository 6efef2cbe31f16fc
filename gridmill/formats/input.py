"""The input of a job: one or more files of any format, as one run of records."""

import re
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing, nullcontext, suppress
from dataclasses import replace
from functools import cached_property
from itertools import chain, islice
from typing import NamedTuple

from gridmill.batch import NO_TEXT, Batch, one_by_one
from gridmill.board import HOLE, PACKED, pack
from gridmill.chunk import Record
from gridmill.column import Column
from gridmill.errors import FormatError
from gridmill.formats import archive, parquet
from gridmill.formats.blank import Blank
from gridmill.formats.detect import HEAD_LINES, detect
from gridmill.formats.header import SOLUTION_NAMES, distinct
from gridmill.formats.paths import expand
from gridmill.formats.reader import ContentReader, Found, HasCells, Tally
from gridmill.formats.source import STDIN, Source
from gridmill.formats.text import Text

FILE_COLUMN = "file"  # where there are several files: the name of the one that a record is from

AHEAD = 256  # records that are shown ahead, more where they come packed: enough to know how hard they are
_AHEAD_BLOCKS = 2  # in which they are looked for, 256 KiB each: there are files of comments

_HEAD_BYTES = 1 << 17  # bytes that are looked at, 128 KiB, where `HEAD_LINES` lines are longer than that
_IS_NESTED = re.compile(rb'\s*(?:\[\s*["\[{0-9]|\{\s*"|<[?!o])').match  # JSON, XML: a hundred lines say little of them


class Format(NamedTuple):
    """What was found out about one file, and by what."""

    file: str
    format: str
    reason: str


class Input:
    """The records of ``paths`` (``-`` is standard input), in order; files are opened when they are needed.

    A folder or a pattern stands for the files in it, a zip file for its members. ``column`` says that the puzzles are
    in the column of that name or number, ``form`` of which format (`gridmill.formats.detect.FORMATS`) the files are,
    ``blank`` which sign stands for a blank. Iterating begins at the first record again, with the same records, as long
    as the files are ``repeatable``; one iteration at a time. Raises FormatError, naming the file, when one cannot be
    read; what is wrong with single records is in their `gridmill.chunk.Fault`.
    """

    def __init__(
        self, paths: Sequence[str], *, column: str | None = None, form: str | None = None, blank: str | None = None
    ) -> None:
        if not paths:
            raise FormatError("no input: name a file, or - for standard input")
        if list(paths).count(STDIN) > 1:
            raise FormatError("standard input (-) is named twice, but it can be read only once")
        self._paths = expand(paths)
        sign = Blank(blank) if blank is not None else None
        self._open: Callable[[Source], _Part] = lambda source: _Part(source, column, form, sign)
        self._tally = Tally()
        self.read = 0  # records that this iteration has yielded
        self._passed = 0
        self._current: Source | None = None
        self._is_read = False
        self.repeatable: bool = all(Source(path).is_repeatable for path in self._paths)

    @cached_property
    def _sources(self) -> list[Source]:
        return [source for path in self._paths for source in _sources_of(path)]

    @cached_property
    def _survey(self) -> "_Survey":
        """One look into each file. What cannot be opened twice stays open from here on."""
        formats, columns, waiting = [], dict[str, None](), dict[Source, _Part]()
        first, *others = self._sources
        opened = self._open(first)
        for part in chain((opened,), map(self._open, others)):
            formats.append(Format(part.source.name, part.found.format, part.found.reason))
            columns.update(dict.fromkeys(part.columns))
            if not part.source.is_repeatable:
                waiting[part.source] = part
        return _Survey(tuple(formats), tuple(columns), waiting, opened)

    @property
    def formats(self) -> tuple[Format, ...]:
        """One entry a file, found out from its first lines."""
        return self._survey.formats

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """The names of the records' extras: those of all files; where there are several files, `FILE_COLUMN` first."""
        return distinct(((FILE_COLUMN,) if len(self._sources) > 1 else ()) + self._survey.columns)

    @property
    def answers(self) -> tuple[int, ...]:
        """Which of ``columns`` hold answers that the input knows, by their names."""
        return tuple(place for place, name in enumerate(self.columns) if name.lower() in SOLUTION_NAMES)

    def ahead(self) -> bytes:
        """The boards of the first records, packed, as far as they are to be had; iterating yields them all the same.

        They are of the first file, and where that cannot be read twice, of what was looked at. What is wrong with it is
        said when it is read.
        """
        slots = b""
        with suppress(FormatError), closing(self._survey.first.ahead()) as items:
            for item in items:
                slots += item.boards if isinstance(item, Batch) else pack(item.board) if item.board else HOLE
                if len(slots) >= AHEAD * PACKED:
                    break
        return slots

    @property
    def skipped(self) -> int:
        """Comments, blank lines, titles and headers that this iteration has passed."""
        return self._tally.skipped

    @cached_property
    def size(self) -> int | None:
        """Bytes of all files as they lie on the disk; None when that is not known."""
        sizes = [source.size for source in self._sources]
        return None if None in sizes else sum(size or 0 for size in sizes)

    @property
    def position(self) -> int:
        """How many of the bytes of `size` have been read."""
        return self._passed + (self._current.position if self._current else 0)

    def __iter__(self) -> Iterator[Record | Batch]:
        """The records; where a kernel has packed many at once, as the batch that they are."""
        if self._is_read and not self.repeatable:
            once = next(source.name for source in map(Source, self._paths) if not source.is_repeatable)
            raise FormatError(f"{once} cannot be read twice; save it to a file and give that")
        self._is_read = True
        self._tally = Tally()
        self.read, self._passed, self._current = 0, 0, None
        return self._records()

    def records(self) -> Iterator[Record]:
        """The records, one by one."""
        return one_by_one(self)

    def _records(self) -> Iterator[Record | Batch]:
        waiting = self._survey.waiting
        for source in self._sources:
            part = waiting.pop(source, None) or self._open(source)
            self._current = source
            records = part.records(self._tally)
            for item in records if len(self._sources) == 1 else self._widened(part, records):
                self.read += len(item) if isinstance(item, Batch) else 1
                yield item
            self._passed, self._current = self._passed + source.position, None

    def _widened(self, part: "_Part", records: Iterator[Record | Batch]) -> Iterator[Record | Batch]:
        """The records of one of several files, with the file's name and a place for every file's columns."""
        columns = self._survey.columns
        if not set(part.columns) <= set(columns):
            raise FormatError(f"{part.source.name} was changed while it was read; start anew")
        places = [1 + columns.index(name) for name in part.columns]
        file = part.source.name
        for item in records:
            if isinstance(item, Batch):
                wide = [Column.same(file, len(item))] + [NO_TEXT] * len(columns)
                for place, column in zip(places, item.extras, strict=True):
                    wide[place] = column
                yield replace(item, extras=wide)
            else:
                texts = [file] + [""] * len(columns)
                for place, text in zip(places, item.extras, strict=True):
                    texts[place] = text
                yield item._replace(extras=tuple(texts))


class _Survey(NamedTuple):
    formats: tuple[Format, ...]
    columns: tuple[str, ...]
    waiting: dict[Source, "_Part"]
    first: "_Part"


class _Part:
    """One file, its format found out."""

    def __init__(self, source: Source, column: str | None, form: str | None, blank: Blank | None) -> None:
        self.source = source
        self._blank = blank
        content = source.content()
        with closing(content) if source.is_repeatable else nullcontext():
            opening = _opening(content)
            self._content = None if source.is_repeatable else chain(opening, content)
            self._opening = () if source.is_repeatable else tuple(opening)
            self.found = self._detect(opening, content, column, form)
        self.columns = self.found.reader.columns

    def records(self, tally: Tally) -> Iterator[Record | Batch]:
        """Its records, from the first one. The file is closed with the last one, or where it breaks."""
        if self._content is not None:
            yield from self._read(self._content, tally)
            return
        with closing(self.source.content()) as content:
            yield from self._read(content, tally)

    def ahead(self) -> Generator[Record | Batch, None, None]:
        """Its first records, which `records` yields again; of what can be read once, those of text that was read."""
        if self._content is None:
            with closing(self.source.content()) as content:
                yield from self._read(islice(content, _AHEAD_BLOCKS), Tally())
        elif not isinstance(self.found.reader, ContentReader):
            yield from self._read(iter(self._opening), Tally())

    def _read(self, content: Iterator[bytes], tally: Tally) -> Iterator[Record | Batch]:
        reader, blank = self.found.reader, self._blank
        if blank and isinstance(reader, HasCells):
            reader.cells, blank = blank.cells, None
        if isinstance(reader, ContentReader):
            return reader.read(self.source, content, tally)
        if blank:
            return map(blank.record, one_by_one(reader.records(Text(blank.content(content)), tally)))
        return reader.records(Text(content), tally)

    def _detect(self, opening: list[bytes], content: Iterator[bytes], column: str | None, form: str | None) -> Found:
        if opening and opening[0].startswith(parquet.MAGIC):
            return parquet.recognise(self.source, chain(opening, content), column)
        if self._blank:
            with suppress(FormatError):  # of boards that cannot be seen as they stand there
                found = detect(_head(opening), self.source.name, column, form)
                if isinstance(found.reader, HasCells):
                    return found
            opening = list(self._blank.content(opening))
        return detect(_head(opening), self.source.name, column, form)


def _sources_of(path: str) -> list[Source]:
    return archive.members(path) if archive.is_zip(path) else [Source(path)]


def _head(opening: list[bytes]) -> list[str]:
    lines = Text(iter(opening))
    return list(lines if opening and _IS_NESTED(opening[0]) else islice(lines, HEAD_LINES))


def _opening(content: Iterator[bytes]) -> list[bytes]:
    """The first blocks of ``content``, enough for a head."""
    blocks: list[bytes] = []
    size = lines = 0
    for block in content:
        blocks.append(block)
        size, lines = size + len(block), lines + (block.count(b"\n") or block.count(b"\r"))
        if size >= _HEAD_BYTES or (lines > HEAD_LINES and not _IS_NESTED(blocks[0])):
            break
    return blocks
