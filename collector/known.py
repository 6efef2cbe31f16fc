"""Answers that the input itself has, held against ours."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from gridmill.answers import Answer, Status
from gridmill.board import CELLS
from gridmill.errors import WireError
from gridmill.formats.row import Row
from gridmill.formats.sheet import Sheet
from gridmill.reply import WITH_SOLUTION
from gridmill.rules import verify

DISAGREES = "disagrees with the input's solution"


def disagreements(sheet: Sheet, columns: Sequence[int]) -> dict[int, Answer]:
    """Our answers that contradict the grid in one of the input's ``columns``, by index; their detail says so.

    Texts that are not 81 characters, spaces aside, are no answer and say nothing. Raises WireError.
    """
    suspects = {index: text for place in columns for index, text in _different(sheet, place)}
    if not suspects:
        return {}
    rows = ((index, row) for index, row in enumerate(sheet.rows()) if index in suspects)
    return {index: _marked(row.answer) for index, row in rows if _is_contradicted(row, suspects[index])}


def _different(sheet: Sheet, place: int) -> Iterator[tuple[int, str]]:
    """Index and grid of each record whose solution is not this grid, as a glance at the packed ones tells."""
    if place >= len(sheet.side.extras):  # no record of the chunk has any text there
        return
    try:
        texts = sheet.side.extras[place].texts(len(sheet))
    except ValueError as error:
        raise WireError(f"side data of a chunk cannot be read: {error}") from error
    solutions = _solutions(sheet)
    for index, text in enumerate(texts):
        if not text or text == solutions.get(index):
            continue
        cells = "".join(text.split())
        if len(cells) == CELLS and cells != solutions.get(index):
            yield index, cells


def _solutions(sheet: Sheet) -> Mapping[int, str]:
    """The first solution of each record that has one."""
    digits = sheet.reply.solutions.hex()
    holders = [index for index, code in enumerate(sheet.reply.codes) if code in WITH_SOLUTION]
    return {index: digits[at : at + CELLS] for index, at in zip(holders, range(0, len(digits), CELLS + 1), strict=True)}


def _is_contradicted(row: Row, given: str) -> bool:
    answer = row.answer
    if answer.status in (Status.NONE, Status.CLASH):
        return True
    if answer.status is Status.UNIQUE:
        return answer.solution != given
    return answer.status in (Status.SOLVED, Status.MULTIPLE) and verify(row.puzzle, given) is not None


def _marked(answer: Answer) -> Answer:
    return replace(answer, detail=f"{answer.detail}; {DISAGREES}" if answer.detail else DISAGREES)
