"""One board, filled in place by native code: what the solvers for many say, at every width."""

import os

import pytest
from test_deep import IMPOSSIBLE, MONSTERS, TWO, boards_of_every_kind

from gridmill import kernel
from gridmill.board import to_grid
from gridmill.formats.stated import Stated
from gridmill.rules import clash, verify
from gridmill.solvers import get

if not kernel.native and "GRIDMILL_CI" not in os.environ:
    pytest.skip("this installation has no native kernel", allow_module_level=True)

WIDTHS = kernel.extension.widths()
VERY_HARD = [  # two that are hard for people, and thirty nodes or more for the kernel, which it is not given here
    "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..",
    "..............3.85..1.2.......5.7.....4...1...9.......5......73..2.1........4...9",
]


def filled(board: str, width: str) -> tuple[bool | None, str]:
    grid = to_grid(board)
    return kernel.extension.fill(grid, width), "".join(map("".join, grid))


def test_it_agrees_with_the_reference_on_boards_of_every_kind() -> None:
    bitmask = get("bitmask")
    seen = {True: 0, False: 0}
    for board in [*boards_of_every_kind(2, 200), *VERY_HARD]:
        wanted = bitmask.search(to_grid(board), 2, bitmask.budget).solutions

        found, after = filled(board, WIDTHS[0])

        assert found is bool(wanted), board
        assert after == board if not found else verify(board, after) is None
        assert len(wanted) != 1 or after == wanted[0]
        assert {filled(board, width) for width in WIDTHS} == {(found, after)}
        seen[found] += 1
    assert min(seen.values()) > 100, seen


@pytest.mark.parametrize("stated", MONSTERS, ids=[f"line{stated.line}" for stated in MONSTERS])
def test_a_monster_is_decided_too_and_alike_at_every_width(stated: Stated) -> None:
    board = stated.puzzle
    ends = {filled(board, width) for width in WIDTHS}

    (found, after), *others = ends

    assert not others
    assert found is (stated.count != "0")
    assert verify(board, after) is None if found else after == board


def test_a_board_without_solution_or_with_clashing_givens_is_left() -> None:
    assert clash("11" + "." * 79) is not None
    for board in ("11" + "." * 79, ".12345678" + "........." * 7 + "9........"):
        assert filled(board, WIDTHS[0]) == (False, board)
    assert filled(IMPOSSIBLE, WIDTHS[0]) == (False, IMPOSSIBLE)


def test_of_two_solutions_the_same_is_found_at_every_width() -> None:
    assert len({filled(TWO, width) for width in WIDTHS}) == 1
