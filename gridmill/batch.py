"""Consecutive records, packed: what is read, cut and sent without an object for each record."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, pairwise, zip_longest
from typing import Self

from gridmill.board import HOLE, PACKED, pack, slots, unpack
from gridmill.column import SIZE, Column
from gridmill.record import Fault, Record

NO_TEXT = Column()


@dataclass(frozen=True, slots=True)
class Batch:
    """``boards``: a slot of 41 bytes each, `gridmill.board.HOLE` where there is none; what is wrong is in ``faults``.

    ``lines`` are runs ``(index, line)``: between two runs the line grows by one a record. ``extras`` are the input's
    own columns, none when none of them has any text. Indices count from 0.
    """

    boards: bytes
    lines: list[tuple[int, int]]
    ids: Column = NO_TEXT
    extras: Sequence[Column] = ()
    faults: Mapping[int, Fault] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.boards) // PACKED

    @classmethod
    def of(cls, records: Sequence[Record]) -> Self:
        """Pack ``records``."""
        lines, expected = [], -1
        for index, record in enumerate(records):
            if record.line != expected:
                lines.append((index, record.line))
            expected = record.line + 1
        extras = zip_longest(*[record.extras for record in records], fillvalue="")
        return cls(
            b"".join([HOLE if record.board is None else pack(record.board) for record in records]),
            lines,
            Column.of([record.id for record in records]),
            [Column.of(column) for column in extras],
            {index: record.fault for index, record in enumerate(records) if record.fault},
        )

    @classmethod
    def join(cls, batches: Sequence["Batch"]) -> Self:
        """All their records. Equal records give equal batches, however they were divided."""
        starts = list(accumulate((len(batch) for batch in batches), initial=0))
        lines: list[tuple[int, int]] = []
        faults: dict[int, Fault] = {}
        for start, batch in zip(starts, batches, strict=False):
            for index, line in batch.lines:
                _add_run(lines, start + index, line)
            faults.update((start + index, fault) for index, fault in batch.faults.items())
        columns = zip_longest(*(batch.extras for batch in batches), fillvalue=NO_TEXT)
        extras = [_joined(batches, column) for column in columns]
        return cls(
            b"".join([batch.boards for batch in batches]),
            lines,
            _joined(batches, [batch.ids for batch in batches]),
            extras if any(column.text for column in extras) else (),
            faults,
        )

    def part(self, lo: int, hi: int) -> Self:
        """The records ``lo`` to ``hi`` (exclusive)."""
        runs = pairwise([*self.lines, (len(self), 0)])
        return type(self)(
            self.boards[PACKED * lo : PACKED * hi],
            [
                (max(index - lo, 0), line + max(lo - index, 0))
                for (index, line), (end, _) in runs
                if end > lo and index < hi
            ],
            self.ids.part(lo, hi),
            [column.part(lo, hi) for column in self.extras],
            {index - lo: fault for index, fault in self.faults.items() if lo <= index < hi},
        )

    @property
    def weight(self) -> int:
        """Bytes that come with the boards: see `weight_of`."""
        texts = len(self.ids.text) + sum(len(column.text) for column in self.extras)
        faults = sum(len(fault.text.encode()) for fault in self.faults.values())
        return texts + SIZE * len(self.extras) * len(self) + faults

    def weights(self) -> Iterator[int]:
        """The weight of each record."""
        lengths = zip(*(column.lengths(len(self)) for column in (self.ids, *self.extras)), strict=True)
        for index, texts in enumerate(lengths):
            fault = self.faults.get(index)
            yield sum(texts) + SIZE * len(self.extras) + (len(fault.text.encode()) if fault else 0)

    def records(self) -> Iterator[Record]:
        """The records, one by one. Raises BoardError or ValueError when this was not made of records."""
        lines, line = dict(self.lines), 0
        ids = self.ids.texts(len(self))
        extras = list(zip(*(column.texts(len(self)) for column in self.extras), strict=True)) or [()] * len(self)
        for index, slot in enumerate(slots(self.boards)):
            line = lines.get(index, line + 1)
            board = None if slot == HOLE else unpack(slot)
            yield Record(line, board, self.faults.get(index), ids[index], extras[index])


def one_by_one(items: Iterable[Record | Batch]) -> Iterator[Record]:
    """The records, those in batches too."""
    for item in items:
        if isinstance(item, Batch):
            yield from item.records()
        else:
            yield item


def grouped(items: Iterable[Record | Batch], size: int) -> Iterator[Batch]:
    """What comes packed as it comes, all else packed, up to ``size`` records at a time."""
    loose: list[Record] = []
    for item in items:
        if isinstance(item, Record):
            loose.append(item)
        if loose and (isinstance(item, Batch) or len(loose) == size):
            yield Batch.of(loose)
            loose = []
        if isinstance(item, Batch):
            yield item
    if loose:
        yield Batch.of(loose)


def weight_of(record: Record) -> int:
    """Bytes that come with the board of a record: its texts, and a size for each of the input's columns."""
    _, _, fault, number, extras = record
    if not number and not extras and not fault:
        return 0
    texts = (number, *extras, fault.text if fault else "")
    bytes_of = [len(text) if text.isascii() else len(text.encode()) for text in texts if text]
    return sum(bytes_of) + SIZE * len(extras)


def _joined(batches: Sequence[Batch], columns: Sequence[Column]) -> Column:
    return Column.join((len(batch), column) for batch, column in zip(batches, columns, strict=True))


def _add_run(lines: list[tuple[int, int]], index: int, line: int) -> None:
    if not lines or line - lines[-1][1] != index - lines[-1][0]:
        lines.append((index, line))
