"""Which family a file belongs to: by looking at its first lines, never by its name."""

import shlex
from collections.abc import Callable, Sequence

from gridmill.errors import FormatError
from gridmill.formats import blocks, lines, table
from gridmill.formats.header import find_unknown
from gridmill.formats.reader import Found

HEAD_LINES = 100  # lines that are looked at: enough for a broken block or some rubbish before the first good record

# Where two see themselves at the same line, the one named first is believed.
_FAMILIES: tuple[Callable[[Sequence[str]], Found | None], ...] = (table.recognise, lines.recognise, blocks.recognise)


def detect(head: Sequence[str], name: str, column: str | None = None) -> Found:
    """The family that sees itself first in ``head``, the first `HEAD_LINES` lines of the file ``name``.

    ``column`` says that it is a table with the puzzles in this column. Raises FormatError when it has none such, and
    for a table whose header does not say which column it is.
    """
    if column is not None:
        return table.forced(head, column, name)
    claims = [found for recognise in _FAMILIES if (found := recognise(head))]
    if all(found.format != "table" for found in claims) and (unknown := find_unknown(head)):
        titles, puzzles = unknown
        raise FormatError(
            f"{name} is a table, and none of its columns has a known name: {', '.join(titles)}. "
            f"Say which one holds the puzzles; it seems to be --column {shlex.quote(puzzles)}"
        )
    if not claims:
        reason = "no board among the first lines: every line is taken for a record" if head else "it is empty"
        return Found(0, "lines", reason, lines.Lines(has_tail=False))
    return min(claims, key=lambda found: found.at)
