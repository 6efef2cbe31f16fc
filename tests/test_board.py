"""Boards as text, as grids and packed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gridmill.board import (
    BLANK,
    CELLS,
    HOLE,
    PACKED,
    check_apart,
    draw,
    fill,
    from_grid,
    pack,
    parse,
    slots,
    to_grid,
    unpack,
)
from gridmill.errors import BoardError

EASY = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
BOARDS = st.text("123456789.", min_size=CELLS, max_size=CELLS)


@pytest.mark.parametrize("sign", list(".0*_xX-?"))
def test_every_blank_sign_is_read_as_a_dot(sign: str) -> None:
    assert parse(EASY.replace(BLANK, sign)) == EASY


@pytest.mark.parametrize("digit", ["\uff15", "\u0665", "²", "³", "a", " ", "\r", "\x00"])
def test_only_ascii_digits_are_digits(digit: str) -> None:
    with pytest.raises(BoardError) as caught:
        parse(EASY[:4] + digit + EASY[5:])

    assert (caught.value.column, caught.value.found) == (5, digit)


def test_a_foreign_sign_is_named_readably() -> None:
    with pytest.raises(BoardError, match=r"column 1: '\\uff15' is neither a digit 1-9 nor a blank"):
        parse("\uff15" + EASY[1:])


@pytest.mark.parametrize("length", [0, 80, 82])
def test_a_wrong_length_is_named(length: int) -> None:
    with pytest.raises(BoardError, match=f"{length} cells instead of 81"):
        parse((EASY * 2)[:length])


@given(BOARDS)
def test_packing_loses_nothing(board: str) -> None:
    packed = pack(board)

    assert len(packed) == PACKED
    assert unpack(packed) == board


@given(BOARDS)
def test_no_board_packs_to_the_hole(board: str) -> None:
    assert pack(board) != HOLE


@pytest.mark.parametrize(
    "packed",
    [HOLE, b"", bytes(40), bytes(42), bytes(40) + b"\x01", b"\xa0" + bytes(40)],
    ids=["hole", "empty", "short", "long", "last half byte", "digit ten"],
)
def test_bytes_that_are_no_board_are_refused(packed: bytes) -> None:
    with pytest.raises(BoardError):
        unpack(packed)


def test_slots_cut_packed_boards_apart() -> None:
    packed = pack(EASY)

    assert slots(packed + HOLE + packed) == [packed, HOLE, packed]


@given(BOARDS)
def test_a_grid_says_what_the_text_says(board: str) -> None:
    assert from_grid(to_grid(board)) == board


def test_a_grid_may_use_any_blank_or_an_empty_text() -> None:
    grid = to_grid(EASY)
    grid[0][2] = ""
    grid[0][3] = "0"

    assert from_grid(grid) == EASY


def test_a_grid_is_filled_without_replacing_its_rows() -> None:
    grid = to_grid(BLANK * CELLS)
    rows = list(grid)

    fill(grid, EASY)

    assert from_grid(grid) == EASY
    assert all(row is before for row, before in zip(grid, rows, strict=True))


def test_rows_that_are_one_list_are_refused_with_their_numbers() -> None:
    grid = to_grid(EASY)
    grid[7] = grid[2]

    with pytest.raises(BoardError, match=r"rows 3 and 8 are the same list"):
        check_apart(grid)


def test_equal_rows_are_no_fault() -> None:
    check_apart(to_grid(BLANK * CELLS))


def test_a_grid_of_another_shape_is_refused_with_its_shape() -> None:
    with pytest.raises(BoardError, match=r"9 rows of 9 cells, not rows of \(9, 8\)"):
        from_grid([list("123456789"), list("12345678")])


@pytest.mark.parametrize("cell", ["12", 5, ["1"]])
def test_a_cell_that_is_not_one_character_is_named(cell: object) -> None:
    grid: list[list[object]] = [list(row) for row in to_grid(EASY)]
    grid[1][6] = cell

    with pytest.raises(BoardError, match="r2c7"):
        from_grid(grid)  # type: ignore[arg-type]  # that is the point


def test_a_drawing_sets_the_boxes_apart() -> None:
    lines = draw(EASY).splitlines()

    assert lines[0] == "5 3 . | . 7 . | . . ."
    assert lines[3] == "------+-------+------"
    assert len(lines) == 11
