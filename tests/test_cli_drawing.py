"""Boards as lines of text."""

import pytest

from gridmill.cli.drawing import ASCII, LINES, WIDTH, Picture, drawn

CELLS = "123456789" * 9
EMPTY = "." * 81


def plain(text: str, style: str) -> str:
    return text


def test_a_board_has_a_title_and_its_boxes_set_apart() -> None:
    lines = drawn([Picture("puzzle", CELLS, CELLS)], WIDTH, LINES, plain)
    assert lines[:3] == ["puzzle", "┌───────┬───────┬───────┐", "│ 1 2 3 │ 4 5 6 │ 7 8 9 │"]
    assert (len(lines), lines[5], lines[-1]) == (14, "├───────┼───────┼───────┤", "└───────┴───────┴───────┘")


def test_a_marked_cell_has_a_sign_behind_it() -> None:
    lines = drawn([Picture("puzzle", CELLS, CELLS, {1, 2})], WIDTH, ASCII, plain)
    assert lines[1:3] == ["+-------+-------+-------+", "| 1 2*3*| 4 5 6 | 7 8 9 |"]


def test_three_boards_stand_beside_each_other_on_80_columns() -> None:
    lines = drawn([Picture("", CELLS, CELLS)] * 3, 80, LINES, plain)
    assert (len(lines), max(map(len, lines))) == (14, 79)


@pytest.mark.parametrize("columns", [0, WIDTH, 2 * WIDTH])
def test_where_there_is_no_room_they_stand_below_each_other(columns: int) -> None:
    lines = drawn([Picture("", CELLS, CELLS)] * 3, columns, LINES, plain)
    assert (len(lines), max(map(len, lines))) == (3 * 14, WIDTH)


def test_given_found_and_marked_digits_have_a_style_each() -> None:
    givens = "1.3" + EMPTY[3:]
    line = drawn([Picture("", CELLS, givens, {2})], WIDTH, LINES, lambda text, style: f"<{style} {text}>")[2]
    assert line.startswith("│ <given 1> <found 2> <marked 3*>│")


def test_an_empty_cell_has_no_style() -> None:
    line = drawn([Picture("", EMPTY, EMPTY)], WIDTH, LINES, lambda text, style: f"<{text}>")[2]
    assert line == "│ . . . │ . . . │ . . . │"
