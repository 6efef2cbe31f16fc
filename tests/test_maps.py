"""Row-major search with occupancy maps."""

from gridmill.board import to_grid
from gridmill.solvers.maps import Maps

DEAD_END = ".2345678." + "." * 18 + "9........" + "........9" + "." * 36  # r1c1 and r1c9 can only be 1


def test_maps_are_freed_again_when_a_placement_fails() -> None:
    """A map that kept a failed digit would refuse it later and lose the solution."""
    board = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"

    outcome = Maps().search(to_grid(board), 1, 100_000)

    assert outcome.nodes > board.count(".")
    assert len(outcome.solutions) == 1


def test_a_dead_end_takes_its_digits_from_the_board_again() -> None:
    grid = to_grid(DEAD_END)

    outcome = Maps().search(grid, 1, 1000)

    assert (outcome.solutions, outcome.nodes) == ((), 1)
    assert grid == to_grid(DEAD_END)
