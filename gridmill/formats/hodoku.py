"""HoDoKu's library lines: ``:technique:candidates:cells:deleted:eliminated:comment``.

A cell with ``+`` in front was filled while solving and is none of the givens, so it is read as a blank. What stands
between the other colons is carried under the names of `COLUMNS`.
"""

import re
from collections.abc import Iterable, Iterator, Sequence

from gridmill.chunk import Record
from gridmill.errors import BoardError
from gridmill.formats.cells import CELL, check_text, read_cells
from gridmill.formats.reader import Found, Tally, fault_of, records_of

COLUMNS = ("technique", "candidates", "deleted", "eliminated", "comment")

_FILLED = re.compile(r"\+[1-9]")
_ENTRY = re.compile(rf":[0-9x-]{{1,8}}:[^:]*:(?:\+?{CELL}){{81}}(?::.*)?", re.DOTALL | re.ASCII).fullmatch
_FIELDS = 6  # behind the first colon: the five of COLUMNS and the cells


class Library:
    """The reader."""

    columns = COLUMNS

    def records(self, lines: Iterable[str], tally: Tally) -> Iterator[Record]:
        """One record a line that is neither blank nor a comment."""
        return records_of(lines, tally, _read)


def _read(number: int, line: str) -> Record:
    lead, _, rest = line.partition(":")
    fields = rest.split(":", _FIELDS - 1)
    try:
        check_text(line)
        if lead.strip() or len(fields) < 3:
            raise BoardError("it is not :technique:candidates:cells:deleted:eliminated:comment")
        technique, candidates, cells, *others = fields
        board = read_cells(_FILLED.sub(".", cells)) if "+" in cells else read_cells(cells)
    except BoardError as error:
        return Record(number, None, fault_of(error, line), "", ("",) * len(COLUMNS))
    return Record(number, board, None, "", (technique, candidates, *others, *[""] * (_FIELDS - len(fields))))


def recognise(head: Sequence[str]) -> Found | None:
    """Seen at the first line that is an entry."""
    at = next((at for at, line in enumerate(head) if _ENTRY(line)), None)
    return None if at is None else Found(at, "hodoku", f"line {at + 1} is a HoDoKu library entry", Library())
