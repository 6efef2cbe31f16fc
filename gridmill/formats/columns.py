"""Which column of a table holds the puzzles, found out from what is in the columns rather than from their names.

A first row without a board, as wide as the rows with boards, is a header whatever its words are: it gives the names.
Without one the columns are ``id`` (the first, if no two of its fields are the same), ``puzzle``, ``solution`` (full
boards beside the puzzles), and ``column_3`` and so on.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from gridmill.board import BLANK
from gridmill.errors import BoardError, FormatError
from gridmill.formats.cells import plain, read_cells
from gridmill.formats.header import DELIMITERS, ID_NAME, PUZZLE_NAMES, Header, titles_of
from gridmill.formats.notes import is_note
from gridmill.formats.quoting import split_rows
from gridmill.formats.reader import Found
from gridmill.formats.table import Table

ANSWER = "solution"

_DELIMITERS = DELIMITERS + " "  # a space parts fields only where boards are found between spaces

_IS_NAME = re.compile(r"[^\W\d][\w .:/()-]{0,39}").fullmatch  # shorter than a board of letters
_IS_TITLE = re.compile(r"(?:(?=.*[A-WYZa-wyz]).{1,30})?").fullmatch  # what is longer, or all cells, is a damaged board

_Rows = list[tuple[int, list[str]]]  # line in the head, from 0, and fields


def recognise(head: Sequence[str], name: str) -> Found | None:
    """A table without a header that names the puzzles: seen at the first row with a board that is not its first field.

    Also where the first field is a puzzle and another one a full board, or the rows stand under a row of names; else,
    and where the rows are not of one width, what is behind the puzzle is a tail. Raises FormatError when two columns
    hold puzzles, neither of them the first.
    """
    for delimiter in _DELIMITERS:
        rows = _rows(head, delimiter)
        boards = [place for place in range(len(rows[0][1]) if rows else 0) if _holds_boards(rows, place)]
        puzzles = [place for place in boards if _holds_blanks(rows, place)] or boards[:1]
        if len(puzzles) > 1 and puzzles[0] > 0:
            raise ambiguous(name, f"columns {puzzles[0] + 1} and {puzzles[1] + 1}", "NUMBER")
        is_told = (len(boards) > 1 and _is_even(head, delimiter)) or _is_headed(head, delimiter)
        if puzzles and (puzzles[0] > 0 or (len(puzzles) == 1 and delimiter in DELIMITERS and is_told)):
            return _found(head, delimiter, rows, puzzles[0])
    return None


def number_of(column: str) -> int | None:
    """The number that a demanded ``column`` is, if it is one."""
    return int(column) if column.isascii() and column.isdecimal() and len(column) < 10 else None


def by_number(head: Sequence[str], number: int, name: str) -> Found:
    """The table whose puzzles are in column ``number``, from 1. Raises FormatError when there is no such column."""
    contents = {delimiter: _content(head, delimiter) for delimiter in _DELIMITERS}
    widths = {delimiter: len(content[0][1]) if content else 0 for delimiter, content in contents.items()}
    if not 1 <= number <= max(widths.values()):
        raise FormatError(f"{name} has no column {number}; its first row has {max(widths.values())}")
    wide = [delimiter for delimiter in _DELIMITERS if widths[delimiter] >= number]
    delimiter = max(wide, key=lambda each: sum(_board(row[number - 1 : number]) for _, row in contents[each]))
    content = contents[delimiter]
    begin = next((at for at, (_, fields) in enumerate(content) if _board(fields[number - 1 : number])), 0)
    rows = [row for row in content[begin:] if len(row[1]) == widths[delimiter]]
    return _found(head, delimiter, rows or content[:1], number - 1)


def settle(head: Sequence[str], header: Header, name: str) -> Header:
    """``header``, with the puzzles in the one column that is named for them and holds some.

    Raises FormatError when two columns are named for puzzles, and both hold boards with blanks.
    """
    rows = [row for row in _content(head, header.delimiter) if row[0] > header.at and len(row[1]) == len(header.names)]
    named = [place for place, title in enumerate(header.names) if title in PUZZLE_NAMES]
    both = [place for place in named if rows and _holds_boards(rows, place) and _holds_blanks(rows, place)]
    if len(both) > 1:
        raise ambiguous(name, f"columns {header.titles[both[0]]!r} and {header.titles[both[1]]!r}", "NAME")
    return replace(header, puzzle=both[0]) if both else header


def ambiguous(name: str, columns: str, what: str) -> FormatError:
    """The refusal of the file ``name`` with puzzles in two ``columns``, which ``--column WHAT`` tells apart."""
    return FormatError(f"{name} has puzzles in its {columns}; say with --column {what} which of them are meant")


def _content(head: Sequence[str], delimiter: str) -> _Rows:
    """The rows of ``head`` that are no comments."""
    rows = split_rows(head, delimiter, 0)
    return [(row.line - 1, row.fields) for row in rows if row.fields is not None and not is_note(row.raw)]


def _rows(head: Sequence[str], delimiter: str) -> _Rows:
    """The rows that have as many fields as the first row with a board, from that one on."""
    content = _content(head, delimiter)
    begin = next((at for at, (_, fields) in enumerate(content) if len(fields) > 1 and _board(fields)), None)
    if begin is None:
        return []
    width = len(content[begin][1])
    return [(at, fields) for at, fields in content[begin:] if len(fields) == width]


def _is_even(head: Sequence[str], delimiter: str) -> bool:
    return len({len(fields) for _, fields in _content(head, delimiter) if _board(fields)}) == 1


def _is_headed(head: Sequence[str], delimiter: str) -> bool:
    """Whether the first row is nothing but names, all others are as wide, and more than half of them have boards."""
    content = _content(head, delimiter)
    names = content[0][1] if content else []
    boards = sum(_board(fields) for _, fields in content)
    are_wide = {len(fields) for _, fields in content} == {len(names)}
    return 2 * boards > len(content) - 1 and are_wide and all(_IS_NAME(name.strip()) for name in names)


def _holds_boards(rows: _Rows, place: int) -> bool:
    """Whether more than half of a column's fields are boards."""
    return 2 * sum(_board([fields[place]]) for _, fields in rows) > len(rows)


def _holds_blanks(rows: _Rows, place: int) -> bool:
    return any(BLANK in (_cells(fields[place]) or "") for _, fields in rows)


def _board(fields: Sequence[str]) -> bool:
    """Whether one of ``fields`` is a board."""
    return any(_cells(field) for field in fields)


def _cells(field: str) -> str | None:
    field = field.strip()
    board = plain(field)
    if board is None and " " in field:
        try:
            return read_cells(field)
        except BoardError:
            return None
    return board


def _found(head: Sequence[str], delimiter: str, rows: _Rows, puzzle: int) -> Found:
    (first, fields), (top, titles) = rows[0], _content(head, delimiter)[0]
    is_named = top < first and len(titles) == len(fields) and _IS_TITLE(titles[puzzle].strip()) is not None
    at, named = (top, titles_of(titles)) if is_named else (-1, tuple(_invented(rows, puzzle)))
    header = Header(at, delimiter, tuple(title.lower() for title in named), named, puzzle)
    where = f"named by line {at + 1}" if is_named else "without a header"
    reason = f"line {first + 1} is a row of {len(fields)} fields with a board in column {puzzle + 1}, {where}"
    return Found(first, "csv", reason, Table(header))


def _invented(rows: _Rows, puzzle: int) -> Iterator[str]:
    width = len(rows[0][1])
    firsts = [fields[0] for _, fields in rows]
    answer = next((place for place in range(width) if place != puzzle and _holds_boards(rows, place)), None)
    for place in range(width):
        if place == puzzle:
            yield PUZZLE_NAMES[0]
        elif place == answer:
            yield ANSWER
        elif place == 0 and len(set(firsts)) == len(firsts):
            yield ID_NAME
        else:
            yield f"column_{place + 1}"
