"""Which of many lines of an answers file are true, as the kernel's judge sees without a look at each of them.

It may miss that a line is true, and then that is examined by itself (`gridmill.truth`); it never takes a false one for
true.
"""

from functools import lru_cache
from itertools import compress
from operator import eq

from gridmill import kernel
from gridmill.answers import Status
from gridmill.board import CELLS
from gridmill.column import Column
from gridmill.formats import told
from gridmill.formats.row import ONE_SOLUTION
from gridmill.formats.sheaf import Sheaf
from gridmill.formats.stated import STATUSES, Stated
from gridmill.judge import OPEN, RIGHT, judge
from gridmill.questions import Questions
from gridmill.reply import CODES, HOLE_CODE, WITH_SECOND, WITH_SOLUTION, Reply
from gridmill.truth import implied, misfit

# What the judge says of a true line, by the code that it is asked about; of what it is not asked about, nothing does.
# `none` and the like are left open where no givens clash: more cannot be seen from a line.
_NEVER = 0xFF
_SAID = {HOLE_CODE: _NEVER, CODES[Status.UNDECIDED]: OPEN}
_TRUE = bytes(_SAID.get(code, RIGHT) for code in range(256))
_KINDS = 4096  # combinations of status, count and solutions that are remembered: more than honest files have


def glance(sheaf: Sheaf) -> bytes:
    """A byte a line: 1 where all but the place of its record, and what repeats it, is seen to be true, else 0."""
    count = len(sheaf)
    lengths = sheaf.solutions.lengths(count), sheaf.seconds.lengths(count)
    codes = bytearray(map(_code, sheaf.statuses, sheaf.counts, *lengths))
    for at in sheaf.odd:
        codes[at] = HOLE_CODE
    for column in (sheaf.solutions, sheaf.seconds):
        for at in _no_digits(column, count):
            codes[at] = HOLE_CODE
    solutions = _packed(sheaf.solutions, [code in WITH_SOLUTION for code in codes])
    seconds = _packed(sheaf.seconds, [code == WITH_SECOND for code in codes])
    verdicts = judge(sheaf.boards, Reply(bytes(codes), bytes(4 * count), solutions, seconds))
    true = bytes(map(eq, verdicts, codes.translate(_TRUE)))
    return _told_rightly(sheaf, true) if sheaf.told else true


def _told_rightly(sheaf: Sheaf, true: bytes) -> bytes:
    """Those of ``true`` lines that tell of their boards what these are found to be. What is told of a clash is left."""
    asked = Questions.of(canonical="canonical" in sheaf.told, difficulty=not sheaf.told.keys() <= {"canonical"})
    single = bytes(status in ONE_SOLUTION for status in sheaf.statuses)
    found = told.columns(asked, (), (), told.Own.of(asked, sheaf.boards), single)
    columns = [
        map(eq, texts, sheaf.told[name])
        for name, texts in zip(told.names(asked), found, strict=True)
        if name in sheaf.told
    ]
    is_clash = (status == Status.CLASH for status in sheaf.statuses)
    return bytes(one and not clash and all(same) for one, clash, *same in zip(true, is_clash, *columns, strict=True))


@lru_cache(_KINDS)
def _code(status: str, count: str, first: int, second: int) -> int:
    """What the judge is asked about a line with solutions of so many bytes; a hole: nothing, it is to be examined."""
    is_known = status in STATUSES or not status
    if not is_known or status == Status.MALFORMED or not {first, second} <= {0, CELLS} or second > first:
        return HOLE_CODE
    stated = Stated(0, "", STATUSES.get(status), count, "1" * first, "1" * second)
    meant = stated.status or implied(stated)
    if meant is None or misfit(stated) or (first and count == "0"):
        return HOLE_CODE
    if first:
        return CODES[Status.MULTIPLE if second else Status.SOLVED]
    return CODES[Status.CLASH if meant is Status.CLASH else Status.UNDECIDED]


def _no_digits(column: Column, count: int) -> list[int]:
    """Which texts have anything but digits in them."""
    if not column.text or column.text.isdigit():
        return []
    return [at for at, text in enumerate(column.blobs(count)) if text and not text.isdigit()]


def _packed(column: Column, wanted: list[bool]) -> bytes:
    """The grids of ``wanted`` lines, each of 81 digits."""
    cells = column.text
    if len(cells) != CELLS * sum(wanted):
        cells = b"".join(compress(column.blobs(len(wanted)), wanted))
    return kernel.extension.pack_rows(cells, CELLS)[0] if cells else b""
