"""The puzzle bank's records: a hash, 81 cells, a rating."""

import pytest

from gridmill.chunk import Record
from gridmill.formats.bank import Bank, recognise
from gridmill.formats.reader import Tally

PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
CELLS = PUZZLE.replace(".", "0")
LINE = f"00a2e2d8f4c0 {CELLS}  1.2"


def read(*lines: str) -> list[Record]:
    return list(Bank().records(lines, Tally()))


def test_a_record_has_100_bytes_with_its_line_end() -> None:
    assert len(LINE + "\n") == 100


@pytest.mark.parametrize(
    ("line", "rating"), [(LINE, "1.2"), (LINE.replace("  1.2", " 10.3"), "10.3"), (LINE + " ", "1.2")]
)
def test_the_hash_becomes_the_id_and_the_rating_is_carried(line: str, rating: str) -> None:
    assert read(line) == [Record(1, PUZZLE, None, "00a2e2d8f4c0", (rating,))]


def test_a_damaged_record_is_malformed_and_keeps_its_id() -> None:
    # Given a record that lacks a cell between two good ones
    records = read(LINE, LINE.replace(CELLS, CELLS[1:]), LINE)
    # Then it alone is malformed
    assert [record.board for record in records] == [PUZZLE, None, PUZZLE]
    assert records[1].id == "00a2e2d8f4c0"
    assert records[1].fault is not None
    assert records[1].fault.reason == "80 cells instead of 81"
    assert records[1].fault.text == CELLS[1:]


@pytest.mark.parametrize("line", ["rubbish", "00a2e2d8f4c0", PUZZLE, "\0", "00a2e2d8f4c0 \udcff"])
def test_what_is_no_record_is_malformed(line: str) -> None:
    record = read(line)[0]
    assert record.fault is not None
    assert record.extras == ("",)


def test_blank_lines_and_comments_are_skipped() -> None:
    tally = Tally()
    assert [record.line for record in Bank().records(["", "# note", LINE], tally)] == [3]
    assert tally.skipped == 2


@pytest.mark.parametrize("head", [[LINE], ["rubbish", LINE]])
def test_it_is_seen_at_the_first_record(head: list[str]) -> None:
    found = recognise(head)
    assert found is not None
    assert found.at == len(head) - 1
    assert found.reason == f"line {len(head)} is a record of the puzzle bank: hash, cells, rating"


@pytest.mark.parametrize("line", [PUZZLE, f"1 {PUZZLE} 1.2", f"00a2e2d8f4c0 {PUZZLE}", LINE.upper()])
def test_other_lines_are_not_taken_for_records(line: str) -> None:
    assert recognise([line]) is None
