"""What an answers file of ours says beside its answers (`gridmill.questions`): whether it is true.

Each fault names the record and the column. That a given can be spared cannot be seen from a line; a ``recount``
decides it.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise

from gridmill import kernel, plural
from gridmill.answers import Status
from gridmill.board import BLANK, CELLS, HOLE, PACKED, pack, unpack
from gridmill.errors import BoardError
from gridmill.formats.answers_file import Said
from gridmill.formats.cells import read_cells
from gridmill.formats.row import ONE_SOLUTION
from gridmill.formats.sheaf import Sheaf
from gridmill.formats.stated import REPEATS, STATUSES, Stated
from gridmill.rules import cell_name, verify
from gridmill.seen import Seen
from gridmill.technique import NAMES, techniques

Recount = Callable[[str, int], int]  # a board's solutions, counted up to a limit
Again = Callable[[], Iterable[Said]]  # what each line says, from the first one on

_CELL_OF = {cell_name(cell): cell for cell in range(CELLS)}
_COUNT = re.compile(r"(>?)([0-9]{1,18})").fullmatch
_BOARD = re.compile(rf"[1-9.]{{{CELLS}}}").fullmatch
_SAME = re.compile(rf"(?:^|; ){REPEATS}([0-9]{{1,18}})( in another dress)?(?:;|$)").search
_PLAIN = frozenset(("", *STATUSES)) - {Status.MALFORMED.value}  # what is said of boards, and can be read
_NOTED = 100  # lines that are noted at once
_WORDS = {0: "no", 1: "one", 2: "two"}


def fault(stated: Stated, board: str, recount: Recount | None) -> str | None:
    """None when all that is told beside the answer about ``board`` is true; empty: of what is no board."""
    for name, check in _CHECKS.items():
        if name in stated.told and (found := check(stated, board, recount)):
            return f"record {stated.record}, column {name}: {found}"
    return None


def _solutions(stated: Stated, board: str, recount: Recount | None) -> str | None:
    listed = stated.told["solutions"].split()
    if stated.status is Status.UNIQUE:
        return None if listed == [stated.solution] else "it does not have the one solution, and nothing else"
    if stated.status is not Status.MULTIPLE:
        return f"it lists solutions, and with {stated.status} there are none to list" if listed else None
    for number, solution in enumerate(listed, 1):
        if found := verify(board, solution):
            return f"its solution {number}: {found}"
    for number, (one, other) in enumerate(pairwise(listed), 1):
        if one >= other:
            what = "are the same" if one == other else "are not in order"
            return f"its solutions {number} and {number + 1} {what}"
    return _listed(stated, listed)


def _listed(stated: Stated, listed: list[str]) -> str | None:
    """Whether they are as many as the count says, and those of the answer among them."""
    count = _COUNT(stated.count)
    if count is None:
        return f"it lists {len(listed)} solutions, but the count is {stated.count!a}"
    number = int(count[2])
    if len(listed) not in ((number, number + 1) if count[1] else (number,)):
        return f"it lists {len(listed)} solutions, but the count is {stated.count}"
    if not count[1] and not {stated.solution, stated.solution2} <= set(listed):
        return "the two solutions of the answer are not among those that it lists"
    return None


def _minimal(stated: Stated, board: str, recount: Recount | None) -> str | None:
    said, spared = stated.told["minimal"], stated.told.get("redundant", "").split()
    if stated.status is not Status.UNIQUE:
        return f"it says {said!a}, which can be said of unique puzzles only" if said else None
    if said not in ("yes", "no"):
        return f"it says {said!a}, and of a unique puzzle it is yes or no"
    if (said == "no") == bool(spared):
        return None
    return f"it says {said}, with {plural.counted(len(spared), 'redundant given')}"


def _redundant(stated: Stated, board: str, recount: Recount | None) -> str | None:
    names = stated.told["redundant"].split()
    if stated.status is not Status.UNIQUE:
        return f"it names givens, and with {stated.status} none is redundant" if names else None
    cells = [_CELL_OF.get(name, CELLS) for name in names]
    for name, cell in zip(names, cells, strict=True):
        if cell == CELLS or board[cell] == BLANK:
            return f"{name[:20]!a} is no given"
    if any(one >= other for one, other in pairwise(cells)):
        return "its cells are not in order, or one stands there twice"
    return _spared(board, set(cells), recount) if recount else None


def _spared(board: str, cells: set[int], recount: Recount) -> str | None:
    """What each given is when the solutions without it are counted."""
    givens = [cell for cell in range(CELLS) if board[cell] != BLANK]
    for cell in sorted(givens, key=lambda cell: cell not in cells):  # what is said comes before what is not
        found = recount(board[:cell] + BLANK + board[cell + 1 :], 2)
        if (found == 1) != (cell in cells):
            what = "is not redundant" if cell in cells else "is redundant, too"
            return f"{cell_name(cell)} {what}: without it the puzzle has {counted(found, 2)}"
    return None


def _canonical(stated: Stated, board: str, recount: Recount | None) -> str | None:
    form = stated.told["canonical"]
    if stated.status in (Status.MALFORMED, Status.CLASH):
        return f"it has a form, and with {stated.status} there is none" if form else None
    if not _BOARD(form):
        return f"{form[:CELLS]!a} is no board"
    if not kernel.native:  # then nothing finds it, and what can be seen is this
        givens = CELLS - form.count(BLANK), CELLS - board.count(BLANK)
        return None if givens[0] == givens[1] else f"its form has {givens[0]} givens, the puzzle {givens[1]}"
    found = unpack(kernel.extension.canon(pack(board)))
    return None if found == form else f"the smallest form of the puzzle is another one, {found}"


def _givens(stated: Stated, board: str, recount: Recount | None) -> str | None:
    said, found = stated.told["givens"], str(CELLS - board.count(BLANK)) if board else ""
    return None if said == found else f"it says {said[:20]!a}, and the puzzle has {found or 'none'}"


def _technique(stated: Stated, board: str, recount: Recount | None) -> str | None:
    said = stated.told["technique"]
    if stated.status not in ONE_SOLUTION:
        return f"it says {said[:20]!a}, and with {stated.status} there is none" if said else None
    needed = NAMES[techniques(pack(board))[0]]
    return None if said == needed else f"it says {said[:20]!a}, and the puzzle needs {needed}"


_CHECKS: dict[str, Callable[[Stated, str, Recount | None], str | None]] = {
    "solutions": _solutions,
    "minimal": _minimal,
    "redundant": _redundant,
    "canonical": _canonical,
    "givens": _givens,
    "technique": _technique,
}


def counted(number: int, limit: int) -> str:
    """A number of solutions, counted up to ``limit``."""
    more = " or more" if number == limit else ""
    return f"{_WORDS.get(number, str(number))}{more} solution{'s' if number > 1 else ''}"


class Repeats:
    """Whether a detail names the first record that is the same puzzle.

    Nothing is kept before the first detail that says so; what stood before that is read ``again`` then, and from there
    on a digest of each different puzzle is kept. Where that cannot be (None), nothing is, and ``unread`` counts them.
    """

    def __init__(self, again: Again | None) -> None:
        self._again = again
        self._boards, self._forms = Seen(), Seen()
        self._is_begun = False
        self.unread = 0

    def fault(self, stated: Stated) -> str | None:
        """None when what the detail says is true, or it says nothing of the kind."""
        said = _SAME(stated.detail)
        if said is None:
            if self._is_begun:
                self._note(stated)
            return None
        if self._again is None:
            self.unread += 1
            return None
        if not self._is_begun:
            self._is_begun = True
            self._note_first(stated.record - 1)
        return self._compared(stated, int(said[1]), bool(said[2]))

    def check(self, sheaf: Sheaf, at: int, end: int) -> int:
        """How far, from ``at`` to ``end``, the lines of ``sheaf`` are true; `fault` looks at the next one by itself."""
        if not self._is_begun:
            return next((line for line in sheaf.repeats if at <= line < end), end)
        end = min(end, at + _NOTED)
        says = [line for line in range(at, end) if line in sheaf.repeats]
        firsts = self._note_all(sheaf, at, end)
        if firsts is not None:
            return next((line for line in says if not _is_true(sheaf, line, firsts[line - at])), end)
        stop = says[0] if says else end
        for line in range(at, stop):
            self._note(sheaf.stated(line))
        return stop

    def _note_all(self, sheaf: Sheaf, at: int, end: int) -> Sequence[int] | None:
        """Where the board of each line stood first; None when they are not plain boards in order, and are not noted.

        It does no harm that lines behind a false one are noted, and then once more, if they are few.
        """
        records, boards = list(sheaf.records[at:end]), sheaf.boards[PACKED * at : PACKED * end]
        are_plain = _PLAIN.issuperset(sheaf.statuses[at:end]) and sheaf.odd.isdisjoint(range(at, end))
        if "canonical" in sheaf.told:  # whose forms are to be noted, too
            return None
        if not records or not are_plain or HOLE in boards or records != list(range(records[0], records[0] + end - at)):
            return None
        return self._boards.note(boards, records[0])

    def _note_first(self, count: int) -> None:
        """The first ``count`` lines."""
        for said in self._again() if self._again and count > 0 else ():
            if isinstance(said, Sheaf):
                end = min(count, len(said))
                if self._note_all(said, 0, end) is None:
                    for line in range(end):
                        self._note(said.stated(line))
                count -= end
            else:
                self._note(said)
                count -= 1
            if count <= 0:
                return

    def _compared(self, stated: Stated, said: int, is_dressed: bool) -> str | None:
        board, form = self._note(stated)
        first = form if is_dressed else board
        if said == first < stated.record and (not is_dressed or board == stated.record):
            return None
        found = f"the first is record {first}" if 0 < first < stated.record else "no earlier one is"
        dress = " in another dress" if is_dressed else ""
        return f"record {stated.record}, column detail: it says that record {said} is the same{dress}, but {found}"

    def _note(self, stated: Stated) -> tuple[int, int]:
        """Where its board and its form stood first."""
        board = self._boards.note(_packed(stated.puzzle, stated.status), stated.record)
        form = self._forms.note(_packed(stated.told.get("canonical", ""), stated.status), stated.record)
        return board[0], form[0]


def _is_true(sheaf: Sheaf, line: int, first: int) -> bool:
    """Whether the record that a line names is the ``first`` with its board; not known here of another dress."""
    said = _SAME(sheaf.repeats[line])
    return said is None or (not said[2] and int(said[1]) == first < sheaf.records[line])


def _packed(board: str, status: Status | None) -> bytes:
    """What nothing is the same as where it is no board."""
    try:
        return HOLE if status is Status.MALFORMED else pack(read_cells(board))
    except BoardError:
        return HOLE
