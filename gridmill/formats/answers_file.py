"""Reading an answers file back: our CSV, JSON lines and Parquet, ``puzzle:count:solution``, and what others write.

Others write CSV or Parquet with a column for the puzzle and one for the solution, or lines of both with nothing but a
separator between them. A file of solutions alone says nothing about puzzles and is refused.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Annotated, cast

import msgspec

from gridmill.answers import Status
from gridmill.errors import BoardError, FormatError
from gridmill.formats import parquet, told
from gridmill.formats.counts import MALFORMED
from gridmill.formats.detect import HEAD_LINES
from gridmill.formats.formula import unguard
from gridmill.formats.header import PUZZLE_NAMES, SOLUTION_NAMES, Header, find_header
from gridmill.formats.lines import split_line
from gridmill.formats.notes import is_note
from gridmill.formats.quoting import split_rows
from gridmill.formats.row import FIELDS
from gridmill.formats.source import Source
from gridmill.formats.text import LINE_LIMIT, ROW_LIMIT, Text

_NAMES = '{"told":['  # begins the first line of what `gridmill.formats.parquet_out` makes Parquet of
NUMBER_DIGITS = 18  # of a record, a line or nodes at most: what 64 bits hold for certain
_STATUSES = {status.value: status for status in Status}

_COUNTED = re.compile(r"([^:]*):(>?[0-9]{1,20}|<[a-z]{1,20}>|):([^:#\s]*).*", re.DOTALL)  # what is behind is a comment


@dataclass(frozen=True, slots=True)
class Stated:
    """What one line says. ``record`` 0, ``status`` None and empty texts: it does not say.

    ``puzzle`` and the solutions are as they stand there, not parsed. ``told``: in a file of ours, the texts of those
    columns of `gridmill.formats.told` that it has. ``fault``: why the line cannot be read.
    """

    line: int
    puzzle: str = ""
    status: Status | None = None
    count: str = ""
    solution: str = ""
    solution2: str = ""
    record: int = 0
    detail: str = ""
    fault: str = ""
    told: Mapping[str, str] = field(default_factory=dict)


def read_answers(path: str) -> Iterator[Stated]:
    """What each line of the answers file ``path`` (``-``: standard input) says, in order; comments are passed over.

    Raises FormatError when it cannot be read or is no answers file.
    """
    source = Source(path)
    every = source.lines(ROW_LIMIT)
    head = _head(every)
    every.push_back(head)
    if head and head[0].startswith(parquet.MAGIC.decode()) and source.is_repeatable:
        yield from _parquet(source)
        return
    content = [line for line in head if not is_note(line)]
    header = find_header(head)
    if content and content[0].lstrip().startswith("{"):
        yield from _objects(every, _told(content[0]))
    elif header:
        yield from _table(every, header, source.name)
    elif content and not any(_says_something(line) for line in content):
        raise FormatError(
            f"{source.name} is no answers file: it needs puzzles with their solutions, as CSV, JSON lines or "
            "puzzle:count:solution"
        )
    else:
        yield from _texts(every)


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
            yield _stated(number, said.puzzle, said.status, str(said.count), *shown, beside=beside)


def _parquet(source: Source) -> Iterator[Stated]:
    rows = parquet.texts(source)
    titles = next(rows)
    names = tuple(title.lower() for title in titles)
    puzzle = next((names.index(name) for name in PUZZLE_NAMES if name in names), None)
    solution = next((names.index(name) for name in SOLUTION_NAMES if name in names), None)
    if puzzle is None or solution is None:
        raise FormatError(f"{source.name} has no columns with puzzles and solutions ({', '.join(SOLUTION_NAMES)})")
    header = Header(0, "", names, titles, puzzle)
    for number, fields in enumerate(rows, 1):
        yield _from_fields(number, header, fields, solution)


def _table(lines: Text, header: Header, name: str) -> Iterator[Stated]:
    solution = header.find(*SOLUTION_NAMES)
    if solution is None:
        raise FormatError(f"{name} has no column with solutions ({', '.join(SOLUTION_NAMES)})")
    width = len(header.names)
    for _ in islice(lines, header.at + 1):
        pass
    for row in split_rows(lines, header.delimiter, width):
        number, fields = row.line, row.fields
        if fields is not None and len(fields) == width and (width > 1 or row.raw.strip()):
            yield _from_fields(number, header, fields, solution)
        elif not is_note(row.raw):
            yield Stated(number, fault=f"is not a row of {width} fields")


def _from_fields(number: int, header: Header, fields: Sequence[str], solution: int) -> Stated:
    if not header.is_ours:  # there, a column called status or count may be about anything
        return Stated(number, fields[header.puzzle], solution=fields[solution])
    said = dict(zip(header.names, fields, strict=True))
    for name in ("line", "nodes"):
        if not (said[name].isascii() and said[name].isdecimal() and len(said[name]) <= NUMBER_DIGITS):
            return Stated(number, fault=f"has {said[name][:20]!a} for its {name}, which is no number")
    shown = [said[name] for name in ("status", "count", "solution", "solution2", "record", "detail")]
    beside = {name: said[name] for name in told.TYPES if name in said}
    return _stated(number, unguard(said["puzzle"]), *shown, beside=beside)


def _texts(lines: Iterator[str]) -> Iterator[Stated]:
    return (_from_text(number, line) for number, line in enumerate(lines, 1) if not is_note(line))


def _from_text(number: int, line: str) -> Stated:
    counted = _COUNTED.fullmatch(line.strip())
    if counted is None:
        return _pair(number, line)
    puzzle, count, solution = counted.groups()
    if puzzle == MALFORMED:
        return Stated(number, status=Status.MALFORMED)
    if count.startswith("<"):
        return _stated(number, puzzle, count.strip("<>"), solution=solution)
    return Stated(number, puzzle, count=count, solution=solution)


def _pair(number: int, line: str) -> Stated:
    try:
        puzzle, tail = split_line(line)
    except BoardError as error:
        return Stated(number, fault=f"is not puzzle:count:solution, nor a board and its solution: {error}")
    return Stated(number, puzzle, solution=re.split(r"[\s,;:#]", tail, maxsplit=1)[0])


def _says_something(line: str) -> bool:
    stated = _from_text(1, line)
    return not stated.fault and bool(stated.status or stated.count or stated.solution)


def _stated(
    number: int,
    puzzle: str,
    status: str,
    count: str = "",
    solution: str = "",
    solution2: str = "",
    record: str = "0",
    detail: str = "",
    *,
    beside: Mapping[str, str] | None = None,
) -> Stated:
    """The line, when its status and record number are some that we know."""
    if status and status not in _STATUSES:
        return Stated(number, fault=f"has the unknown status {status[:20]!a}")
    if not (record.isascii() and record.isdecimal()):
        return Stated(number, fault=f"has {record[:20]!a} for the number of its record")
    shown = (count, solution, solution2, int(record[:NUMBER_DIGITS]), detail)
    return Stated(number, puzzle, _STATUSES.get(status), *shown, told=beside or {})
