"""Tables: CSV with commas, semicolons or tabs under a header that names the column with the puzzles.

The column ``id`` becomes the record's id, all other columns are carried under their names. A row with another number of
fields than the header is malformed. A line that begins with ``#`` is a comment unless it is a row of the right width.
An answers file of our own is a table too; there the marks of `gridmill.formats.formula` are taken off again.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from gridmill import kernel
from gridmill.answers import Answer, Status
from gridmill.batch import NO_TEXT, Batch
from gridmill.chunk import Fault, Record
from gridmill.column import Column
from gridmill.errors import BoardError, FormatError
from gridmill.formats.cells import check_text, plain, read_cells
from gridmill.formats.escape import printable
from gridmill.formats.formula import guard, unguard
from gridmill.formats.header import ID_NAME, Header, find_header, first_columns
from gridmill.formats.notes import is_note
from gridmill.formats.press import press
from gridmill.formats.quoting import UNCLOSED, WRONG_WIDTH, Fields, quote, read_row, split_rows
from gridmill.formats.reader import Found, Tally, fault_of
from gridmill.formats.row import FIELDS, OWN_PREFIX, Row
from gridmill.formats.sheet import Sheet
from gridmill.formats.text import LINE_LIMIT, ROW_LIMIT, Packed, Text

_MALFORMED = Status.MALFORMED  # looked up once: an enumeration's members are slow to reach


class Table:
    """The reader of tables with this header."""

    def __init__(self, header: Header) -> None:
        self._header = header
        self._id = header.find(ID_NAME) if header.find(ID_NAME) != header.puzzle else None
        self._carried = [index for index in range(len(header.names)) if index not in (header.puzzle, self._id)]
        self.columns = tuple(header.titles[index] for index in self._carried)
        self._limit = ROW_LIMIT if header.is_ours else LINE_LIMIT

    def records(self, lines: Iterable[str], tally: Tally) -> Iterator[Record | Batch]:
        """One record a row."""
        text = Text.of(lines)
        text.limit = self._limit
        tally.skipped += sum(1 for _ in islice(text, self._header.at + 1))
        width = len(self._header.names)
        for item in text.items(self._pack):
            if isinstance(item, Batch):
                yield item
                continue
            row = read_row(item, text, self._header.delimiter, width)
            if row.fields is not None and len(row.fields) == width and not _is_skipped(row.raw, width):
                yield self._record(row.line, row.raw, row.fields)
            elif is_note(row.raw):
                tally.skipped += 1
            else:
                yield self._broken(row)

    def _pack(self, block: bytes, start: int) -> Packed:
        header = self._header
        end, boards, columns = kernel.extension.read_table(
            block, start, self._limit, ord(header.delimiter), len(header.names), header.puzzle, header.is_ours
        )
        columns.insert(header.puzzle, NO_TEXT)  # so that they stand where their names do
        ids = NO_TEXT if self._id is None else Column(*columns[self._id])
        return Packed(end, boards, ids, [Column(*columns[index]) for index in self._carried])

    def _record(self, line: int, raw: str, fields: list[str]) -> Record:
        if self._header.is_ours:
            fields = [unguard(field) for field in fields]
        puzzle = fields[self._header.puzzle]
        number = "" if self._id is None else fields[self._id]
        extras = tuple([fields[index] for index in self._carried])
        try:
            check_text(raw, self._limit)
        except BoardError as error:
            return Record(line, None, fault_of(error, raw), printable(number), tuple(map(printable, extras)))
        try:
            return Record(line, plain(puzzle) or read_cells(puzzle), None, number, extras)
        except BoardError as error:
            return Record(line, None, fault_of(error, puzzle), number, extras)

    def _broken(self, row: Fields) -> Record:
        """A row without usable fields: nothing of it can be carried, for nobody knows which field is which."""
        reason = UNCLOSED
        if row.fields is not None:
            reason = f"{WRONG_WIDTH} {len(row.fields)}, not {len(self._header.names)}"
        return Record(row.line, None, Fault(0, reason, printable(row.raw)), "", ("",) * len(self.columns))


def _is_skipped(raw: str, width: int) -> bool:
    """Whether a row of the right width is none: a blank line, or a comment in a table of one column."""
    return not raw or raw.isspace() or (width == 1 and is_note(raw))


def recognise(head: Sequence[str]) -> Found | None:
    """Seen at a header that names the column with the puzzles, if rows of its width follow, or nothing at all.

    A single word, such as ``Sudoku``, may also be a title; it is a header only if boards follow.
    """
    header = find_header(head)
    return found(header) if header and _is_followed(header, head[header.at + 1 :]) else None


def forced(head: Sequence[str], column: str, name: str) -> Found:
    """The table whose puzzles are in ``column``. Raises FormatError when the first row has no such column."""
    header = find_header(head, column)
    if header is None:
        there = printable(", ".join(first_columns(head))) or "none"
        raise FormatError(f"{name} has no column {printable(column)!r}; its first row has: {there}")
    return found(header)


def found(header: Header) -> Found:
    """The claim of a table with this header."""
    title = header.titles[header.puzzle]
    reason = f"line {header.at + 1} is a header, puzzles in the column {title!r}"
    return Found(header.at, "csv", reason, Table(header))


def _is_followed(header: Header, lines: Sequence[str]) -> bool:
    width = len(header.names)
    if header.is_ours or all(map(is_note, lines)):
        return True
    if width == 1:
        return any(plain(line.strip()) for line in lines)
    rows = split_rows(lines, header.delimiter, width)
    return any(row.fields is not None and len(row.fields) == width for row in rows)


class TableWriter:
    """Writes CSV: our columns, what else is ``told``, then the input's, prefixed ``in_``.

    Line ends are ``\n``, quotes as in RFC 4180.
    """

    def __init__(self, columns: Sequence[str], told: Sequence[str] = ()) -> None:
        self._columns, self._told = columns, told
        self._no_extras = "," * len(columns)

    def header(self) -> bytes:
        """The first line."""
        own = (OWN_PREFIX + name for name in self._columns)
        return (",".join(map(quote, (*FIELDS, *self._told, *own))) + "\n").encode()

    def rows(self, rows: Iterable[Row]) -> bytes:
        """One record a row; a carried column may hold line ends, then it is several lines."""
        return "".join(map(self._row, rows)).encode()

    def sheet(self, sheet: Sheet) -> Iterator[bytes]:
        if kernel.native:
            told = list(map(Column.of, sheet.told()))
            return press("csv", sheet, _said, columns=1 + len(self._columns), told=told)
        return iter((self.rows(sheet.rows()),))

    def _row(self, row: Row) -> str:
        record, line, number, puzzle, answer, extras, told = row
        if number:
            number = quote(guard(number))
        own = "".join(["," + quote(guard(extra)) for extra in extras]) if extras else self._no_extras
        said = "".join(["," + text for text in told])
        return f"{record},{line},{number},{_said(puzzle, answer)}{said}{own}\n"


def _said(puzzle: str, answer: Answer) -> str:
    """The fields from ``puzzle`` to ``detail``."""
    status = answer.status
    if status is _MALFORMED:
        puzzle = quote(guard(puzzle))
    detail = answer.detail and quote(answer.detail)
    return f"{puzzle},{status},{answer.count},{answer.solution},{answer.solution2},{answer.nodes},{detail}"
