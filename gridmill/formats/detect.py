"""Which family a file belongs to: by looking at its first lines, never by its name."""

from collections.abc import Callable, Sequence

from gridmill.formats import blocks, lines, table
from gridmill.formats.reader import Found

HEAD_LINES = 100  # lines that are looked at: enough for a broken block or some rubbish before the first good record

# Where two see themselves at the same line, the one named first is believed.
_FAMILIES: tuple[Callable[[Sequence[str]], Found | None], ...] = (table.recognise, lines.recognise, blocks.recognise)


def detect(head: Sequence[str], name: str, column: str | None = None) -> Found:
    """The family that sees itself first in ``head``, the first `HEAD_LINES` lines of the file ``name``.

    ``column`` says that it is a table with the puzzles in this column; raises FormatError when it has none such.
    """
    if column is not None:
        return table.forced(head, column, name)
    claims = [found for recognise in _FAMILIES if (found := recognise(head))]
    if not claims:
        reason = "no board among the first lines: every line is taken for a record" if head else "it is empty"
        return Found(0, "lines", reason, lines.Lines(has_tail=False))
    return min(claims, key=lambda found: found.at)
