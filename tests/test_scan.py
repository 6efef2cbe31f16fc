"""Row-major search by looking at the board."""

from gridmill.board import BLANK, CELLS, to_grid
from gridmill.solvers.scan import Scan


def test_digits_are_tried_in_order_so_the_smallest_solution_comes_first() -> None:
    outcome = Scan().search(to_grid(BLANK * CELLS), 1, 1000)

    assert outcome.solutions[0].startswith("123456789456789123789123456")


def test_every_placement_is_a_node() -> None:
    """1 and 2 are open in four cells: 1, 2, 2, 1 is right at once."""
    board = "..3456789456789123789123456..4365897365897214897214365531642978642978531978531642"

    assert Scan().search(to_grid(board), 1, 1000).nodes == 4


def test_a_digit_that_is_refused_is_no_node() -> None:
    board = "12345678." + "........9" + BLANK * 63

    assert Scan().search(to_grid(board), 1, 1000).nodes == 0
