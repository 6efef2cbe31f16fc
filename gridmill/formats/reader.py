"""What a family of formats offers to the one who reads a file of it."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple, Protocol, runtime_checkable

from gridmill.batch import Batch
from gridmill.chunk import Fault, Record
from gridmill.errors import BoardError
from gridmill.formats.cells import read_cells
from gridmill.formats.escape import printable
from gridmill.formats.notes import is_note
from gridmill.formats.source import Source


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


@runtime_checkable
class HasCells(Protocol):
    """A reader that turns the text of a board into one by what ``cells`` is, and may be given another."""

    cells: Callable[[str], str]


def records_of(lines: Iterable[str], tally: Tally, read: Callable[[int, str], Record]) -> Iterator[Record]:
    """What ``read`` makes of each line and its number; those that are blank or comments are passed over."""
    for number, line in enumerate(lines, 1):
        if is_note(line):
            tally.skipped += 1
        else:
            yield read(number, line)


class ContentReader(ABC):
    """Makes records of a file whose content is not made of lines. ``cells`` turns the text of a board into one."""

    columns: tuple[str, ...] = ()
    cells: Callable[[str], str] = staticmethod(read_cells)

    @abstractmethod
    def read(self, source: Source, content: Iterator[bytes], tally: Tally) -> Iterator[Record]:
        """The records of the file ``source``, whose ``content`` this is, from its first byte, in order.

        Raises FormatError, naming the file, where it breaks and nothing behind that can be read.
        """


class Found(NamedTuple):
    """A family's claim to a file: where in the head (from 0) it saw itself, and why."""

    at: int
    format: str
    reason: str
    reader: Reader | ContentReader


def fault_of(error: BoardError, text: str) -> Fault:
    """The fault that ``error`` is in the raw text of a record."""
    return Fault(error.column, str(error), printable(text))
