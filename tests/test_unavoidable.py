"""Every unavoidable set is one: with none of its cells given, there is a second solution."""

import pytest

from gridmill import solvers
from gridmill.board import BLANK, to_grid
from gridmill.chance import Chance
from gridmill.rules import cell_name
from gridmill.solved_grid import solved_grid
from gridmill.unavoidable import unavoidable

SOLUTION = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"


@pytest.mark.parametrize("solution", [SOLUTION, solved_grid(Chance(1)), solved_grid(Chance(2))])
def test_without_any_cell_of_a_set_there_are_two_solutions(solution: str) -> None:
    solver = solvers.get("bitmask")
    for part in unavoidable(solution):
        board = "".join(BLANK if part >> cell & 1 else digit for cell, digit in enumerate(solution))
        assert len(solver.search(to_grid(board), 2, solver.budget).solutions) == 2


def test_the_sets_are_small_and_many() -> None:
    sizes = [part.bit_count() for part in unavoidable(SOLUTION)]
    assert len(sizes) > 54  # one a pair of digits and of neighbouring lines, at the least
    assert all(4 <= size <= 18 for size in sizes)


@pytest.mark.parametrize(
    "cells",
    [
        {"r4c6", "r4c9", "r5c6", "r5c9"},  # 1 3 above 3 1
        {"r2c8", "r2c9", "r7c8", "r7c9"},  # 4 8 above 8 4, two bands apart
        {"r1c2", "r1c5", "r1c7", "r2c2", "r2c5", "r2c7"},  # 3 7 9 above 7 9 3
        {"r1c4", "r1c8", "r2c1", "r2c4", "r3c1", "r3c8"},  # 6 and 1 round three rows
    ],
)
def test_sets_that_people_know_are_found(cells: set[str]) -> None:
    assert sum(1 << cell for cell in range(81) if cell_name(cell) in cells) in unavoidable(SOLUTION)
