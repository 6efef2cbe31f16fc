"""One board in nine lines of nine cells, with or without borders (``| + -``), spaces or commas between the cells.

Blocks are parted by blank lines or titles (``Grid 01``), or follow each other directly. A block that is not nine rows
of nine cells is one malformed record, and the next blank line or title starts afresh; without those, every nine lines
that are not borders count as one block, so a broken row does not move the blocks behind it.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from gridmill.board import BLANKS, counted
from gridmill.chunk import Record
from gridmill.errors import BoardError
from gridmill.formats.cells import CELL, check_signs, check_text, plain, read_cells
from gridmill.formats.notes import is_note, is_title
from gridmill.formats.reader import Found, Tally, fault_of
from gridmill.rules import cell_name

_ROWS = 9
_BETWEEN = "|,"  # what may stand between the cells of a row, beside white space
_TO_CELLS = str.maketrans("", "", _BETWEEN)
_ROW_CELLS = 9
_ROW = re.compile(rf"{CELL}{{{_ROW_CELLS}}}").fullmatch
_BORDER = re.compile(r"[-+|=*: \t]+").fullmatch
_DASHES = "-" * _ROW_CELLS  # a row of blanks, or the line between two bands


class _Line(NamedTuple):
    number: int
    text: str
    cells: str  # without borders and spaces


class Blocks:
    """The reader."""

    columns: tuple[str, ...] = ()

    def records(self, lines: Iterable[str], tally: Tally) -> Iterator[Record]:
        """One record a block; its line is that of its first row. A whole board on one line is a record, too."""
        held: list[_Line] = []
        for number, text in enumerate(lines, 1):
            board = plain(text.strip())
            is_end = board is not None or not text.strip() or is_title(text)
            if is_end and held:
                yield _record(held)
                held = []
            if board is not None:
                yield Record(number, board)
            elif is_end or is_note(text):
                tally.skipped += 1
            elif not _is_border(text, held):
                held.append(_Line(number, text, _cells(text)))
            # Ten to 17 lines in a row are one broken block; 18 are two blocks without anything between them.
            if len(held) == 2 * _ROWS:
                yield _record(held[:_ROWS])
                del held[:_ROWS]
        if held:
            yield _record(held)


def _cells(text: str) -> str:
    return "".join(text.translate(_TO_CELLS).split())


def _is_border(text: str, held: Sequence[_Line]) -> bool:
    cells = _cells(text)
    if cells == _DASHES:  # a row, unless the rows before it have another sign for a blank
        return any(sign in BLANKS and sign != "-" for line in held for sign in line.cells)
    return _BORDER(text) is not None and not _ROW(cells)


def _record(block: list[_Line]) -> Record:
    """The record of one block of any number of rows, whatever they hold."""
    try:
        return Record(block[0].number, _board(block))
    except BoardError as error:
        return Record(block[0].number, None, fault_of(error, " / ".join(line.text.strip() for line in block)))


def _board(block: list[_Line]) -> str:
    """Raises BoardError with the column in the wrong row."""
    for row, line in enumerate(block, 1):
        try:
            _check_row(line)
        except BoardError as error:
            raise BoardError(f"{error} (row {row})", column=error.column, found=error.found) from error
    if len(block) != _ROWS:
        raise BoardError(f"{len(block)} rows instead of {_ROWS}")
    try:
        return read_cells("".join(line.cells for line in block))
    except BoardError as error:  # two kinds of blank: name the cell, for its column is that of no line
        raise BoardError(f"{error} ({cell_name(error.column - 1)})", found=error.found) from error


def _check_row(line: _Line) -> None:
    check_text(line.text)
    check_signs(line.text, _BETWEEN)
    if len(line.cells) != _ROW_CELLS:
        raise BoardError(f"{counted(len(line.cells))} instead of {_ROW_CELLS}")


def recognise(head: Sequence[str]) -> Found | None:
    """Seen at the first of nine rows in a row; at the end of the head, behind all others, when most lines are rows."""
    rows = [at for at, line in enumerate(head) if _is_row(line)]
    content = [line for line in head if not is_note(line) and not is_title(line) and not _is_border(line, ())]
    at = _first_run(head)
    if at is not None:
        return Found(at, "blocks", f"nine rows of nine cells from line {at + 1}", Blocks())
    if 2 * len(rows) > len(content):
        return Found(len(head), "blocks", "most lines are rows of nine cells", Blocks())
    return None


def _first_run(head: Sequence[str]) -> int | None:
    """Where the first nine rows begin that follow each other, borders aside."""
    run: list[int] = []
    for at, line in enumerate(head):
        if _is_row(line):
            run.append(at)
            if len(run) == _ROWS:
                return run[0]
        elif not _is_border(line, ()):
            run = []
    return None


def _is_row(line: str) -> bool:
    return _ROW(_cells(line)) is not None
