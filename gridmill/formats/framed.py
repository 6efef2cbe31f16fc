"""Simple Sudoku's ``.ss``: nine rows in bars under and above a frame, ``*-----------*``.

What has no bars and stands outside a frame is passed over, and so are frames with candidates: they show the puzzle
once more, on the way to its solution. Every other frame is a record. A form without a frame is `blocks`' to read.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from gridmill.chunk import Fault, Record
from gridmill.formats.blocks import Blocks
from gridmill.formats.escape import printable
from gridmill.formats.foreign import is_candidates
from gridmill.formats.reader import Found, Tally

_FRAME = re.compile(r"\s*\*-{9,200}\*\s*").fullmatch
_MOST_ROWS = 100  # lines in a frame; more, and its lower edge is missing


class Framed:
    """The reader."""

    columns: tuple[str, ...] = ()

    def records(self, lines: Iterable[str], tally: Tally) -> Iterator[Record]:
        """One record a frame, at the line of its first row. It ends at an edge, whether that is lower or upper."""
        begun, rows = 0, list[str]()
        for number, line in enumerate(lines, 1):
            if _FRAME(line):
                tally.skipped += 1
            elif rows or line.lstrip().startswith("|"):
                begun = begun if rows else number
                rows.append(line)
                if len(rows) < _MOST_ROWS:
                    continue
            else:
                tally.skipped += 1
            if rows:
                yield from _closed(begun, rows, tally)
                rows = []
        if rows:
            yield from _closed(begun, rows, tally)


def _closed(begun: int, rows: list[str], tally: Tally) -> Iterator[Record]:
    if sum(map(is_candidates, rows)) > 1:
        tally.skipped += len(rows)
        return
    read = list(Blocks().records(rows, Tally()))
    if len(read) == 1:
        yield read[0]._replace(line=begun)
    else:
        text = printable(" / ".join(line.strip() for line in rows))
        yield Record(begun, None, Fault(0, f"the frame holds {len(read)} boards instead of one", text))


def recognise(head: Sequence[str]) -> Found | None:
    """Seen at the first frame that is followed by rows which are no candidates."""
    edges = [at for at, line in enumerate(head) if _FRAME(line)]
    for at, end in pairwise([*edges, len(head)]):
        rows = [line for line in head[at + 1 : end] if line.lstrip().startswith("|")]
        if len(rows) >= 9 and not any(map(is_candidates, rows)):
            return Found(at, "ss", f"line {at + 1} is the frame of a Simple Sudoku board", Framed())
    return None
