"""Answers that the input itself has, held against ours."""

import struct
from binascii import hexlify
from collections.abc import Iterator, Sequence
from dataclasses import replace

from gridmill.answers import DISAGREES, Answer, Status
from gridmill.board import CELLS
from gridmill.errors import BoardError, WireError
from gridmill.formats.json_board import board_of
from gridmill.formats.row import Row
from gridmill.formats.sheet import Sheet
from gridmill.reply import WITH_SOLUTION, Reply
from gridmill.rules import verify

DETAIL = f"{DISAGREES} with the input's solution"

_SIZE = struct.pack("<I", CELLS)  # of a grid in a column


def compared(sheet: Sheet, columns: Sequence[int]) -> tuple[Sheet, int]:
    """``sheet`` with our answers marked that contradict the input's, see `disagreements`, and how many there are."""
    marked = disagreements(sheet, columns)
    return (replace(sheet, rulings={**sheet.rulings, **marked}) if marked else sheet), len(marked)


def disagreements(sheet: Sheet, columns: Sequence[int]) -> dict[int, Answer]:
    """Our answers that contradict the grid in one of the input's ``columns``, by index; their detail says so.

    Texts that are no 81 cells, spaces and the brackets of lists aside, are no answer and say nothing. Raises WireError.
    """
    suspects: dict[int, list[str]] = {}
    for place in columns:
        for index, grid in _different(sheet, place):
            suspects.setdefault(index, []).append(grid)
    if not suspects:
        return {}
    rows = ((index, row) for index, row in enumerate(sheet.rows()) if index in suspects)
    return {i: row.answer.noted(DETAIL) for i, row in rows if any(_is_contradicted(row, grid) for grid in suspects[i])}


def _different(sheet: Sheet, place: int) -> Iterator[tuple[int, str]]:
    """Index and grid of each record whose solution is not this grid, as a glance at the packed ones tells."""
    if place >= len(sheet.side.extras):  # no record of the chunk has any text there
        return
    solutions = _solutions(sheet.reply)
    column = sheet.side.extras[place]
    if column.text == solutions and column.sizes == _SIZE * len(sheet):  # the rule: one comparison for all of them
        return
    try:
        texts = column.texts(len(sheet))
    except ValueError as error:
        raise WireError(f"side data of a chunk cannot be read: {error}") from error
    grids = (solutions[at : at + CELLS].decode() for at in range(0, len(solutions), CELLS))
    holders = (index for index, code in enumerate(sheet.reply.codes) if code in WITH_SOLUTION)
    ours = dict(zip(holders, grids, strict=True))
    for index, text in enumerate(texts):
        if text and text != ours.get(index) and (grid := _grid(text)) and grid != ours.get(index):
            yield index, grid


def _solutions(reply: Reply) -> bytearray:
    """The first solution of each record that has one, end to end."""
    digits = bytearray(hexlify(reply.solutions))
    del digits[CELLS :: CELLS + 1]  # a packed board is one half byte longer than its cells
    return digits


def _grid(text: str) -> str | None:
    """The 81 characters in ``text``, if it has so many."""
    if text.startswith("["):
        try:
            return board_of(text)
        except BoardError:
            return None
    cells = "".join(text.split())
    return cells if len(cells) == CELLS else None


def _is_contradicted(row: Row, given: str) -> bool:
    answer = row.answer
    if answer.status in (Status.NONE, Status.CLASH):
        return True
    if answer.status is Status.UNIQUE:
        return answer.solution != given
    return answer.status in (Status.SOLVED, Status.MULTIPLE) and verify(row.puzzle, given) is not None
