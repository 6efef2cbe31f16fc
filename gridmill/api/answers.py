"""Many answers, in the order of their boards: one by one, as numpy's arrays or as Arrow's table."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import accumulate, chain
from operator import attrgetter
from typing import TYPE_CHECKING, overload

from gridmill.answers import Answer, Status
from gridmill.api import columns as packed
from gridmill.board import CELLS
from gridmill.errors import PackageError
from gridmill.formats.row import Row
from gridmill.formats.sheet import Sheet
from gridmill.plural import counted
from gridmill.questions import NOTHING, Questions

if TYPE_CHECKING:
    import numpy
    import pyarrow
    from numpy.typing import NDArray


class Answers:
    """The answers to consecutive records, as they were packed when they were found.

    A sequence, though not called one, or polars would take it for a list of objects rather than a table of Arrow's.
    An `Answer` is made when it is asked for, an array when it is first asked for. The arrays are read-only and need
    numpy; `to_arrow`, and whatever takes this as a table of Arrow's, needs pyarrow.

    >>> import gridmill
    >>> answers = gridmill.solve_many(["." * 81, "55" + "." * 79])
    >>> answers
    <2 answers: 1 clash, 1 multiple>
    >>> answers[1].detail
    '5 twice in row 1: r1c1, r1c2'
    """

    def __init__(self, sheets: Iterable[Sheet], columns: tuple[str, ...] = ()) -> None:
        self.sheets = tuple(sheets)
        self.columns = columns  # the input's own, whose texts are in the `extras` of `rows`
        self._ends = list(accumulate(map(len, self.sheets)))

    def __len__(self) -> int:
        return self._ends[-1] if self._ends else 0

    def __iter__(self) -> Iterator[Answer]:
        return map(attrgetter("answer"), self.rows())  # no generator, which whoever breaks off would close

    @overload
    def __getitem__(self, index: int) -> Answer: ...
    @overload
    def __getitem__(self, index: slice) -> list[Answer]: ...
    def __getitem__(self, index: int | slice) -> Answer | list[Answer]:
        if isinstance(index, slice):
            return [self[at] for at in range(*index.indices(len(self)))]
        at = range(len(self))[index]
        place = bisect_right(self._ends, at)
        sheet = self.sheets[place]
        return sheet.answer(at - self._ends[place] + len(sheet))

    def __repr__(self) -> str:
        counts = ", ".join(f"{count:,} {status}" for status, count in sorted(self.counts.items()))
        return f"<{counted(len(self), 'answer')}{': ' if counts else ''}{counts}>"

    @property
    def asked(self) -> Questions:
        """What else they say."""
        return self.sheets[0].asked if self.sheets else NOTHING

    def rows(self) -> Iterator[Row]:
        """Each record with its answer: its number, line, id and puzzle."""
        return chain.from_iterable(sheet.rows() for sheet in self.sheets)

    @property
    def counts(self) -> Counter[Status]:
        """How many answers have each status."""
        total = sum((sheet.counts() for sheet in self.sheets), Counter[str]())
        return Counter({Status(name): count for name, count in total.items()})

    @cached_property
    def codes(self) -> NDArray[numpy.uint8]:
        """The status of each answer, as its place in `STATUSES`; shape (n,)."""
        return _array(map(packed.codes, self.sheets))

    @cached_property
    def nodes(self) -> NDArray[numpy.uint32]:
        """The search nodes of each answer; shape (n,)."""
        return _array(map(packed.nodes, self.sheets)).view("<u4")

    @cached_property
    def puzzles(self) -> NDArray[numpy.uint8]:
        """The boards, 0 for a blank, nothing but blanks for a record that is none; shape (n, 81)."""
        return self._grid(packed.puzzles)

    @cached_property
    def solutions(self) -> NDArray[numpy.uint8]:
        """The solutions, 0 in all cells where there is none; shape (n, 81)."""
        return self._grid(packed.solutions)

    @cached_property
    def second_solutions(self) -> NDArray[numpy.uint8]:
        """The second solutions of boards that have several, 0 in all cells of others; shape (n, 81)."""
        return self._grid(packed.second_solutions)

    def to_arrow(self) -> pyarrow.Table:
        """The columns of an answers file from ``puzzle`` to ``detail``, and behind them those of what else was asked.

        Raises PackageError.
        """
        from gridmill.api.table import table

        return table(self.sheets, self.asked)

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        return self.to_arrow().__arrow_c_stream__(requested_schema)

    def _grid(self, rows: packed.Grid) -> NDArray[numpy.uint8]:
        return _array(rows(sheet, False) for sheet in self.sheets).reshape(-1, CELLS)


def _array(parts: Iterable[bytes]) -> NDArray[numpy.uint8]:
    """The bytes of ``parts`` as an array. Raises PackageError without numpy."""
    try:
        import numpy
    except ImportError as error:
        raise PackageError("arrays need a package that is not installed: pip install numpy") from error
    return numpy.frombuffer(b"".join(parts), numpy.uint8)
