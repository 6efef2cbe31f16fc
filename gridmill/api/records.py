"""The records of a puzzle file, for programs."""

from collections.abc import Iterator

from gridmill.formats.input import Input
from gridmill.record import Record


class Records(Iterator[Record]):
    """Iterates the records of ``input``, once; the file is opened with the first. See `gridmill.read`."""

    def __init__(self, input: Input) -> None:
        self.input = input
        self._records: Iterator[Record] | None = None

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the records' ``extras``."""
        return self.input.columns

    def __next__(self) -> Record:
        if self._records is None:
            self._records = self.input.records()
        return next(self._records)
