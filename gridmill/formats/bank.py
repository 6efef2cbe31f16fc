"""The puzzle bank's records (grantm/sudoku-exchange-puzzle-bank): 100 bytes a line.

offset 0    12 hexadecimal digits, the beginning of the SHA-1 of the 81 cells: the record's id
offset 13   81 cells, blanks as 0
offset 95   the difficulty, right-aligned to four places: the column ``rating``
"""

import re
from collections.abc import Iterable, Iterator, Sequence

from gridmill.board import CELLS
from gridmill.chunk import Record
from gridmill.errors import BoardError
from gridmill.formats.cells import CELL, check_text, read_cells
from gridmill.formats.reader import Found, Tally, fault_of, records_of

RATING = "rating"

_RECORD = re.compile(rf"([0-9a-f]{{12}}) ({CELL}{{{CELLS}}}) {{1,2}}([0-9]{{1,2}}\.[0-9])\s*", re.ASCII).fullmatch
_LEAD = re.compile(r"([0-9a-f]{12}) (\S*)\s*(.*)", re.DOTALL).fullmatch  # of a record whose cells are damaged


class Bank:
    """The reader."""

    columns = (RATING,)

    def records(self, lines: Iterable[str], tally: Tally) -> Iterator[Record]:
        """One record a line that is neither blank nor a comment."""
        return records_of(lines, tally, _read)


def _read(number: int, line: str) -> Record:
    match = _RECORD(line) or _LEAD(line)
    name, cells, rating = match.groups() if match else ("", line, "")
    try:
        check_text(line)
        if match is None:
            raise BoardError("it is not 12 hexadecimal digits, a space, 81 cells, a space and a rating")
        return Record(number, read_cells(cells), None, name, (rating.rstrip(),))
    except BoardError as error:
        return Record(number, None, fault_of(error, cells), name, ("",))


def recognise(head: Sequence[str]) -> Found | None:
    """Seen at the first line that is a record."""
    at = next((at for at, line in enumerate(head) if _RECORD(line)), None)
    if at is None:
        return None
    return Found(at, "bank", f"line {at + 1} is a record of the puzzle bank: hash, cells, rating", Bank())
