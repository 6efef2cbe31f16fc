"""Boards that a program gives, in whatever form it holds them, as records.

File      what `gridmill.read` has opened
Text      strings of 81 cells, or `gridmill.record.Record`, one after another
Buffer    bytes, bytearray, memoryview: 81 bytes a board, each perhaps with a line end behind it
Array     anything with the buffer protocol, as numpy has it: shape (n, 81) or (n, 9, 9) of uint8
Arrow     a column of strings: anything with ``__arrow_c_stream__`` or ``__arrow_c_array__``, as pandas, polars and
          pyarrow have it

Buffers, contiguous arrays and most of Arrow's strings are read where they are, without a copy.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TYPE_CHECKING

from gridmill.api import arrow
from gridmill.api.records import Records
from gridmill.api.rows import BLOCK, Rows
from gridmill.batch import Batch, grouped
from gridmill.board import CELLS
from gridmill.errors import BoardError
from gridmill.formats.cells import check_text, plain, read_cells
from gridmill.formats.input import Input
from gridmill.formats.reader import fault_of
from gridmill.record import Record

if TYPE_CHECKING:
    from typing_extensions import Buffer

    Boards = Iterable[str] | Iterable[Record] | Buffer | arrow.Column

Text = str | None  # None is Arrow's null
Part = Rows | Input | Iterable[Text | Record]
_NO_CELLS = ("w", "O")  # formats of numpy's arrays of texts and of objects, whose items are looked at one by one


class Given:
    """The records of ``boards``; iterating begins at the first again, as long as they are ``repeatable``.

    A text that is no board is a record with a fault. Raises BoardError for what cannot hold boards at all.
    """

    def __init__(self, boards: Boards) -> None:
        source = boards.input if isinstance(boards, Records) else None
        self.columns = source.columns if source else ()
        self.answers = source.answers if source else ()
        self.repeatable = source.repeatable if source else not isinstance(boards, Iterator)
        self._parts: Iterable[Part]
        if source:
            self._parts = (source,)
        elif isinstance(boards, str):
            raise BoardError("one text is no collection of boards; give a list: [board]")
        elif arrow.is_column(boards):
            self._parts = arrow.parts(boards)
        elif (view := _view(boards)) is not None:
            self._parts = Rows.of(view)
        elif isinstance(boards, Iterable):
            self._parts = (boards,)
        else:
            raise BoardError(f"{type(boards).__name__} holds no boards; give strings, an array or a column of them")

    def __iter__(self) -> Iterator[Batch]:
        done = 0
        for part in self._parts:
            for batch in _batches(part, done + 1):
                yield batch
                done += len(batch)


def _batches(part: Part, first: int) -> Iterator[Batch]:
    """The records of ``part``, the first of which is number ``first`` of all."""
    if isinstance(part, Rows):
        return part.batches(first)
    return grouped(part, BLOCK) if isinstance(part, Input) else _of_texts(part, first)


def _view(boards: object) -> memoryview | None:
    try:
        view = memoryview(boards)  # type: ignore[arg-type]  # whether it is a buffer is what is asked here
    except TypeError:
        return None
    return None if view.format.endswith(_NO_CELLS) else view


def _of_texts(items: Iterable[Text | Record], first: int) -> Iterator[Batch]:
    source = iter(items)
    while block := list(islice(source, BLOCK)):
        yield _joined(block, first) or Batch.of([_record(number, item) for number, item in enumerate(block, first)])
        first += len(block)


def _joined(block: list[Text | Record], first: int) -> Batch | None:
    """The batch of a block of nothing but texts of 81 ASCII characters that are boards, without an object for each."""
    if {*map(type, block)} != {str}:
        return None
    text = "".join(block)  # type: ignore[arg-type]  # no item is anything but a text
    if not text.isascii() or {*map(len, block)} != {CELLS}:  # type: ignore[arg-type]
        return None
    (batch,) = Rows(memoryview(text.encode()), CELLS).batches(first)
    return None if batch.faults else batch


def _record(number: int, item: Text | Record) -> Record:
    if isinstance(item, Record):
        return item._replace(extras=())  # whose names nobody knows
    text = item or ""
    if not isinstance(text, str):
        raise BoardError(f"board {number} is of type {type(text).__name__}; it must be a text of 81 cells")
    try:
        check_text(text)
        return Record(number, plain(text) or read_cells(text))
    except BoardError as error:
        return Record(number, None, fault_of(error, text))
