"""One board a line: 81 characters, blanks ``. 0 * _ x X - ?`` (one kind a line), perhaps something behind it.

What is behind the board (after white space or one of ``, ; : #``) is carried as the column ``tail``, if any of the
first lines of the file has one; a tail that first turns up deep in a file is passed over. Where the tails of the first
lines are full grids, the column is called ``solution``, and what it says is compared with our answers. Comments are
whole lines that begin with ``#``, ``//`` or ``%``.
"""

import re
from collections.abc import Iterable, Iterator, Sequence

from gridmill import kernel
from gridmill.answers import Answer
from gridmill.batch import Batch
from gridmill.board import CELLS
from gridmill.chunk import Record
from gridmill.column import Column
from gridmill.errors import BoardError
from gridmill.formats.cells import CELL, check_text, plain, read_cells
from gridmill.formats.header import SOLUTION_NAMES
from gridmill.formats.notes import is_note, is_title
from gridmill.formats.press import press
from gridmill.formats.reader import Found, Tally, fault_of
from gridmill.formats.row import ONE_SOLUTION, Row
from gridmill.formats.sheet import Sheet
from gridmill.formats.text import LINE_LIMIT, Packed, Text

TAIL, SOLUTION = "tail", SOLUTION_NAMES[0]

_BOARD_AND_TAIL = re.compile(rf"(\s*{CELL}{{{CELLS}}})(?:(?:\s*[,;:#]\s*|\s+)(.*))?", re.DOTALL)
_TAIL_LEAD = re.compile(r"[,;:#]")
_GRID = re.compile(rf"[1-9]{{{CELLS}}}")


class Lines:
    """The reader. ``tail``: the name of the column in which it carries tails; empty: it carries none."""

    def __init__(self, tail: str = "") -> None:
        self.columns: tuple[str, ...] = (tail,) if tail else ()

    def records(self, lines: Iterable[str], tally: Tally) -> Iterator[Record | Batch]:
        """One record a line that is neither blank nor comment nor title."""
        no_tail = ("",) * len(self.columns)
        text = Text.of(lines)
        for line in text.items(self._pack):
            if isinstance(line, Batch):
                yield line
            elif (board := plain(line)) is not None:
                yield Record(text.number, board, None, "", no_tail)
            elif is_note(line) or is_title(line):
                tally.skipped += 1
            else:
                yield self._read(text.number, line, no_tail)

    def _pack(self, block: bytes, start: int) -> Packed:
        end, boards, tails = kernel.extension.read_lines(block, start, LINE_LIMIT, bool(self.columns))
        return Packed(end, boards, extras=[Column(*tail) for tail in tails])

    def _read(self, number: int, line: str, no_tail: tuple[str, ...]) -> Record:
        try:
            board, tail = split_line(line)
        except BoardError as error:
            return Record(number, None, fault_of(error, line), "", no_tail)
        return Record(number, board, None, "", (tail,) if self.columns else ())


def split_line(line: str) -> tuple[str, str]:
    """The board (blanks as ``.``) and the tail of a line. Raises BoardError."""
    check_text(line)
    match = _BOARD_AND_TAIL.fullmatch(line.rstrip())
    if match:
        return read_cells(match[1]), match[2] or ""
    lead = _TAIL_LEAD.search(line)
    end = lead.start() if lead else len(line)
    return read_cells(line[:end]), line[end + 1 :].strip()


def recognise(head: Sequence[str]) -> Found | None:
    """Seen at the first line that holds a board."""
    boards = [(at, tail) for at, line in enumerate(head) if (tail := _tail(line)) is not None]
    if not boards:
        return None
    tails = [tail for _, tail in boards if tail]
    column, behind = ("", "") if not tails else (TAIL, ", with a tail behind the board")
    if tails and all(map(_GRID.fullmatch, tails)):
        column, behind = SOLUTION, ", with a solution behind it"
    return Found(boards[0][0], "lines", f"line {boards[0][0] + 1} is a board{behind}", Lines(column))


def _tail(line: str) -> str | None:
    """What is behind the board of a line; None where there is no board."""
    try:
        return None if is_note(line) else split_line(line)[1]
    except BoardError:
        return None


class LinesWriter:
    """Writes the solution of each record, or its status in angle brackets: ``<multiple>``.

    Where all solutions were asked for, those of a record stand on its line, separated by spaces; ``>N`` behind them
    says that there are more.
    """

    def header(self) -> bytes:
        return b""

    def rows(self, rows: Iterable[Row]) -> bytes:
        """One line a row. Two solutions are no answer to print as if it were the only one, hence ``<multiple>``."""
        return "".join([_said(row.puzzle, row.answer) + "\n" for row in rows]).encode()

    def sheet(self, sheet: Sheet) -> Iterator[bytes]:
        return press("lines", sheet, _said) if kernel.native else iter((self.rows(sheet.rows()),))


def _said(puzzle: str, answer: Answer) -> str:
    if answer.listed:
        return " ".join(answer.listed) + (f" {answer.count}" if answer.count.startswith(">") else "")
    return answer.solution if answer.status in ONE_SOLUTION else f"<{answer.status}>"
