"""The rules of the game, on boards that other programs got wrong."""

import pytest

from gridmill.board import BLANK, CELLS
from gridmill.rules import UNITS, cell_name, clash, verify

EASY = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
EASY_SOLVED = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"


def test_there_are_27_units_and_each_cell_is_in_three() -> None:
    assert len({unit.name for unit in UNITS}) == len(UNITS) == 27
    assert all(len({*unit.cells}) == 9 for unit in UNITS)
    assert all(sum(cell in unit.cells for unit in UNITS) == 3 for cell in range(CELLS))


def test_a_clash_names_digit_unit_and_cells() -> None:
    assert str(clash("55" + BLANK * 79)) == "5 twice in row 1: r1c1, r1c2"


@pytest.mark.parametrize(
    ("cells", "text"),
    [
        ((4, 76), "7 twice in column 5: r1c5, r9c5"),
        ((60, 80), "7 twice in box 9: r7c7, r9c9"),
        ((9, 12, 17), "7 three times in row 2: r2c1, r2c4, r2c9"),
        ((0, 9, 18, 27), "7 4 times in column 1: r1c1, r2c1, r3c1, r4c1"),
    ],
)
def test_clashes_are_found_in_every_kind_of_unit(cells: tuple[int, ...], text: str) -> None:
    board = "".join("7" if cell in cells else BLANK for cell in range(CELLS))

    assert str(clash(board)) == text


@pytest.mark.parametrize(
    "board",
    [
        ".99..5.1.85.4....2432......1...69.83.9.....6.62.71...9......1945....4.37.4.3..6..",
        "....................1..6.9...841...7..2.5.6..6...124...2.5..9....................",
        "7.7......" + BLANK * 72,
    ],
)
def test_boards_that_hung_other_solvers_are_clashes(board: str) -> None:
    assert clash(board) is not None


@pytest.mark.parametrize(
    "board",
    [
        EASY,
        EASY_SOLVED,
        BLANK * CELLS,
        ".876543212........3........4........5........6........7........8........9........",
    ],
)
def test_legal_givens_do_not_clash(board: str) -> None:
    assert clash(board) is None


def test_a_right_solution_has_no_fault() -> None:
    assert verify(EASY, EASY_SOLVED) is None


def test_sums_are_not_sets() -> None:
    assert verify(BLANK * CELLS, "5" * CELLS) == "row 1 of the solution does not hold each digit once"


def test_right_rows_and_columns_are_not_enough() -> None:
    shifted = "".join("123456789"[(row + column) % 9] for row in range(9) for column in range(9))

    assert verify(BLANK * CELLS, shifted) == "box 1 of the solution does not hold each digit once"


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: str(unit.name).replace(" ", "-"))
def test_a_fault_in_any_unit_is_seen(unit: object) -> None:
    """Each unit in turn gets one of its digits twice."""
    cells = unit.cells  # type: ignore[attr-defined]
    signs = list(EASY_SOLVED)
    signs[cells[0]] = signs[cells[8]]

    assert verify(BLANK * CELLS, "".join(signs)) is not None


def test_a_changed_given_is_named() -> None:
    swapped = EASY_SOLVED.translate(str.maketrans("35", "53"))

    assert verify(EASY, swapped) == "the given 5 in r1c1 became 3"


@pytest.mark.parametrize("solution", ["", EASY_SOLVED[:80], EASY_SOLVED + "1"])
def test_a_solution_of_another_length_is_wrong(solution: str) -> None:
    assert verify(EASY, solution) == f"the solution has {len(solution)} cells"


def test_a_solution_with_holes_is_wrong() -> None:
    assert verify(EASY, EASY) is not None
    assert verify(EASY, EASY_SOLVED[:80] + "0") is not None


def test_cells_are_named_by_row_and_column() -> None:
    assert [cell_name(cell) for cell in (0, 8, 9, 80)] == ["r1c1", "r1c9", "r2c1", "r9c9"]
