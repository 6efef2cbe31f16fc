"""What one line of an answers file says, and how it is read from the fields or the text that stand there."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from gridmill.answers import Status
from gridmill.errors import BoardError
from gridmill.formats import told
from gridmill.formats.counts import MALFORMED
from gridmill.formats.formula import unguard
from gridmill.formats.header import Header
from gridmill.formats.lines import split_line

NUMBER_DIGITS = 18  # of a record, a line or nodes at most: what 64 bits hold for certain
STATUSES = {status.value: status for status in Status}
REPEATS = "same as record "  # in a detail: the first record that is the same puzzle

COUNTED = re.compile(r"([^:]*):(>?[0-9]{1,20}|<[a-z]{1,20}>|):([^:#\s]*).*", re.DOTALL)  # what is behind is a comment
SOLUTION_END = re.compile(r"[\s,;:#]")  # of one that stands behind its puzzle


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


def is_number(text: str) -> bool:
    """Whether ``text`` is ASCII digits and nothing else."""
    return text.isascii() and text.isdecimal()


def stated(
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
    """The line ``number``, when its status and record number are some that we know."""
    if status and status not in STATUSES:
        return Stated(number, fault=f"has the unknown status {status[:20]!a}")
    if not is_number(record):
        return Stated(number, fault=f"has {record[:20]!a} for the number of its record")
    shown = (count, solution, solution2, int(record[:NUMBER_DIGITS]), detail)
    return Stated(number, puzzle, STATUSES.get(status), *shown, told=beside or {})


def of_fields(number: int, header: Header, fields: Sequence[str], solution: int) -> Stated:
    """A row of a table, whose column ``solution`` has the solutions."""
    if not header.is_ours:  # there, a column called status or count may be about anything
        return Stated(number, fields[header.puzzle], solution=fields[solution])
    said = dict(zip(header.names, fields, strict=True))
    for name in ("line", "nodes"):
        if not is_number(said[name]) or len(said[name]) > NUMBER_DIGITS:
            return Stated(number, fault=f"has {said[name][:20]!a} for its {name}, which is no number")
    shown = [said[name] for name in ("status", "count", "solution", "solution2", "record", "detail")]
    beside = {name: said[name] for name in told.TYPES if name in said}
    return stated(number, unguard(said["puzzle"]), *shown, beside=beside)


def of_text(number: int, line: str) -> Stated:
    """``puzzle:count:solution``, or a puzzle and its solution."""
    counted = COUNTED.fullmatch(line.strip())
    if counted is None:
        return _pair(number, line)
    puzzle, count, solution = counted.groups()
    if puzzle == MALFORMED:
        return Stated(number, status=Status.MALFORMED)
    if count.startswith("<"):
        return stated(number, puzzle, count.strip("<>"), solution=solution)
    return Stated(number, puzzle, count=count, solution=solution)


def _pair(number: int, line: str) -> Stated:
    try:
        puzzle, tail = split_line(line)
    except BoardError as error:
        return Stated(number, fault=f"is not puzzle:count:solution, nor a board and its solution: {error}")
    return Stated(number, puzzle, solution=SOLUTION_END.split(tail, maxsplit=1)[0])
