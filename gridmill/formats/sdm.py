"""SadMan Sudoku's ``.sdm``: a collection of puzzles, 81 characters a line, blanks as ``0``. `lines` reads it.

Written are the puzzles, so that an app can import what has been checked: those with one solution as they are, every
other record as a comment that says what is wrong with it.
"""

from collections.abc import Iterable, Iterator

from gridmill.board import BLANK
from gridmill.formats.row import ONE_SOLUTION, Row
from gridmill.formats.sheet import Sheet


class SdmWriter:
    """Writes a collection."""

    def header(self) -> bytes:
        """Nothing."""
        return b""

    def rows(self, rows: Iterable[Row]) -> bytes:
        """One line a row."""
        return "".join(map(_line, rows)).encode()

    def sheet(self, sheet: Sheet) -> Iterator[bytes]:
        return iter((self.rows(sheet.rows()),))


def _line(row: Row) -> str:
    if row.answer.status in ONE_SOLUTION:
        return f"{row.puzzle.replace(BLANK, '0')}\n"
    return f"# record {row.record} is {row.answer.status}: {row.puzzle}\n"
