"""The two forms of ending differ in nothing that can be seen from outside."""

import pytest

from gridmill.board import BLANK, CELLS, to_grid
from gridmill.solvers.cells import CellsBreak, CellsReturn

BOARDS = {
    "unique": "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79",
    "two": "..3456789456789123789123456..4365897365897214897214365531642978642978531978531642",
    "none": "12345678.........9" + BLANK * 63,
    "empty": BLANK * CELLS,
}


@pytest.mark.parametrize("board", BOARDS.values(), ids=BOARDS)
def test_both_forms_search_and_answer_alike(board: str) -> None:
    one, other = to_grid(board), to_grid(board)

    assert CellsBreak().search(one, 1, 10_000) == CellsReturn().search(other, 1, 10_000)
    assert one == other
