"""One board a line: no line takes anything from another, and none gets lost."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gridmill.answers import Answer, Status
from gridmill.batch import one_by_one
from gridmill.chunk import Record
from gridmill.formats.lines import TAIL, Lines, LinesWriter, recognise
from gridmill.formats.reader import Tally
from gridmill.formats.row import Row
from gridmill.formats.text import Text

PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SOLUTION = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"


LINE = st.text(st.characters(exclude_characters="\n\r", codec="utf-8"))

pytestmark = pytest.mark.usefixtures("implementation")


def read(*lines: str, tail: str = "") -> list[Record]:
    return list(one_by_one(Lines(tail).records(as_text(*lines), Tally())))


def as_text(*lines: str) -> Text:
    """Lines as they come from a file, so that the kernel sees them too."""
    return Text(iter(["".join(f"{line}\n" for line in lines).encode("utf-8", "surrogateescape")]))


def reason(line: str) -> str:
    (record,) = read(line)
    assert record.fault
    return record.fault.reason


def test_a_line_is_a_record_with_its_number() -> None:
    assert read(PUZZLE, SOLUTION) == [Record(1, PUZZLE), Record(2, SOLUTION)]


def test_a_comment_a_board_and_a_short_line_are_all_accounted_for() -> None:
    tally = Tally()
    found = Lines().records(as_text("# note", PUZZLE, PUZZLE[:80]), tally)
    records = list(one_by_one(found))
    assert [(record.line, record.board is not None) for record in records] == [(2, True), (3, False)]
    assert tally.skipped == 1


def test_a_short_line_takes_nothing_from_the_next() -> None:
    records = read(PUZZLE[:80], PUZZLE)
    assert records[0].board is None
    assert records[1] == Record(2, PUZZLE)


def test_blank_lines_and_titles_are_skipped_and_counted() -> None:
    tally = Tally()
    records = Lines().records(as_text("Grid 01", "", "  ", PUZZLE), tally)
    assert list(one_by_one(records)) == [Record(4, PUZZLE)]
    assert tally.skipped == 3


@pytest.mark.parametrize(
    ("line", "tail"),
    [
        (PUZZLE, ""),
        (f"  {PUZZLE}  ", ""),
        (f"{PUZZLE} # from a book", "from a book"),
        (f"{PUZZLE}#note", "note"),
        (f"{PUZZLE}:1:{SOLUTION}", f"1:{SOLUTION}"),
        (f"{PUZZLE},{SOLUTION}", SOLUTION),
        (f"{PUZZLE};easy; 3", "easy; 3"),
        (f"{PUZZLE} 12.3 name", "12.3 name"),
        (f"{PUZZLE}\t7", "7"),
        (f"{PUZZLE[:9]} {PUZZLE[9:]}, rated 3", "rated 3"),
    ],
)
def test_what_stands_behind_a_board_is_carried_as_tail(line: str, tail: str) -> None:
    assert read(line, tail=TAIL) == [Record(1, PUZZLE, extras=(tail,))]


def test_a_tail_is_passed_over_where_the_file_has_no_column_for_it() -> None:
    assert read(f"{PUZZLE} # deep in the file") == [Record(1, PUZZLE)]


def test_a_malformed_record_has_an_empty_tail_so_that_columns_stay_in_place() -> None:
    (record,) = read("rubbish", tail=TAIL)
    assert record.extras == ("",)


def test_80_cells_with_a_digit_in_the_tail_do_not_become_a_board() -> None:
    assert "unevenly" in reason(PUZZLE[:80] + " 9")


def test_82_cells_are_counted() -> None:
    assert reason(PUZZLE + "1") == "82 cells instead of 81"


def test_a_pencilmark_line_is_one_malformed_record() -> None:
    assert "pencilmark" in reason("123456789" * 81)


def test_a_line_that_was_cut_is_one_malformed_record() -> None:
    assert reason(PUZZLE + " " * (1 << 16)) == "it has 65,536 characters or more"


def test_a_wrong_byte_behind_a_board_makes_only_this_record_malformed() -> None:
    records = read(PUZZLE, f"{PUZZLE} caf\udce9", PUZZLE)
    assert [record.board for record in records] == [PUZZLE, None, PUZZLE]
    assert records[1].fault
    assert records[1].fault.column == 86
    assert records[1].fault.text.endswith("caf\\xe9")


def test_the_text_of_a_fault_is_the_line_as_it_stands_made_safe() -> None:
    (record,) = read("\x1b[2J 5 is not a puzzle")
    assert record.fault
    assert record.fault.text == "\\x1b[2J 5 is not a puzzle"


def test_a_file_is_recognised_at_its_first_board() -> None:
    found = recognise(["# note", "rubbish", PUZZLE, f"{PUZZLE} tail"])
    assert found
    assert (found.at, found.format, found.reader.columns) == (2, "lines", ("tail",))


def test_a_file_without_tails_has_no_column() -> None:
    found = recognise([PUZZLE, "rubbish with a tail"])
    assert found
    assert found.reader.columns == ()


def test_tails_that_are_full_grids_are_the_solutions_that_the_input_knows() -> None:
    found = recognise([PUZZLE, f"{PUZZLE},{SOLUTION}", f"{PUZZLE} {SOLUTION}"])
    assert found
    assert (found.reason, found.reader.columns) == ("line 1 is a board, with a solution behind it", ("solution",))


@pytest.mark.parametrize("tail", ["tail", SOLUTION[:80], SOLUTION + "1", "1:" + SOLUTION, SOLUTION.replace("5", ".")])
def test_one_tail_that_is_no_full_grid_makes_all_of_them_mere_tails(tail: str) -> None:
    found = recognise([f"{PUZZLE} {SOLUTION}", f"{PUZZLE} # {tail}"])
    assert found
    assert found.reader.columns == (TAIL,)


def test_a_file_without_boards_is_not_recognised() -> None:
    assert recognise(["# note", PUZZLE[:80], ""]) is None


@given(st.lists(st.sampled_from([PUZZLE, SOLUTION, f"{PUZZLE} tail", "# note"])), LINE, st.data())
def test_one_bad_line_never_changes_the_records_of_the_others(good: list[str], bad: str, data: st.DataObject) -> None:
    # Given lines and a place among them
    at = data.draw(st.integers(0, len(good)))
    # When a line of rubbish is put there
    spoiled = read(*good[:at], bad, *good[at:], tail=TAIL)
    # Then all other records are there, one line further down behind it
    others = [record for record in spoiled if record.line != at + 1]
    moved = [record._replace(line=record.line + (record.line > at)) for record in read(*good, tail=TAIL)]
    assert others == moved


def test_solutions_are_written_one_a_line() -> None:
    rows = [Row(n, n, "", PUZZLE, Answer(status, SOLUTION)) for n, status in enumerate((Status.UNIQUE, Status.SOLVED))]
    assert LinesWriter().rows(rows) == f"{SOLUTION}\n{SOLUTION}\n".encode()


@pytest.mark.parametrize("status", sorted(set(Status) - {Status.UNIQUE, Status.SOLVED}))
def test_every_other_answer_is_its_status_in_angle_brackets(status: Status) -> None:
    answer = Answer(status, SOLUTION, SOLUTION)
    assert LinesWriter().rows([Row(1, 1, "id", "text", answer)]) == f"<{status}>\n".encode()
