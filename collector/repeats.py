"""Records that are the same puzzle as an earlier one: by every cell, or, where forms are asked for, in another dress.

Each keeps its answer and its place; its detail says which record it repeats.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Self

from gridmill.answers import DRESSED, REPEATED, Status
from gridmill.board import HOLE, pack
from gridmill.errors import BoardError, FormatError, OutputError
from gridmill.formats.answers_file import read_answers
from gridmill.formats.sheet import Sheet
from gridmill.formats.stated import Stated
from gridmill.formats.told import forms
from gridmill.questions import Questions
from gridmill.seen import Seen

RECALLED = 10_000  # records that are read again at a time


class Repeats:
    """All records of a job so far. Where nothing is ``asked`` about them, nothing is kept of any."""

    def __init__(self, asked: Questions) -> None:
        self._asked = asked
        self._boards, self._forms = Seen(), Seen()

    @classmethod
    def recalled(cls, asked: Questions, part: Path, records: int) -> Self:
        """With the ``records`` that are in ``part`` already. Raises OutputError when it cannot be read again."""
        repeats = cls(asked)
        if not asked.dedupe or not records:
            return repeats
        try:
            boards = (_board(stated) for stated in read_answers(str(part)))
            for first in range(1, records + 1, RECALLED):
                repeats._note(b"".join(_exactly(boards, min(RECALLED, records + 1 - first))), first)
        except (FormatError, BoardError) as error:
            raise OutputError(
                f"{part} cannot be read again, and --dedupe needs to know what is in it: {error}; give --force to "
                "start anew"
            ) from error
        return repeats

    def marked(self, sheet: Sheet) -> tuple[Sheet, Counter[str]]:
        """``sheet`` with the details of records that repeat another, and how many there are of each kind."""
        if not self._asked.dedupe:
            return sheet, Counter()
        first = sheet.side.first
        same, dressed = self._note(sheet.boards, first, sheet.own.forms)
        found = {index: f"same as record {n}" for index, n in enumerate(same) if 0 < n < first + index}
        repeated = len(found)
        for index, n in enumerate(dressed):
            if 0 < n < first + index and index not in found:
                found[index] = f"same as record {n} in another dress"
        if not found:
            return sheet, Counter()
        answers = enumerate(sheet.answers())
        rulings = {index: answer.noted(found[index]) for index, answer in answers if index in found}
        counts = Counter({REPEATED: repeated, DRESSED: len(found) - repeated})
        return replace(sheet, rulings={**sheet.rulings, **rulings}), +counts

    def _note(self, boards: bytes, first: int, known: bytes = b"") -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Where each board, and its form where that is asked for, stood first."""
        same = self._boards.note(boards, first)
        return same, self._forms.note(known or forms(self._asked, boards), first)


def _board(stated: Stated) -> bytes:
    """The slot that a row was made from. Raises FormatError."""
    if stated.fault:
        raise FormatError(f"line {stated.line} {stated.fault}")
    return HOLE if stated.status is Status.MALFORMED else pack(stated.puzzle)


def _exactly(boards: Iterator[bytes], count: int) -> list[bytes]:
    found = list(islice(boards, count))
    if len(found) < count:
        raise FormatError("there are fewer records than its journal says")
    return found
