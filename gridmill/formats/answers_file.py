"""Reading an answers file back: our CSV, JSON lines and Parquet, ``puzzle:count:solution``, and what others write.

Others write CSV or Parquet with a column for the puzzle and one for the solution, or lines of both with nothing but a
separator between them. A file of solutions alone says nothing about puzzles and is refused.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Annotated, cast

import msgspec

from gridmill import kernel
from gridmill.errors import FormatError
from gridmill.formats import parquet, told
from gridmill.formats.binder import Binder, Counted, Pairs, Rows, bound
from gridmill.formats.detect import HEAD_LINES
from gridmill.formats.header import PUZZLE_NAMES, SOLUTION_NAMES, Header, find_header, place_of
from gridmill.formats.notes import is_note
from gridmill.formats.quoting import read_row
from gridmill.formats.row import FIELDS
from gridmill.formats.sheaf import OWN, Sheaf
from gridmill.formats.source import Source
from gridmill.formats.stated import COUNTED, Stated, of_fields, of_text, stated
from gridmill.formats.text import LINE_LIMIT, ROW_LIMIT, Text

_NAMES = '{"told":['  # begins the first line of what `gridmill.formats.parquet_out` makes Parquet of
_GROUP = 1000  # lines that make a sheaf where they are read one by one: many for the judge, and little memory

Said = Stated | Sheaf


def read_answers(path: str) -> Iterator[Stated]:
    """What each line of the answers file ``path`` (``-``: standard input) says, in order; comments are passed over.

    Raises FormatError when it cannot be read or is no answers file.
    """
    for said in _read(Source(path), is_packed=False):
        if isinstance(said, Stated):  # as all are
            yield said


def read_sheaves(source: Source) -> Iterator[Said]:
    """The same of ``source``, many lines at once where there is a kernel. Raises FormatError."""
    return _read(source, is_packed=kernel.native)


def _read(source: Source, *, is_packed: bool) -> Iterator[Said]:
    every = source.lines(ROW_LIMIT)
    head = _head(every)
    every.push_back(head)
    if head and head[0].startswith(parquet.MAGIC.decode()):
        if not source.is_repeatable:
            raise FormatError(
                f"{source.name} is Parquet, whose directory is at its end: save it to a file and give that"
            )
        rows = _parquet(source)
        yield from _gathered(rows) if is_packed else rows
        return
    content = [line for line in head if not is_note(line)]
    header = find_header(head)
    if content and content[0].lstrip().startswith("{"):
        objects = _objects(every, _told(content[0]))
        yield from _gathered(objects) if is_packed else objects
    elif header:
        yield from _table(every, header, source.name, is_packed=is_packed)
    elif content and not any(_says_something(line) for line in content):
        raise FormatError(
            f"{source.name} is no answers file: it needs puzzles with their solutions, as CSV, JSON lines, "
            "Parquet, puzzle:count:solution or a pair a line"
        )
    else:
        is_counted = bool(content) and COUNTED.fullmatch(content[0].strip()) is not None
        yield from _texts(every, (Counted() if is_counted else Pairs()) if is_packed else None)


def _gathered(lines: Iterable[Stated]) -> Iterator[Sheaf]:
    waiting: list[Stated] = []
    try:
        for line in lines:
            waiting.append(line)
            if len(waiting) == _GROUP:
                yield Sheaf.of(waiting)
                waiting = []
    except FormatError:
        if waiting:
            yield Sheaf.of(waiting)  # what stands before the place where it breaks
        raise
    if waiting:
        yield Sheaf.of(waiting)


_Number = Annotated[int, msgspec.Meta(ge=0)]


class _Object(msgspec.Struct):
    puzzle: str
    status: str = ""
    count: str | int = ""
    solution: str = ""
    solution2: str = ""
    record: int = 0
    line: _Number = 0
    nodes: _Number = 0
    detail: str = ""


def _head(lines: Iterable[str]) -> list[str]:
    """The first lines: one at least, and no more than fit into memory whatever their length."""
    head, size = [], 0
    for line in islice(lines, HEAD_LINES):
        head.append(line)
        size += len(line)
        if size >= LINE_LIMIT:
            break
    return head


def _told(line: str) -> list[str]:
    """What is told beside the answer where ``line`` is the first object of a file of ours."""
    try:
        names = list(msgspec.json.decode(line.encode("utf-8", "surrogateescape"), type=dict[str, msgspec.Raw]))
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError):
        return []
    is_ours = tuple(names[: len(FIELDS)]) == FIELDS
    return [name for name in names if is_ours and name in told.TYPES]


def _objects(lines: Iterator[str], names: Sequence[str]) -> Iterator[Stated]:
    fields = [(name, told.TYPES[name]) for name in names]
    kind = cast("type[_Object]", msgspec.defstruct("Object", fields, bases=(_Object,), kw_only=True))
    decoder = msgspec.json.Decoder(kind)
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        if number == 1 and line.startswith(_NAMES):
            continue
        try:
            said = decoder.decode(line.encode("utf-8", "surrogateescape"))
        except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError) as error:
            yield Stated(number, fault=f"cannot be read as JSON: {error}")
        else:
            shown = (said.solution, said.solution2, str(said.record), said.detail)
            beside = {name: told.text(getattr(said, name)) for name in names}
            yield stated(number, said.puzzle, said.status, str(said.count), *shown, beside=beside)


def _parquet(source: Source) -> Iterator[Stated]:
    rows = parquet.texts(source)
    titles = next(rows)
    names = tuple(title.lower() for title in titles)
    puzzle, solution = place_of(PUZZLE_NAMES, names), place_of(SOLUTION_NAMES, names)
    if puzzle is None or solution is None:
        raise FormatError(f"{source.name} has no columns with puzzles and solutions ({', '.join(SOLUTION_NAMES)})")
    header = Header(0, "", names, titles, puzzle)
    for number, fields in enumerate(rows, 1):
        yield of_fields(number, header, fields, solution)


def _table(lines: Text, header: Header, name: str, *, is_packed: bool) -> Iterator[Said]:
    solution = header.find(*SOLUTION_NAMES)
    if solution is None:
        raise FormatError(f"{name} has no column with solutions ({', '.join(SOLUTION_NAMES)})")
    width = len(header.names)
    for _ in islice(lines, header.at + 1):
        pass
    is_packed = is_packed and not (header.is_ours and _tells_more(header))
    for item in _items(lines, Rows(header, solution) if is_packed else None):
        if isinstance(item, Sheaf):
            yield item
            continue
        row = read_row(item, lines, header.delimiter, width)
        number, fields = row.line, row.fields
        if fields is not None and len(fields) == width and (width > 1 or row.raw.strip()):
            yield of_fields(number, header, fields, solution)
        elif not is_note(row.raw):
            yield Stated(number, fault=f"is not a row of {width} fields")


def _tells_more(header: Header) -> bool:
    """Whether lines have to be looked at one by one: for what else is told, or for which of two columns is meant."""
    return bool((told.TYPES.keys() - OWN) & set(header.names)) or len(set(header.names)) < len(header.names)


def _texts(lines: Text, binder: Binder | None) -> Iterator[Said]:
    for item in _items(lines, binder):
        if isinstance(item, Sheaf):
            yield item
        elif not is_note(item):
            yield of_text(lines.number, item)


def _items(lines: Text, binder: Binder | None) -> Iterator[str | Sheaf]:
    return bound(lines, binder) if binder else iter(lines)


def _says_something(line: str) -> bool:
    said = of_text(1, line)
    return not said.fault and bool(said.status or said.count or said.solution)
