"""From a sheet to the bytes of its rows: by the kernel where there is one, else row by row."""

import struct
from collections.abc import Callable, Iterator, Sequence
from itertools import chain

from gridmill import kernel
from gridmill.answers import Answer
from gridmill.batch import NO_TEXT
from gridmill.column import Column
from gridmill.errors import WireError
from gridmill.formats.sheet import Sheet

BLOCK = 1 << 17  # bytes a block: what is written is still in the cache, and the call to write it costs little

Say = Callable[[str, Answer], str]  # what a row says of a puzzle with this answer, between the columns of the input


def press(
    form: str,
    sheet: Sheet,
    say: Say,
    *,
    columns: int = 0,
    names: Sequence[bytes] = (),
    told: Sequence[Column] = (),
) -> Iterator[bytes]:
    """The rows of ``sheet`` in the form (csv, jsonl, lines, counts) of that name, in blocks of about `BLOCK` bytes.

    ``columns`` counts the ids and the input's own columns; 0: none is written. ``told`` are the columns behind ours, of
    plain texts for CSV and of JSON values for JSON. That knows all of these by their ``names``. Needs the kernel.
    Raises WireError when the parts of the sheet do not fit together.
    """
    odd = list(sheet.odd())
    carried = [sheet.side.ids, *told, *(sheet.side.extras or [NO_TEXT] * (columns - 1))] if columns else []
    reply = sheet.reply
    try:
        for column in carried:
            if not column.text.isascii():  # the kernel copies bytes: each text has to be one by itself
                column.texts(len(sheet))
        rows = kernel.extension.Press(
            form, sheet.side.first, sheet.boards, reply.codes, reply.nodes, reply.solutions, reply.seconds,
            struct.pack(f"<{2 * len(sheet.side.lines)}Q", *chain.from_iterable(sheet.side.lines)),
            struct.pack(f"<{len(odd)}I", *(index for index, _, _ in odd)),
            Column.of([say(puzzle, answer) for _, puzzle, answer in odd]), carried, names, len(told),
        )  # fmt: skip
        while block := rows.next(BLOCK):
            yield block
    except ValueError as error:
        raise WireError(f"a chunk and the reply about it cannot be written: {error}") from error
