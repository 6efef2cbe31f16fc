"""Which family a file belongs to: by looking at its first lines, never by its name.

A file in which several families see themselves is one's if that is a special case of all others, see `_COVERS`.
Else it fits two and is refused, and so is one with puzzles in two columns.
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


_FAMILIES: dict[str, Recognise] = {
    "opensudoku": _plainly(opensudoku.recognise),
    "json": json_file.recognise,
    "jsonl": jsonl.recognise,
    "sdk": _plainly(sdk.recognise),
    "ss": _plainly(framed.recognise),
    "hodoku": _plainly(hodoku.recognise),
    "bank": _plainly(bank.recognise),
    "csv": _table,
    "lines": _plainly(lines.recognise),
    "blocks": _plainly(blocks.recognise),
}
_ANYWAY: dict[str, Callable[[], Reader]] = {  # what can be read on demand although nothing was recognised
    "lines": lines.Lines,
    "blocks": blocks.Blocks,
}
_NESTED = ("opensudoku", "json", "jsonl")  # what looks at all of the head, if that has more than `HEAD_LINES`
_TEXT = ("csv", "blocks", "lines")
_COVERS = {  # a family: those whose claims to the same file, from the same line on, are as true and say less
    "opensudoku": _TEXT,
    "json": _TEXT,
    "jsonl": _TEXT,
    "sdk": ("blocks", "lines"),
    "ss": ("blocks",),
    "bank": _TEXT,
    "csv": ("blocks", "lines"),
}
_WITH_COLUMNS = ("json", "jsonl", "csv")  # the last one says what is wrong with a demanded column
FORMATS = (*_FAMILIES, "parquet")


def detect(head: Sequence[str], name: str, column: str | None = None, form: str | None = None) -> Found:
    """The family that ``head``, the first `HEAD_LINES` lines of the file ``name`` or more, is of.

    ``column`` says that the puzzles are in the column of this name or number, ``form`` of which family it is. Raises
    FormatError when it is not, when it is of a kind that is not read, or when two families fit.
    """
    if form is not None:
        return _demanded(head, name, form, column)
    if column is not None:
        claims = (_FAMILIES[family](head, name, column) for family in _WITH_COLUMNS)
        return next(claim for claim in claims if claim)
    first = head[:HEAD_LINES]
    heads = {family: head if family in _NESTED else first for family in _FAMILIES}
    claimed = [found for family, see in _FAMILIES.items() if (found := see(heads[family], name, None))]
    return _decided(claimed, name) if claimed else _fallback(head, name)


def _decided(claims: Sequence[Found], name: str) -> Found:
    """The claim that covers all others. Raises FormatError when there is none."""
    for claim in claims:
        if all(_covers(claim, other) for other in claims):
            return claim
    first = min(claims, key=lambda claim: claim.at)
    second = next(other for other in claims if not (_covers(first, other) or _covers(other, first)))
    raise FormatError(
        f"{name} fits two formats: {first.format}, for {first.reason}, and {second.format}, for {second.reason}; "
        f"part it into two files, or say --input-format {first.format} or --input-format {second.format}"
    )


def _covers(one: Found, other: Found) -> bool:
    if one is other:
        return True
    if (one.format, other.format) == ("blocks", "lines"):  # the reader of blocks takes both, but no tails
        return not other.reader.columns
    return one.at <= other.at and other.format in _COVERS.get(one.format, ())


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
    return Found(0, "lines", reason, lines.Lines())
