"""Which family a file belongs to: by looking at its first lines, never by its name.

The family that sees itself first is believed. A file that fits two is refused: one that has puzzles in two columns,
and one that has both boards with something behind them and boards in nine rows.
"""

from collections.abc import Callable, Sequence

from gridmill.errors import FormatError
from gridmill.formats import (
    bank,
    blocks,
    columns,
    foreign,
    framed,
    hodoku,
    json_file,
    jsonl,
    lines,
    opensudoku,
    sdk,
    table,
)
from gridmill.formats.escape import printable
from gridmill.formats.header import find_header
from gridmill.formats.reader import Found, Reader

HEAD_LINES = 100  # lines that are looked at: enough for a broken block or some rubbish before the first good record

Recognise = Callable[[Sequence[str], str, str | None], Found | None]  # of the head, the file's name, a demanded column


def _plainly(recognise: Callable[[Sequence[str]], Found | None]) -> Recognise:
    """A family without columns: nobody can demand one of it."""
    return lambda head, name, column: None if column else recognise(head)


def _table(head: Sequence[str], name: str, column: str | None) -> Found | None:
    if column is not None:
        return _with_column(head, name, column)
    header = find_header(head)
    if header and (found := table.recognise(head)):
        settled = columns.settle(head, header, name)
        return found if settled == header else table.found(settled)
    return columns.recognise(head, name)


def _with_column(head: Sequence[str], name: str, column: str) -> Found:
    number = columns.number_of(column)
    if number is not None and find_header(head, column) is None:
        return columns.by_number(head, number, name)
    return table.forced(head, column, name)


# Where two see themselves at the same line, the one named first is believed: it is a special case of the other.
_FAMILIES: dict[str, Recognise] = {
    "opensudoku": _plainly(opensudoku.recognise),
    "json": json_file.recognise,
    "jsonl": jsonl.recognise,
    "sdk": _plainly(sdk.recognise),
    "ss": _plainly(framed.recognise),
    "hodoku": _plainly(hodoku.recognise),
    "bank": _plainly(bank.recognise),
    "table": _table,
    "lines": _plainly(lines.recognise),
    "blocks": _plainly(blocks.recognise),
}
_ANYWAY: dict[str, Callable[[], Reader]] = {  # what can be read on demand although nothing was recognised
    "lines": lambda: lines.Lines(has_tail=False),
    "blocks": blocks.Blocks,
}
_BOARDS = ("lines", "blocks")
FORMATS = (*_FAMILIES, "parquet")


def detect(head: Sequence[str], name: str, column: str | None = None, form: str | None = None) -> Found:
    """The family that sees itself first in ``head``, the first `HEAD_LINES` lines of the file ``name``.

    ``column`` says that it is a table with the puzzles in the column of this name or number, ``form`` of which family
    it is. Raises FormatError when it is not, when it is of a kind that is not read, or when two families fit.
    """
    if form is not None:
        return _demanded(head, name, form, column)
    claims = {family: found for family, see in _FAMILIES.items() if (found := see(head, name, column))}
    if not claims:
        return _fallback(head, name)
    found = min(claims.values(), key=lambda found: found.at)
    if found.format in _BOARDS and all(family in claims for family in _BOARDS):
        return _mixed(name, *(claims[family] for family in _BOARDS))
    return found


def _demanded(head: Sequence[str], name: str, form: str, column: str | None) -> Found:
    if form not in _FAMILIES:
        raise FormatError(f"there is no input format {printable(form)!r} for {name}; there are {', '.join(FORMATS)}")
    found = _FAMILIES[form](head, name, column)
    if found is None and form not in _ANYWAY:
        raise FormatError(f"{name} is no file of the format {form}: nothing among its first lines looks like it")
    return found or Found(0, form, "it was said to be so", _ANYWAY[form]())


def _fallback(head: Sequence[str], name: str) -> Found:
    if refused := foreign.refusal(head, name):
        raise FormatError(f"{name} is {refused}")
    reason = "no board among the first lines: every line is taken for a record" if head else "it is empty"
    return Found(0, "lines", reason, lines.Lines(has_tail=False))


def _mixed(name: str, in_line: Found, in_rows: Found) -> Found:
    """A file with whole boards on a line and boards in nine rows. The reader of rows takes both, but no tails."""
    if in_line.reader.columns:
        raise FormatError(
            f"{name} fits two formats: {in_line.reason}, but there are also {in_rows.reason}; part it into two files, "
            "or say --input-format lines or --input-format blocks"
        )
    return in_rows
