"""SadMan Sudoku's files: the rows under [Puzzle], and who made them."""

import pytest

from gridmill.chunk import Record
from gridmill.formats.reader import Tally
from gridmill.formats.sdk import Sdk, recognise
from gridmill.formats.text import LINE_LIMIT

PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
ROWS = [PUZZLE[at : at + 9] for at in range(0, 81, 9)]
STATE = ["[State]", *["123456789"] * 9]


def read(lines: list[str]) -> tuple[list[Record], int]:
    """The records, and how many lines were skipped."""
    found = recognise(lines)
    assert found is not None
    assert isinstance(found.reader, Sdk)
    tally = Tally()
    return list(found.reader.records(lines, tally)), tally.skipped


def test_the_rows_under_puzzle_are_the_record_and_other_sections_are_passed_over() -> None:
    assert read(["[Puzzle]", *ROWS, *STATE]) == ([Record(2, PUZZLE)], 11)


def test_the_order_of_sections_does_not_matter() -> None:
    assert read([*STATE, "[puzzle]", *ROWS, "[PencilMarks]"]) == ([Record(12, PUZZLE)], 12)


def test_what_is_said_of_the_puzzle_is_carried() -> None:
    lines = ["#ARuud", "#LEasy", "#C one", "#C two", "# no field", "[Puzzle]", *ROWS]
    found = recognise(lines)
    assert found is not None
    assert found.reader.columns == ("author", "comment", "level")
    assert read(lines) == ([Record(7, PUZZLE, None, "", ("Ruud", "one two", "Easy"))], 6)


def test_what_is_said_without_end_is_cut() -> None:
    records, _ = read([*["#C" + "x" * 1000] * 100, "[Puzzle]", *ROWS])
    assert len(records[0].extras[0]) == LINE_LIMIT


def test_what_is_said_of_one_puzzle_is_not_said_of_the_next() -> None:
    records, _ = read(["#LEasy", "[Puzzle]", *ROWS, "#AMe", "[Puzzle]", *ROWS, "[Puzzle]", *ROWS])
    assert [record.extras for record in records] == [("", "Easy"), ("Me", ""), ("", "")]


def test_borders_and_blank_lines_between_the_rows_are_no_rows() -> None:
    spaced = [*ROWS[:3], "---+---+---", *ROWS[3:6], "", *ROWS[6:]]
    assert [record.board for record in read(["[Puzzle]", *spaced])[0]] == [PUZZLE]


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        ([], r"[Puzzle] is empty"),
        (ROWS * 2, r"[Puzzle] holds 2 boards instead of one"),
        (ROWS[:8], "8 rows instead of 9"),
        ([*ROWS[:8], ROWS[8][1:]], "8 cells instead of 9 (row 9)"),
    ],
)
def test_a_section_that_is_no_board_is_one_malformed_record(rows: list[str], reason: str) -> None:
    records, _ = read(["[Puzzle]", *rows, "[Puzzle]", *ROWS])
    assert [record.board for record in records] == [None, PUZZLE]
    assert records[0].fault is not None
    assert records[0].fault.reason == reason


def test_a_section_without_end_takes_no_memory() -> None:
    records, _ = read(["[Puzzle]", *["x" * 9] * 100_000])
    assert len(records) == 1


@pytest.mark.parametrize("head", [ROWS, ["[State]", *ROWS], ['["a"]'], []])
def test_files_without_a_puzzle_section_are_others(head: list[str]) -> None:
    assert recognise(head) is None
