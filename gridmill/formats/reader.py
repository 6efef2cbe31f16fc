"""What a family of formats offers to the one who reads a file of it."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple, Protocol

from gridmill.batch import Batch
from gridmill.chunk import Fault, Record
from gridmill.errors import BoardError
from gridmill.formats.escape import printable


class Tally:
    """Counts the lines that belong to no record: blank lines, comments, titles, headers."""

    def __init__(self) -> None:
        self.skipped = 0


class Reader(Protocol):
    """Makes records of lines. ``columns`` are the names of its records' extras."""

    @property
    def columns(self) -> tuple[str, ...]: ...

    def records(self, lines: Iterable[str], tally: Tally) -> Iterator[Record | Batch]:
        """The records of a whole file, from its first line, in order; many at once where a kernel packs a `Text`."""


class Found(NamedTuple):
    """A family's claim to a file: where in the head (from 0) it saw itself, and why."""

    at: int
    format: str
    reason: str
    reader: Reader


def fault_of(error: BoardError, text: str) -> Fault:
    """The fault that ``error`` is in the raw text of a record."""
    return Fault(error.column, str(error), printable(text))
