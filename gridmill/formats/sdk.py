"""SadMan Sudoku's ``.sdk``: nine rows under ``[Puzzle]``. Other sections, such as ``[State]``, are passed over.

Lines that begin with ``#`` and a letter say who made the puzzle, and when; they are carried under the names of
`FIELDS`, if the first lines of the file have them. A file of nine rows without ``[Puzzle]`` is `blocks`' to read.
"""

import re
from collections.abc import Iterable, Iterator, Sequence

from gridmill.chunk import Fault, Record
from gridmill.formats.blocks import Blocks
from gridmill.formats.notes import is_note
from gridmill.formats.reader import Found, Tally
from gridmill.formats.text import LINE_LIMIT

FIELDS = {  # the letter behind the #: what the line says
    "A": "author",
    "B": "date",
    "C": "comment",
    "D": "description",
    "L": "level",
    "S": "source",
    "U": "url",
}

_PUZZLE = "puzzle"
_SECTION = re.compile(r"\s*\[([A-Za-z ]{1,40})\]\s*").fullmatch
_MOST_ROWS = 100  # rows of a section that are kept: nine, borders, and enough to show that it is broken


class Sdk:
    """The reader. ``columns`` are those of `FIELDS` that it carries."""

    def __init__(self, columns: tuple[str, ...]) -> None:
        self.columns = columns

    def records(self, lines: Iterable[str], tally: Tally) -> Iterator[Record]:
        """One record for each ``[Puzzle]``, at the line of its first row."""
        said = dict.fromkeys(self.columns, "")
        puzzle: _Puzzle | None = None
        for number, line in enumerate(lines, 1):
            name, field = _name(line), _field(line)
            if puzzle and (name or (field and puzzle.rows)):  # the next section, or what is said of the next puzzle
                yield puzzle.record(said)
                puzzle, said = None, dict.fromkeys(self.columns, "")
            if puzzle and not is_note(line):
                puzzle.add(number, line)
                continue
            tally.skipped += 1
            if name == _PUZZLE:
                puzzle = _Puzzle(number)
            elif field and field[0] in said:
                said[field[0]] = f"{said[field[0]]} {field[1]}".strip()[:LINE_LIMIT]
        if puzzle:
            yield puzzle.record(said)


class _Puzzle:
    """What stands under a ``[Puzzle]``."""

    def __init__(self, line: int) -> None:
        self.line = line
        self.rows: list[str] = []

    def add(self, number: int, row: str) -> None:
        if not self.rows:
            self.line = number
        if len(self.rows) < _MOST_ROWS:
            self.rows.append(row)

    def record(self, said: dict[str, str]) -> Record:
        extras = tuple(said.values())
        boards = list(Blocks().records(self.rows, Tally()))
        if len(boards) == 1:
            return boards[0]._replace(line=self.line, extras=extras)
        reason = f"[Puzzle] holds {len(boards)} boards instead of one" if boards else "[Puzzle] is empty"
        return Record(self.line, None, Fault(0, reason, "[Puzzle]"), "", extras)


def _name(line: str) -> str | None:
    """The section, in lower case, that a line opens."""
    match = _SECTION(line)
    return match[1].strip().lower() if match else None


def _field(line: str) -> tuple[str, str] | None:
    """Name and value of a line such as ``#LEasy``."""
    name = FIELDS.get(line[1:2]) if line.startswith("#") else None
    return (
        (name, line[2:].strip().encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace"))
        if name
        else None
    )


def recognise(head: Sequence[str]) -> Found | None:
    """Seen at the first ``[Puzzle]``."""
    at = next((at for at, line in enumerate(head) if _name(line) == _PUZZLE), None)
    if at is None:
        return None
    said = {field[0] for line in head if (field := _field(line))}
    columns = tuple(name for name in FIELDS.values() if name in said)
    return Found(at, "sdk", f"line {at + 1} is [Puzzle]", Sdk(columns))
