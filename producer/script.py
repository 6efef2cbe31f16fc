"""Going through an input by place: forward by reading on, back by reading anew, and proof that it is the same input."""

from collections.abc import Iterator
from typing import Protocol

from gridmill.batch import Batch
from gridmill.chunk import Record
from gridmill.entry import Place
from gridmill.errors import Incomplete, InputChanged
from producer.cut import Cut, cut


class Records(Protocol):
    """An input. ``repeatable``: iterating again starts from its first record and yields the same ones."""

    repeatable: bool

    def __iter__(self) -> Iterator[Record | Batch]: ...


class Script:
    """The chunks of an input. `seek` a place, then take `current` and `advance`."""

    def __init__(self, records: Records, size: int, job: str) -> None:
        self._records = records
        self._size = size
        self._job = job
        self._cuts: Iterator[Cut] = iter(())
        self._begun = False
        self._at = Place()
        self.current: Cut | None = None

    @property
    def at(self) -> Place:
        """The place before `current`; at the end, the place behind the last chunk."""
        return self._at

    def seek(self, place: Place) -> None:
        """Go to ``place``. Raises InputChanged when this input has another content there."""
        if not self._begun or place.chunk < self._at.chunk:
            self._rewind()
        while self._at.chunk < place.chunk and self.current is not None:
            self.advance()
        if self._at != place:
            raise InputChanged(
                f"the input is not the one that job {self._job} was started with: they differ within the first "
                f"{place.record:,} records; give the original input, or start a new job",
                job=self._job,
            )

    def advance(self) -> None:
        """Go behind `current`."""
        if self.current is not None:
            self._at = self.current.after
        self.current = next(self._cuts, None)

    def _rewind(self) -> None:
        if self._begun and not self._records.repeatable:
            raise Incomplete(
                "the server lost a part of the job whose input (standard input, or an iterator) cannot be read twice; "
                "run the job from a file",
                job=self._job,
            )
        self._begun = True
        self._cuts = cut(self._records, self._size)
        self._at = Place()
        self.current = next(self._cuts, None)
