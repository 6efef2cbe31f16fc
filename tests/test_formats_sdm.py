"""A collection of puzzles: those with one solution, and why the others are not among them."""

from pathlib import Path

import pytest

from gridmill.answers import Answer, Status
from gridmill.formats.input import Input
from gridmill.formats.row import Row
from gridmill.formats.sdm import SdmWriter

PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"


@pytest.mark.parametrize("status", [Status.UNIQUE, Status.SOLVED])
def test_a_puzzle_with_a_solution_is_a_line_with_zeros(status: Status) -> None:
    assert SdmWriter().rows([Row(1, 1, "", PUZZLE, Answer(status))]).decode() == PUZZLE.replace(".", "0") + "\n"


def test_any_other_record_is_a_comment_that_says_why() -> None:
    row = Row(7, 9, "", PUZZLE, Answer(Status.MULTIPLE))
    assert SdmWriter().rows([row]).decode() == f"# record 7 is multiple: {PUZZLE}\n"


def test_what_was_written_is_read_without_the_comments(tmp_path: Path) -> None:
    statuses = (Status.UNIQUE, Status.NONE, Status.UNIQUE)
    rows = [Row(at, at, "", PUZZLE, Answer(status)) for at, status in enumerate(statuses, 1)]
    (tmp_path / "set.sdm").write_bytes(SdmWriter().rows(rows))
    source = Input([str(tmp_path / "set.sdm")])
    assert [(record.line, record.board) for record in source.records()] == [(1, PUZZLE), (3, PUZZLE)]
    assert source.skipped == 1
