"""The header of a table: which column holds the puzzles, and what the others are called."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from gridmill.formats.escape import printable
from gridmill.formats.notes import is_note
from gridmill.formats.quoting import split_rows
from gridmill.formats.row import FIELDS

# Names of the column with the puzzles, in the order in which they are believed when a table has several.
PUZZLE_NAMES = (
    "puzzle",
    "puzzles",
    "quizzes",
    "quiz",
    "question",
    "sudoku",
    "board",
    "grid",
    "givens",
    "unsolved",
    "problem",
)
SOLUTION_NAMES = ("solution", "solutions", "answer", "answers")  # of the column with solutions that are known
ID_NAME = "id"
DELIMITERS = ",;\t"


@dataclass(frozen=True, slots=True)
class Header:
    """``at`` is its line in the head, from 0; ``names`` are lower case, ``titles`` distinct and as they stand there."""

    at: int
    delimiter: str
    names: tuple[str, ...]
    titles: tuple[str, ...]
    puzzle: int

    @property
    def is_ours(self) -> bool:
        """Whether this is the header of an answers file of our own."""
        return self.names[: len(FIELDS)] == FIELDS

    def find(self, *names: str) -> int | None:
        """The index of the first column that has one of ``names``."""
        return place_of(names, self.names)


def distinct(names: Iterable[str], taken: Iterable[str] = ()) -> tuple[str, ...]:
    """``names`` with a number behind each that was there before or is in ``taken``: a, a_2, a_3."""
    seen = set(taken)
    numbers: dict[str, int] = {}  # the last one of each name, or many equal names would be counted again and again
    result = []
    for name in names:
        number, candidate = numbers.get(name, 1), name
        while candidate in seen:
            number += 1
            candidate = f"{name}_{number}"
        numbers[name] = number
        seen.add(candidate)
        result.append(candidate)
    return tuple(result)


def find_header(head: Sequence[str], column: str | None = None) -> Header | None:
    """The header in the first row of ``head``: it names the puzzles' column, or ``column`` if that is given."""
    for delimiter in DELIMITERS:
        at, fields = _first_row(head, delimiter)
        names = _lower(fields)
        puzzle = place_of(PUZZLE_NAMES, names) if column is None else _forced_index(fields, names, column)
        if puzzle is not None:
            return Header(at, delimiter, names, titles_of(fields), puzzle)
    return None


def titles_of(fields: Iterable[str]) -> tuple[str, ...]:
    """What the columns are called under a row of names; one that has none, by its number."""
    return distinct(printable(field.strip()) or f"column_{n}" for n, field in enumerate(fields, 1))


def place_of(wanted: Iterable[str], names: Sequence[str]) -> int | None:
    """The index in ``names`` of the first of ``wanted`` that is there."""
    return next((names.index(name) for name in wanted if name in names), None)


def first_columns(head: Sequence[str]) -> list[str]:
    """What the first row of ``head`` has in its fields, by the delimiter that gives the most."""
    rows = (_first_row(head, delimiter)[1] for delimiter in DELIMITERS)
    return [printable(field.strip()) for field in max(rows, key=len)]


def _first_row(head: Sequence[str], delimiter: str) -> tuple[int, list[str]]:
    """Where the first row that is no comment stands, from 0, and its fields. A header may itself begin with ``#``."""
    for at, line in enumerate(head):
        fields = next(split_rows((line,), delimiter, 0)).fields or []
        if not is_note(line) or place_of(PUZZLE_NAMES, _lower(fields)) is not None:
            return at, fields
    return len(head), []


def _lower(fields: Iterable[str]) -> tuple[str, ...]:
    return tuple(field.strip().lower() for field in fields)


def _forced_index(fields: Sequence[str], names: Sequence[str], column: str) -> int | None:
    stripped = [field.strip() for field in fields]
    if column in stripped:
        return stripped.index(column)
    return names.index(column.lower()) if column.lower() in names else None
