"""Which cells are to be seen."""

from gridmill.marks import clashing, differing

EMPTY = "." * 81


def test_two_solutions_differ_in_some_cells() -> None:
    assert differing("12" + EMPTY[2:], "21" + EMPTY[2:]) == {0, 1}


def test_one_solution_differs_from_nothing() -> None:
    assert differing("1" * 81, "") == set()


def test_every_clash_has_its_cells() -> None:
    # Given two fives in row 1 and, apart from them, two sevens in column 9
    board = "5...5" + EMPTY[5:17] + "7" + EMPTY[18:80] + "7"
    # Then
    assert clashing(board) == {0, 4, 17, 80}


def test_a_digit_that_stands_once_in_each_unit_clashes_with_nothing() -> None:
    assert clashing("5" + EMPTY[1:12] + "5" + EMPTY[13:]) == set()
