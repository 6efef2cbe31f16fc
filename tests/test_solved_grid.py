"""Random solved grids keep the rules and differ."""

from gridmill.chance import Chance
from gridmill.rules import verify
from gridmill.solved_grid import solved_grid

EMPTY = "." * 81


def test_every_grid_is_solved() -> None:
    chance = Chance(1)
    assert [verify(EMPTY, solved_grid(chance)) for _ in range(200)] == [None] * 200


def test_no_two_grids_are_the_same() -> None:
    chance = Chance(1)
    assert len({solved_grid(chance) for _ in range(500)}) == 500


def test_every_cell_takes_every_digit() -> None:
    chance = Chance(3)
    grids = [solved_grid(chance) for _ in range(300)]
    assert all({grid[cell] for grid in grids} == set("123456789") for cell in range(81))
