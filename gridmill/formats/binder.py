"""Binds lines of answers into sheaves with the kernel, each read as `gridmill.formats.stated` reads it by itself.

What the kernel does not take comes as single lines. A sheaf keeps the bytes that it was made of, for a line that is to
be read by itself after all.
"""

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Protocol

from gridmill import kernel
from gridmill.batch import NO_TEXT, Batch
from gridmill.board import CELLS
from gridmill.column import Column
from gridmill.formats.header import Header
from gridmill.formats.quoting import split_rows
from gridmill.formats.sheaf import OWN, Sheaf
from gridmill.formats.stated import COUNTED, NUMBER_DIGITS, REPEATS, SOLUTION_END, Stated, of_fields, of_text
from gridmill.formats.text import LINE_LIMIT, ROW_LIMIT, Packed, Text

_QUOTE = b'"'
_UNKNOWN = "?"  # a count that nothing says


class Binder(Protocol):
    """Makes sheaves of one kind of lines."""

    def pack(self, block: bytes, start: int) -> Packed:
        """See `gridmill.formats.text.Pack`."""

    def sheaf(self, batch: Batch, raw: "Raw") -> Sheaf:
        """What `pack` took, from these lines."""


class Raw:
    """The lines of a batch as they stand there, taken apart when one is wanted. ``first``: the number of the first."""

    def __init__(self, content: bytes, first: int) -> None:
        self._content, self._first = content, first

    @cached_property
    def _lines(self) -> list[str]:
        return list(Text(iter((self._content,)), ROW_LIMIT))

    def line(self, at: int) -> tuple[int, str]:
        """The number and the text of line ``at``, from 0."""
        return self._first + at, self._lines[at]


def bound(text: Text, binder: Binder) -> Iterator[str | Sheaf]:
    """What follows in ``text``: sheaves, and the lines that are in none."""
    for item in text.items(binder.pack):
        if isinstance(item, Batch):
            yield binder.sheaf(item, Raw(text.raw(), item.lines[0][1]))
        else:
            yield item


class Rows:
    """Of a table, whose column ``solution`` has the solutions."""

    def __init__(self, header: Header, solution: int) -> None:
        self._header, self._solution = header, solution

    def pack(self, block: bytes, start: int) -> Packed:
        """See `Binder`."""
        header, width = self._header, len(self._header.names)
        end, boards, columns = kernel.extension.read_table(
            block, start, ROW_LIMIT, ord(header.delimiter), width, header.puzzle, False
        )
        columns.insert(header.puzzle, NO_TEXT)  # so that they stand where their names do
        return Packed(end, boards, extras=[Column(*column) for column in columns])

    def sheaf(self, batch: Batch, raw: Raw) -> Sheaf:
        """See `Binder`."""

        def stated(at: int) -> Stated:
            number, line = raw.line(at)
            fields = next(split_rows((line,), self._header.delimiter, len(self._header.names))).fields
            return of_fields(number, self._header, fields or (), self._solution)

        count = len(batch)
        if not self._header.is_ours:
            none = [""] * count
            return Sheaf(batch.boards, none, none, batch.extras[self._solution], Column(), (), {}, frozenset(), stated)
        said = dict(zip(self._header.names, batch.extras, strict=True))
        records = said["record"].texts(count)
        odd = {at for name in ("record", "line", "nodes") for at in _no_numbers(said[name], count)}
        return Sheaf(
            batch.boards,
            said["status"].texts(count),
            said["count"].texts(count),
            said["solution"],
            said["solution2"],
            [0 if at in odd else int(text) for at, text in enumerate(records)] if odd else list(map(int, records)),
            _repeating(said["detail"], count),
            frozenset(odd),
            stated,
            {name: said[name].texts(count) for name in OWN & said.keys()},
        )


class _Texts:
    """Of lines without a header."""

    def _sheaf(self, batch: Batch, counts: Sequence[str], solutions: Column, raw: Raw) -> Sheaf:
        said = {text: _said(text) for text in set(counts)}
        shown = [said[text] for text in counts]
        statuses, counts = [status for status, _ in shown], [count for _, count in shown]
        return Sheaf(
            batch.boards, statuses, counts, solutions, Column(), (), {}, frozenset(), lambda at: of_text(*raw.line(at))
        )


class Counted(_Texts):
    """``puzzle:count:solution`` with nothing behind it."""

    def pack(self, block: bytes, start: int) -> Packed:
        """See `Binder`. A quote is none here, but would be one to the kernel; it does not see the line that has one."""
        quote = block.find(_QUOTE, start)
        whole = block if quote < 0 else block[:quote]
        end, boards, columns = kernel.extension.read_table(whole, start, ROW_LIMIT, ord(":"), 3, 0, False)
        return Packed(end, boards, extras=[Column(*column) for column in columns])

    def sheaf(self, batch: Batch, raw: Raw) -> Sheaf:
        """See `Binder`."""
        counts, solutions = batch.extras
        return self._sheaf(batch, counts.texts(len(batch)), solutions, raw)


class Pairs(_Texts):
    """A board and its solution, and perhaps more behind that."""

    def pack(self, block: bytes, start: int) -> Packed:
        """See `Binder`."""
        end, boards, tails = kernel.extension.read_lines(block, start, LINE_LIMIT, True)
        return Packed(end, boards, extras=[Column(*tail) for tail in tails])

    def sheaf(self, batch: Batch, raw: Raw) -> Sheaf:
        """See `Binder`."""
        (tails,) = batch.extras
        count = len(batch)
        # With no colon in its tail a line cannot be `puzzle:count:solution`; with one, the tail is no solution.
        if b":" not in tails.text and tails.lengths(count) != (CELLS,) * count:
            tails = Column.of([SOLUTION_END.split(text, maxsplit=1)[0] for text in tails.texts(count)])
        return self._sheaf(batch, [""] * count, tails, raw)


def _said(count: str) -> tuple[str, str]:
    """The status and the count that the middle of ``puzzle:count:solution`` stands for."""
    if not COUNTED.fullmatch(f":{count}:"):
        return "", _UNKNOWN
    return (count.strip("<>"), "") if count.startswith("<") else ("", count)


def _no_numbers(column: Column, count: int) -> list[int]:
    """Which texts are no numbers."""
    lengths = column.lengths(count)
    if column.text.isdigit() and min(lengths) > 0 and max(lengths) <= NUMBER_DIGITS:
        return []
    texts = enumerate(column.blobs(count))
    return [at for at, text in texts if not (text.isdigit() and len(text) <= NUMBER_DIGITS)]


def _repeating(column: Column, count: int) -> dict[int, str]:
    """The texts that may say what a line repeats."""
    if REPEATS.encode() not in column.text:
        return {}
    return {at: text for at, text in enumerate(column.texts(count)) if REPEATS in text}
