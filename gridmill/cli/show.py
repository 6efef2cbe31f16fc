"""``gridmill show``: one puzzle and its answer, drawn."""

import os
import shutil
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from gridmill.answers import Status
from gridmill.board import BLANK, CELLS
from gridmill.cli import exit, options
from gridmill.cli.command import command
from gridmill.cli.drawing import ASCII, LINES, Picture, Styled, can_show, drawn
from gridmill.cli.panels import argument
from gridmill.errors import BoardError, FormatError, GridmillError, SettingsError
from gridmill.marks import clashing, differing
from gridmill.plural import counted
from gridmill.rules import clashes

if TYPE_CHECKING:
    from gridmill.formats.input import Input
    from gridmill.formats.row import Row
    from gridmill.record import Record

WIDTH = 80  # columns at most, also on a wider terminal: that is three boards

_STYLES: dict[str, dict[str, Any]] = {
    "given": {"bold": True},
    "found": {"fg": "cyan"},
    "marked": {"fg": "yellow", "bold": True},
}


@command()
@argument("puzzle", metavar="PUZZLE", help="81 characters, or a file of puzzles; - is standard input.")
@argument("number", metavar="[N]", type=options.COUNT, required=False, help="Which record of the file. Default: 1.")
@options.column
@options.input_format
@options.blank
def show(puzzle: str, number: int | None, column: str | None, input_format: str | None, blank: str | None) -> int:
    """Draw a puzzle and its answer.

    Givens are bold. Of several solutions two are shown, with a * at each cell in which they differ; where givens clash,
    it stands at those. Exit code 3 when no solver can decide the puzzle.
    """
    from gridmill.logs import visible

    if puzzle == options.STDIN or os.path.exists(puzzle):
        from gridmill.formats.input import Input

        source = Input((puzzle,), column=column, form=input_format, blank=blank)
        row = _answered(_record(source, puzzle, number or 1), number or 1)
        caption = [_place(puzzle, row), *_said(row)]
    else:
        row = _answered(_typed(puzzle, blank, number), 1)
        caption = list(_said(row))
    print("\n".join(visible(line)[:WIDTH] for line in caption))
    if row.answer.status is not Status.MALFORMED:
        print("\n".join(["", *drawn(_pictures(row), _columns(), LINES if can_show("┌") else ASCII, _styled())]))
    return exit.DONE if row.answer.is_decided else exit.INCOMPLETE


def _typed(puzzle: str, blank: str | None, number: int | None) -> "Record":
    from gridmill.formats.cells import read_cells
    from gridmill.record import Record

    try:
        board = read_cells(puzzle.replace(blank or BLANK, BLANK))
    except BoardError as error:
        raise BoardError(f"there is no file of that name, and it is no puzzle: {error}") from error
    if number is not None:
        raise SettingsError(f"record {number} goes with a file, and this is a puzzle; leave it away")
    return Record(1, board)


def _record(source: "Input", name: str, number: int) -> "Record":
    last = 0
    for last, record in enumerate(source.records(), 1):
        if last == number:
            return record
    raise FormatError(f"{name} has no record {number:,}; it has {last:,}")


def _answered(record: "Record", number: int) -> "Row":
    """The record with its checked answer. Raises GridmillError when two solvers contradict each other."""
    from gridmill.chunk import Chunk
    from gridmill.formats.sheet import Sheet
    from gridmill.judge import WRONG, judge
    from gridmill.solvers import DEFAULT, get
    from gridmill.solvers.claim import reply_to
    from gridmill.solvers.sat import Sat

    chunk, solver = Chunk.of(number, [record]), get(DEFAULT)
    reply = reply_to(solver, chunk.boards, first=False, budget=solver.budget)
    row = next(Sheet.of(chunk, reply, {}).rows())
    is_wrong = WRONG in judge(chunk.boards, reply)
    if is_wrong or (row.answer.status is Status.NONE and Sat().count(row.puzzle, 1)):
        raise GridmillError(f"the solver {solver.name} is wrong about this puzzle: it says {row.answer.status}")
    return row


def _place(name: str, row: "Row") -> str:
    by_id = f", id {row.id}" if row.id else ""
    return f"{os.path.basename(name)}, record {row.record:,}, line {row.line:,}{by_id}"


def _said(row: "Row") -> Iterator[str]:
    """The answer in words."""
    status, detail = row.answer.status, row.answer.detail
    if status is Status.MALFORMED:
        yield f"{status}: {detail}"
        yield row.puzzle.replace("\n", " ")
        return
    numbers = counted(CELLS - row.puzzle.count(BLANK), "given")
    if status is Status.MULTIPLE:
        numbers += f", the two differ in {len(differing(row.answer.solution, row.answer.solution2))} cells"
    yield f"{status}: {status.meaning} ({numbers})"
    yield from map(str, clashes(row.puzzle))


def _pictures(row: "Row") -> list[Picture]:
    puzzle, answer = row.puzzle, row.answer
    marked = differing(answer.solution, answer.solution2)
    titles = ("one solution", "another") if answer.solution2 else ("solution",)
    solutions = zip(titles, (answer.solution, answer.solution2), strict=False)
    return [
        Picture("puzzle", puzzle, puzzle, clashing(puzzle)),
        *(Picture(title, solution, puzzle, marked) for title, solution in solutions if solution),
    ]


def _columns() -> int:
    return min(WIDTH, shutil.get_terminal_size().columns)


def _styled() -> Styled:
    if not sys.stdout.isatty() or os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return lambda text, _: text
    return lambda text, style: click.style(text, **_STYLES[style])
