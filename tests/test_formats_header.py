"""A header is known by the names in it."""

import pytest

from gridmill.formats.header import distinct, find_header, first_columns


@pytest.mark.parametrize(
    ("line", "puzzle"),
    [
        ("quizzes,solutions", 0),
        ("puzzle,solution", 0),
        ("id,puzzle,solution,clues,difficulty", 1),
        ("source,question,answer,rating", 1),
        ("record,line,id,puzzle,status,count,solution,solution2,nodes,detail", 3),
        ("id;Sudoku", 1),
        ("name\tBoard", 1),
        ('"id","puzzle"', 1),
        (" id , Puzzle ", 1),
        ("#,puzzle", 1),
        ("grid", 0),
    ],
)
def test_the_column_with_the_puzzles_is_found_by_its_name(line: str, puzzle: int) -> None:
    header = find_header([line])
    assert header
    assert header.puzzle == puzzle


@pytest.mark.parametrize("line", ["", "a,b", "clues,difficulty", "." * 81, "puzzles: 100", "# puzzle", "Grid 01"])
def test_a_line_without_such_a_name_is_no_header(line: str) -> None:
    assert find_header([line]) is None


def test_comments_and_blank_lines_may_stand_before_the_header() -> None:
    header = find_header(["# note", "", "id,puzzle"])
    assert header
    assert header.at == 2


def test_only_the_first_row_can_be_the_header() -> None:
    assert find_header(["." * 81, "id,puzzle"]) is None


@pytest.mark.parametrize("column", ["start", "START", "Start"])
def test_a_column_can_be_demanded_by_name(column: str) -> None:
    header = find_header(["puzzle,Start"], column)
    assert header
    assert header.puzzle == 1


def test_the_exact_name_goes_before_the_same_letters_in_another_case() -> None:
    header = find_header(["A,a"], "a")
    assert header
    assert header.puzzle == 1


def test_a_demanded_column_that_is_not_there_makes_no_header() -> None:
    assert find_header(["puzzle,solution"], "start") is None


def test_titles_are_distinct_and_never_empty() -> None:
    header = find_header([",a,puzzle,a,\x1b"])
    assert header
    assert header.titles == ("column_1", "a", "puzzle", "a_2", "\\x1b")


def test_a_number_makes_equal_names_distinct_from_all_others() -> None:
    assert distinct(["a", "a", "a_2", "a"]) == ("a", "a_2", "a_2_2", "a_3")


def test_the_columns_of_a_first_row_are_shown_by_the_delimiter_that_gives_most() -> None:
    assert first_columns(["# note", "a;b,c;d"]) == ["a", "b,c", "d"]
