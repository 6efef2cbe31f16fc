"""81 cells, and the clear word where they are none."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gridmill import board
from gridmill.board import BLANKS
from gridmill.errors import BoardError
from gridmill.formats.cells import check_text, plain, read_cells

PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"


def refusal(text: str) -> BoardError:
    with pytest.raises(BoardError) as caught:
        read_cells(text)
    return caught.value


@pytest.mark.parametrize("sign", BLANKS)
def test_every_blank_sign_is_read_as_a_point(sign: str) -> None:
    assert read_cells(PUZZLE.replace(".", sign)) == PUZZLE


def test_a_board_without_blanks_is_read() -> None:
    assert read_cells("123456789" * 9) == "123456789" * 9


def test_two_kinds_of_blank_are_refused_at_the_first_of_the_second_kind() -> None:
    error = refusal(PUZZLE.replace(".", "0", 3))
    assert str(error) == "two kinds of blank in one board, '0' and '.'"
    assert error.column == 7


@pytest.mark.parametrize("size", [1, 3, 9, 27])
def test_spaces_between_groups_of_equal_size_are_dropped(size: int) -> None:
    grouped = " ".join(PUZZLE[at : at + size] for at in range(0, 81, size))
    assert read_cells(grouped) == PUZZLE


def test_spaces_and_line_ends_between_rows_are_dropped() -> None:
    assert read_cells(f"  {PUZZLE[:9]} \n\t{PUZZLE[9:]} ") == PUZZLE


def test_80_cells_with_a_number_behind_them_are_no_board() -> None:
    assert "set apart unevenly" in str(refusal(PUZZLE[:80] + " 9"))


@pytest.mark.parametrize("cells", [PUZZLE[:80], PUZZLE + "1", "53", PUZZLE[:79].replace(".", ". ")])
def test_another_number_of_cells_is_named(cells: str) -> None:
    error = refusal(cells)
    assert str(error) == f"{len(cells.replace(' ', ''))} cells instead of 81"
    assert error.column == 0


def test_a_damaged_board_with_a_name_behind_it_is_called_too_short() -> None:
    assert str(refusal(PUZZLE[:80] + " 12.3 easy")) == "80 cells instead of 81"


def test_one_cell_is_no_cells() -> None:
    assert str(refusal("5")) == "1 cell instead of 81"


@pytest.mark.parametrize(("text", "name"), [("1234" * 4, "4×4"), ("123456" * 6, "6×6"), ("." * 256, "16×16")])
def test_other_sizes_are_refused_by_name(text: str, name: str) -> None:
    assert str(refusal(text)) == f"size {name} is not supported, Gridmill solves 9×9"


def test_a_board_with_25_letters_is_refused_by_name() -> None:
    assert str(refusal("abcdefghijklmnopqrstuvwxy" * 25)) == "size 25×25 is not supported, Gridmill solves 9×9"


def test_pencilmarks_are_refused_by_name() -> None:
    assert "pencilmark grid" in str(refusal("123456789" * 81))


@pytest.mark.parametrize(("digit", "sign"), [("5", "\uff15"), ("3", "\xb3"), ("7", "\u0667"), ("6", "\xb2")])
def test_digits_that_are_not_ascii_are_refused_with_their_column(digit: str, sign: str) -> None:
    error = refusal(PUZZLE.replace(digit, sign, 1))
    assert error.column == PUZZLE.index(digit) + 1
    assert error.found == sign


def test_the_column_of_a_wrong_sign_counts_the_spaces_before_it() -> None:
    assert refusal("53. .7. a.. 6.." + PUZZLE[12:]).column == 9


@pytest.mark.parametrize(
    ("text", "column", "reason"),
    [
        ("12\0", 3, "a NUL byte"),
        ("1\udce92", 2, "the byte 0xe9 is not UTF-8"),
        ("1" * (1 << 16), 0, "65,536 characters"),
    ],
)
def test_damaged_text_is_refused_with_its_column(text: str, column: int, reason: str) -> None:
    with pytest.raises(BoardError, match=reason) as caught:
        check_text(text)
    assert caught.value.column == column


@given(st.text(st.sampled_from("12. 0x"), min_size=79, max_size=83) | st.text())
def test_the_fast_path_says_the_same_as_the_board(text: str) -> None:
    found = plain(text)
    if found is not None:
        assert found == board.parse(text)


@given(st.text() | st.text(st.sampled_from("123.0 \t"), max_size=170))
def test_any_text_is_a_board_or_a_board_error(text: str) -> None:
    try:
        found = read_cells(text)
    except BoardError:
        return
    assert board.parse(found) == found
