"""The family of a file is found by looking at its first lines."""

import pytest

from gridmill.errors import FormatError
from gridmill.formats.detect import detect

PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
ROWS = [PUZZLE[at : at + 9] for at in range(0, 81, 9)]


@pytest.mark.parametrize(
    ("head", "family"),
    [
        ([PUZZLE], "lines"),
        (["rubbish", ROWS[0], PUZZLE], "lines"),
        ([f"{PUZZLE},{PUZZLE}"], "lines"),
        (["Grid 01", *ROWS], "blocks"),
        (["Sudoku", *ROWS], "blocks"),
        ([*ROWS[:8], "", *ROWS], "blocks"),
        ([*ROWS, PUZZLE], "blocks"),
        ([PUZZLE, *ROWS], "blocks"),
        (["puzzle,solution", f"{PUZZLE},x"], "csv"),
        (["puzzle", PUZZLE], "csv"),
        (["puzzle,solution", PUZZLE], "lines"),
        (["rubbish"], "lines"),
        ([], "lines"),
    ],
)
def test_the_family_that_is_seen_first_is_believed(head: list[str], family: str) -> None:
    assert detect(head, "f").format == family


@pytest.mark.parametrize(
    ("head", "reason"),
    [
        ([PUZZLE + " x"], "line 1 is a board, with a tail behind the board"),
        (["Grid 01", *ROWS], "nine rows of nine cells from line 2"),
        (["id,puzzle"], "line 1 is a header, puzzles in the column 'puzzle'"),
        (["rubbish"], "no board among the first lines: every line is taken for a record"),
        ([], "it is empty"),
    ],
)
def test_the_reason_is_given(head: list[str], reason: str) -> None:
    assert detect(head, "f").reason == reason


def test_a_demanded_column_makes_the_file_a_table() -> None:
    with pytest.raises(FormatError, match="f has no column 'start'"):
        detect([PUZZLE], "f", "start")


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("order", [1, -1])
def test_a_table_without_a_known_column_is_read_by_what_is_in_its_columns(delimiter: str, order: int) -> None:
    rows = (("level", "start grid"), ("easy", PUZZLE), ("hard", PUZZLE))
    found = detect([delimiter.join(fields[::order]) for fields in rows], "f")
    assert found.reader.columns == ("level",)
    assert found.reason.endswith(f"a board in column {2 if order == 1 else 1}, named by line 1")


def test_what_behind_the_boards_is_no_column_when_there_is_no_header() -> None:
    assert detect([f"{PUZZLE},easy", f"{PUZZLE},hard"], "f").format == "lines"


def test_a_board_of_letters_is_no_header() -> None:
    letters = PUZZLE.replace(".", "x")[2:] + "xx"
    assert detect([f"{letters},easy", f"{letters},hard"], "f").format == "lines"


@pytest.mark.parametrize("rows", [[f"{PUZZLE},easy", "what is this?"], ["one,two", "three,four", f"{PUZZLE},easy"], []])
def test_rubbish_before_boards_is_no_header(rows: list[str]) -> None:
    assert detect(["what, is this", *rows], "f").format == "lines"


@pytest.mark.parametrize(
    ("head", "first", "second"),
    [
        ([PUZZLE, "[Puzzle]", *ROWS], "lines", "sdk"),
        ([*ROWS, "", "[Puzzle]", *ROWS], "blocks", "sdk"),
        ([PUZZLE, f":0000:x:{PUZZLE}:::"], "lines", "hodoku"),
        ([f":0000:x:{PUZZLE}:::", *ROWS], "hodoku", "blocks"),
        (["*-----------*", *(f"|{row}|" for row in ROWS), "*-----------*", PUZZLE], "ss", "lines"),
        ([PUZZLE + " easy", *ROWS], "lines", "blocks"),
        ([PUZZLE, f"1,{PUZZLE}"], "lines", "csv"),
    ],
)
def test_a_file_that_fits_two_formats_is_refused_with_both_reasons(head: list[str], first: str, second: str) -> None:
    with pytest.raises(FormatError) as refused:
        detect(head, "f")
    said = str(refused.value)
    assert said.startswith(f"f fits two formats: {first}, for ")
    assert said.endswith(f"say --input-format {first} or --input-format {second}")


@pytest.mark.parametrize("form", ["lines", "sdk"])
def test_a_file_that_fits_two_formats_is_read_as_the_one_that_is_demanded(form: str) -> None:
    assert detect([PUZZLE, "[Puzzle]", *ROWS], "f", form=form).format == form


@pytest.mark.parametrize(
    ("head", "family"),
    [
        (["[Puzzle]", PUZZLE], "sdk"),
        (["puzzle", PUZZLE, *ROWS], "csv"),
        ([f"00a2e2d8f4c0 {PUZZLE.replace('.', '0')}  1.2"], "bank"),
    ],
)
def test_a_special_case_of_a_format_is_believed_over_it(head: list[str], family: str) -> None:
    assert detect(head, "f").format == family
