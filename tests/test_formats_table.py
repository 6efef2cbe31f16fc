"""Tables: the puzzle's column is solved, the others are carried, a broken row stays alone."""

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gridmill.answers import Answer, Status
from gridmill.batch import one_by_one
from gridmill.chunk import Fault, Record
from gridmill.errors import FormatError
from gridmill.formats.reader import Tally
from gridmill.formats.row import FIELDS, Row
from gridmill.formats.table import Table, TableWriter, forced, recognise
from gridmill.formats.text import Text

PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SOLUTION = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
ROWS = "\n".join(PUZZLE[at : at + 9] for at in range(0, 81, 9))
OUR_HEADER = ",".join(FIELDS)


pytestmark = pytest.mark.usefixtures("implementation")


def read(text: str, tally: Tally | None = None) -> list[Record]:
    lines = text.split("\n")
    found = recognise(lines)
    assert found
    assert isinstance(found.reader, Table)
    return list(one_by_one(found.reader.records(as_text(text), tally or Tally())))


def as_text(text: str) -> Text:
    """Text as it comes from a file, so that the kernel sees it too."""
    return Text(iter([text.encode("utf-8", "surrogateescape")]))


def columns(text: str) -> tuple[str, ...]:
    found = recognise(text.split("\n"))
    assert found
    return found.reader.columns


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_ids_and_other_columns_are_carried(delimiter: str) -> None:
    text = f"id,puzzle,solution,clues\n7,{PUZZLE},{SOLUTION},30".replace(",", delimiter)
    assert columns(text) == ("solution", "clues")
    assert read(text) == [Record(2, PUZZLE, id="7", extras=(SOLUTION, "30"))]


def test_the_header_and_notes_are_skipped_and_counted() -> None:
    tally = Tally()
    assert len(read(f"# note\nid,puzzle\n\n7,{PUZZLE}\n# end", tally)) == 1
    assert tally.skipped == 4


def test_a_header_alone_is_a_table_without_records() -> None:
    assert read("puzzle,solution") == []


def test_a_quoted_field_may_hold_delimiters_and_line_ends() -> None:
    records = read(f'puzzle,note\n"{ROWS}","a, ""b""\nc"\n{PUZZLE},d')
    assert records == [Record(2, PUZZLE, extras=('a, "b"\nc',)), Record(12, PUZZLE, extras=("d",))]


@pytest.mark.parametrize("row", ["x", f"{PUZZLE},a,b", f"{PUZZLE}"])
def test_a_row_of_another_width_is_malformed_and_alone(row: str) -> None:
    records = read(f"puzzle,note\n{PUZZLE},a\n{row}\n{PUZZLE},b")
    assert [record.board for record in records] == [PUZZLE, None, PUZZLE]
    assert records[1].extras == ("",)
    assert records[1].fault
    assert records[1].fault.reason == f"the number of fields is {row.count(',') + 1}, not 2"


def test_a_quote_that_is_never_closed_is_malformed_and_alone() -> None:
    records = read(f'puzzle,note\n{PUZZLE},"a\n{PUZZLE},b')
    assert [record.board for record in records] == [None, PUZZLE]
    assert records[0].fault
    assert "not closed" in records[0].fault.reason


def test_a_faulty_puzzle_keeps_its_id_and_columns() -> None:
    assert read(f"id,puzzle,note\n7,{PUZZLE},a\n8,{PUZZLE[:80]},b")[1] == Record(
        3, None, Fault(0, "80 cells instead of 81", PUZZLE[:80]), "8", ("b",)
    )


def test_the_column_of_a_fault_counts_inside_the_field() -> None:
    (record,) = read(f"id,puzzle\n7,{PUZZLE[:80]}a")
    assert record.fault
    assert (record.fault.column, record.fault.text) == (81, PUZZLE[:80] + "a")


def test_a_wrong_byte_makes_only_its_row_malformed_and_shows_escaped() -> None:
    records = read(f"puzzle,name\n{PUZZLE},caf\udce9\n{PUZZLE},tea")
    assert [record.board for record in records] == [None, PUZZLE]
    assert records[0].extras == ("caf\\xe9",)
    assert records[0].fault
    assert records[0].fault.column == 86


def test_a_line_with_a_comment_sign_and_the_right_width_is_a_row() -> None:
    assert read(f"id,puzzle\n#1,{PUZZLE}") == [Record(2, PUZZLE, id="#1")]


def test_a_word_above_boards_is_the_header_of_a_table_of_one_column() -> None:
    assert read(f"Puzzle\n# note\n\n{PUZZLE}") == [Record(4, PUZZLE)]


def test_a_line_like_a_comment_inside_a_quoted_field_is_a_part_of_it() -> None:
    assert read(f'puzzle,note\n{PUZZLE},"a\n# b"') == [Record(2, PUZZLE, extras=("a\n# b",))]


@pytest.mark.parametrize("text", [f"Sudoku\n{ROWS}", f"puzzle,solution\n{PUZZLE}\n{PUZZLE}", PUZZLE, ""])
def test_a_header_that_no_row_fits_is_none(text: str) -> None:
    assert recognise(text.split("\n")) is None


def test_the_puzzles_column_can_be_demanded() -> None:
    lines = ["puzzle,start", f"x,{PUZZLE}"]
    reader = forced(lines, "start", "f.csv").reader
    assert isinstance(reader, Table)
    assert reader.columns == ("puzzle",)
    assert list(reader.records(lines, Tally())) == [Record(2, PUZZLE, extras=("x",))]


def test_a_demanded_column_that_is_missing_is_an_error_that_lists_those_there_are() -> None:
    with pytest.raises(FormatError, match=r"f\.csv has no column 'start'; its first row has: a, b"):
        forced(["a,b"], "start", "f.csv")


def test_an_answers_file_of_our_own_is_an_input_like_any_other() -> None:
    text = f"{OUR_HEADER}\n1,1,7,{PUZZLE},unique,1,{SOLUTION},,6,"
    assert columns(text) == ("record", "line", *FIELDS[4:])
    assert read(text)[0] == Record(2, PUZZLE, id="7", extras=("1", "1", "unique", "1", SOLUTION, "", "6", ""))


def test_the_marks_against_formulas_are_taken_off_when_our_own_file_is_read() -> None:
    row = Row(1, 1, "=id", PUZZLE, Answer(Status.NONE), ("=1+1",))
    writer = TableWriter(["note"])
    (record,) = read((writer.header() + writer.rows([row])).decode().strip())
    assert (record.id, record.extras[-1]) == ("=id", "=1+1")


@given(st.text(st.characters(exclude_characters="\n\r", codec="utf-8")), st.integers(0, 2))
def test_one_bad_row_never_changes_the_records_of_the_others(bad: str, at: int) -> None:
    # Given a table, one line of which is rubbish
    good = [f"{n},{PUZZLE}" for n in range(3)]
    lines = ["id,puzzle", *good[:at], bad, *good[at:]]
    found = recognise(lines)
    assert found
    assert isinstance(found.reader, Table)
    # When it is read
    records = one_by_one(found.reader.records(as_text("\n".join(lines)), Tally()))
    others = [record for record in records if record.line != at + 2]
    # Then all other rows are as they were
    assert [(record.id, record.board) for record in others] == [(str(n), PUZZLE) for n in range(3)]


def test_the_header_has_our_columns_and_then_the_inputs_with_a_prefix() -> None:
    assert TableWriter(["note", "a,b"]).header() == f'{OUR_HEADER},in_note,"in_a,b"\n'.encode()


def test_a_row_has_the_answer_and_the_inputs_columns() -> None:
    row = Row(2, 3, "7", PUZZLE, Answer(Status.MULTIPLE, SOLUTION, PUZZLE, 5), ("a", "b"))
    expected = f"2,3,7,{PUZZLE},multiple,>1,{SOLUTION},{PUZZLE},5,,a,b\n"
    assert TableWriter(["x", "y"]).rows([row]) == expected.encode()


def test_a_row_without_extras_has_an_empty_field_for_each_column() -> None:
    row = Row(2, 3, "", PUZZLE, Answer(Status.NONE, nodes=5))
    assert TableWriter(["x", "y"]).rows([row]) == f"2,3,,{PUZZLE},none,0,,,5,,,\n".encode()


def test_malformed_text_that_a_spreadsheet_could_run_gets_a_mark() -> None:
    row = Row(1, 1, "", "=1+1", Answer(Status.MALFORMED, detail="3 cells, not 81"))
    assert TableWriter([]).rows([row]) == b'1,1,,\'=1+1,malformed,,,,0,"3 cells, not 81"\n'


@given(st.text(st.characters(codec="utf-8", exclude_characters="\0")), st.text(st.characters(codec="utf-8")))
def test_the_standard_library_reads_the_same_number_of_fields_whatever_is_in_them(number: str, extra: str) -> None:
    row = Row(1, 1, number, PUZZLE, Answer(Status.CLASH, detail=extra.replace("\0", "")), (extra.replace("\0", ""),))
    text = TableWriter(["x"]).rows([row]).decode()
    (fields,) = csv.reader(io.StringIO(text, newline=""))
    assert len(fields) == len(FIELDS) + 1
