"""Nine lines are one board; a broken block is one malformed record and moves no other."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gridmill.board import draw
from gridmill.chunk import Record
from gridmill.formats.blocks import Blocks, recognise
from gridmill.formats.reader import Tally

PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
OTHER = "....8..79...419..5.6....28.7...2...64..8.3..18...6...3.98....6.6..195...53..7...."
ROWS = [PUZZLE[at : at + 9] for at in range(0, 81, 9)]
OTHER_ROWS = [OTHER[at : at + 9] for at in range(0, 81, 9)]


def read(lines: list[str]) -> list[Record]:
    return list(Blocks().records(lines, Tally()))


def boards(lines: list[str]) -> list[str | None]:
    return [record.board for record in read(lines)]


def boxed(line: str, edge: str = "+---+---+---+") -> list[str]:
    """The rows with ``|`` between the boxes and ``line`` between the bands, inside ``edge``."""
    parted = ["|" + "|".join(row[at : at + 3] for at in (0, 3, 6)) + "|" for row in ROWS]
    return [edge, *parted[:3], line, *parted[3:6], line, *parted[6:], edge]


@pytest.mark.parametrize(
    "block",
    [
        ROWS,
        draw(PUZZLE).splitlines(),
        boxed("+---+---+---+"),
        boxed("|---+---+---|", "*-----------*"),
        boxed("|===========|", "============="),
        [" ".join(row) for row in ROWS],
        [" ".join(row.replace(".", "0")) for row in ROWS],
        [",".join(row.replace(".", "0")) for row in ROWS],
        [" ".join(row[at : at + 3] for at in (0, 3, 6)) for row in ROWS],
        [*ROWS[:3], "---------", *ROWS[3:6], "---------", *ROWS[6:]],
    ],
    ids=["bare", "drawn", "boxed", "asterisks", "equals", "spaces", "zeros", "commas", "threes", "dashes"],
)
def test_a_block_is_read_whatever_stands_between_its_cells(block: list[str]) -> None:
    assert boards(block) == [PUZZLE]
    assert boards([*block, "", *block]) == [PUZZLE, PUZZLE]


def test_a_record_begins_at_its_first_row() -> None:
    assert [record.line for record in read(["Grid 01", *ROWS, "Grid 02", *ROWS])] == [2, 12]


def test_titles_blank_lines_and_comments_are_skipped_and_counted() -> None:
    tally = Tally()
    records = list(Blocks().records(["Grid 01", "# note", *ROWS[:4], "# inside", *ROWS[4:], ""], tally))
    assert [record.board for record in records] == [PUZZLE]
    assert tally.skipped == 4


def test_blocks_may_follow_each_other_directly() -> None:
    assert boards(ROWS + OTHER_ROWS + ROWS) == [PUZZLE, OTHER, PUZZLE]


def test_rows_of_dashes_are_rows_where_dashes_are_the_blanks() -> None:
    rows = ["-" * 9] * 8 + ["12-------"]
    assert boards(rows) == ["." * 72 + "12......."]


@pytest.mark.parametrize("count", [1, 8, 10, 17])
def test_another_number_of_rows_is_one_malformed_record(count: int) -> None:
    records = read([*(ROWS + ROWS)[:count], "", *OTHER_ROWS])
    assert [record.board for record in records] == [None, OTHER]
    assert records[0].fault
    assert records[0].fault.reason == f"{count} rows instead of 9"


def test_a_short_row_is_named_and_the_next_block_stays_whole() -> None:
    records = read([*ROWS[:3], "8...6", *ROWS[4:], *OTHER_ROWS])
    assert [record.board for record in records] == [None, OTHER]
    assert records[0].fault
    assert records[0].fault.reason == "5 cells instead of 9 (row 4)"


def test_a_wrong_sign_is_named_with_its_column_in_its_line() -> None:
    (record,) = read([*ROWS[:4], "|4..|8.e|..1|", *ROWS[5:]])
    assert record.fault
    assert record.fault.column == 8
    assert record.fault.reason == "'e' is neither a digit 1-9 nor a blank (row 5)"


def test_two_kinds_of_blank_are_named_with_their_cell() -> None:
    (record,) = read([*ROWS[:8], ROWS[8].replace(".", "0")])
    assert record.fault
    assert record.fault.reason == "two kinds of blank in one board, '.' and '0' (r9c1)"


def test_a_wrong_byte_is_named() -> None:
    (record,) = read([*ROWS[:8], "\udce9" + ROWS[8][1:]])
    assert record.fault
    assert record.fault.reason == "the byte 0xe9 is not UTF-8 (row 9)"


def test_a_whole_board_on_one_line_is_a_record_and_ends_a_block() -> None:
    records = read([*ROWS, OTHER, *ROWS[:8], OTHER])
    assert [(record.line, record.board) for record in records] == [(1, PUZZLE), (10, OTHER), (11, None), (19, OTHER)]


def test_any_white_space_may_stand_between_cells() -> None:
    assert boards([*ROWS[:8], "\xa0".join(ROWS[8])]) == [PUZZLE]


def test_rubbish_without_end_is_cut_into_records() -> None:
    assert boards(["rubbish"] * 900) == [None] * 100


def test_a_file_is_recognised_by_nine_rows_in_a_row() -> None:
    found = recognise(["Grid 01", *ROWS[:8], "", *boxed("+---+---+---+")])
    assert found
    assert (found.at, found.format) == (11, "blocks")


def test_a_single_broken_block_is_recognised_by_most_lines_being_rows() -> None:
    found = recognise(["Grid 01", *ROWS[:8]])
    assert found
    assert found.format == "blocks"


@pytest.mark.parametrize("head", [[], [""], [PUZZLE, ROWS[0]], ["rubbish", "more", ROWS[0]], ["---", "+++"]])
def test_other_files_are_not_recognised(head: list[str]) -> None:
    assert recognise(head) is None


@given(st.text(st.characters(exclude_characters="\n\r")), st.integers(0, 8), st.sampled_from(["", "Grid 2"]))
def test_one_bad_row_never_changes_the_blocks_around(bad: str, row: int, between: str) -> None:
    spoiled = [*ROWS[:row], bad, *ROWS[row + 1 :]]
    records = boards([*OTHER_ROWS, between, *spoiled, between, *OTHER_ROWS])
    assert records[0] == records[-1] == OTHER
