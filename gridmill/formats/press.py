"""From a sheet to the bytes of its rows, by the kernel."""

import struct
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
from typing import TYPE_CHECKING

from gridmill import kernel
from gridmill.answers import Answer
from gridmill.batch import NO_TEXT
from gridmill.column import Column
from gridmill.errors import WireError
from gridmill.formats.sheet import Sheet

if TYPE_CHECKING:
    from gridmill import _native as extension

BLOCK = 1 << 17  # bytes a block: what is written is still in the cache, and the call to write it costs little

Say = Callable[[str, Answer], str]  # what a row says of a puzzle with this answer, between the columns of the input


class Pressed(Iterator[bytes]):
    """Rows, taken out in blocks of about `BLOCK` bytes, or written where they belong. Raises WireError when the parts
    of their sheet do not fit together."""

    def __init__(self, rows: "extension.Press") -> None:
        self._rows = rows

    def __next__(self) -> bytes:
        with _explained():
            block = self._rows.next(BLOCK)
        if not block:
            raise StopIteration
        return block

    @property
    def most(self) -> int:
        """The most bytes that the next row needs; 0 when there is none."""
        return self._rows.most

    def fill(self, room: memoryview, at: int) -> int:
        """Write rows into ``room`` from byte ``at`` on, as long as the next one surely fits; where they end."""
        with _explained():
            return self._rows.fill(room, at)


def press(
    form: str,
    sheet: Sheet,
    say: Say,
    *,
    columns: int = 0,
    names: Sequence[bytes] = (),
    told: Sequence[Column] = (),
) -> Pressed:
    """The rows of ``sheet`` in the form (csv, jsonl, lines, counts) of that name.

    ``columns`` counts the ids and the input's own columns; 0: none is written. ``told`` are the columns behind ours, of
    plain texts for CSV and of JSON values for JSON. That knows all of these by their ``names``. Needs the kernel.
    Raises WireError when the parts of the sheet do not fit together.
    """
    odd = list(sheet.odd())
    carried = [sheet.side.ids, *told, *(sheet.side.extras or [NO_TEXT] * (columns - 1))] if columns else []
    reply = sheet.reply
    with _explained():
        for column in carried:
            if not column.text.isascii():  # the kernel copies bytes: each text has to be one by itself
                column.texts(len(sheet))
        return Pressed(
            kernel.extension.Press(
                form, sheet.side.first, sheet.boards, reply.codes, reply.nodes, reply.solutions, reply.seconds,
                struct.pack(f"<{2 * len(sheet.side.lines)}Q", *chain.from_iterable(sheet.side.lines)),
                struct.pack(f"<{len(odd)}I", *(index for index, _, _ in odd)),
                Column.of([say(puzzle, answer) for _, puzzle, answer in odd]), carried, names, len(told),
            )
        )  # fmt: skip


@contextmanager
def _explained() -> Iterator[None]:
    try:
        yield
    except ValueError as error:
        raise WireError(f"a chunk and the reply about it cannot be written: {error}") from error
