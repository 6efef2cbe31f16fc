"""The reference solver on boards that people found hard, endless or wrong."""

import pytest

from gridmill.board import BLANK, CELLS, to_grid
from gridmill.rules import verify
from gridmill.solvers.bitmask import Bitmask
from gridmill.solvers.outcome import Outcome

NORVIG = ".....5.8....6.1.43..........1.5........1.6...3.......553.....61........4........."
REFUTED_BY_SINGLES = ".71..4.................6...8....9........2..8.....76......81..6....6....6....38.."
TWO_GIVENS = BLANK * 56 + "8" + BLANK * 17 + "6" + BLANK * 6
FIFTEEN_GIVENS = "..1......2..........3......4.......5..5...6..6......4...71.3...8..........9.2...."
SLOW_ONLINE = ".....7..4.....6..386.2.....5.9.82...64.....8.......7.........42.1..3....7.3.....9"
MANY = "31...9......18........3...5.....4....21.....4..6..79...4.3.8..2.......7..9...6..."
TWO = ".39...12....9.7...8..4.1..6.42...79...........91...54.5..1.9..3...8.5....14...87."
BRUTE_FORCE_TRAP = "..............3.85..1.2.......5.7.....4...1...9.......5......73..2.1........4...9"
MISTYPED = "..............3.85..1.2.......5.7.....4...1...9.......5......73..2.4...9........."


def search(board: str, limit: int = 2, budget: int = Bitmask.budget) -> Outcome:
    return Bitmask().search(to_grid(board), limit, budget)


def test_norvigs_impossible_board_is_refuted_within_the_default_budget() -> None:
    outcome = search(NORVIG)

    assert (outcome.solutions, outcome.spent) == ((), False)


def test_what_singles_refute_needs_no_node() -> None:
    assert search(REFUTED_BY_SINGLES) == Outcome((), 0, spent=False)


@pytest.mark.parametrize("board", [TWO_GIVENS, FIFTEEN_GIVENS, MANY, TWO, MISTYPED, BLANK * CELLS])
def test_two_different_solutions_are_shown_where_there_are_several(board: str) -> None:
    first, second = search(board).solutions

    assert first != second
    assert verify(board, first) is None
    assert verify(board, second) is None


@pytest.mark.parametrize("board", [SLOW_ONLINE, BRUTE_FORCE_TRAP])
def test_a_hard_unique_board_is_proved_unique(board: str) -> None:
    outcome = search(board)

    assert len(outcome.solutions) == 1
    assert not outcome.spent


def test_a_trap_for_brute_force_is_solved_by_singles() -> None:
    assert search(BRUTE_FORCE_TRAP).nodes == 0


@pytest.mark.parametrize(("board", "count"), [(TWO, 2), (MANY, 2718)])
def test_all_solutions_are_found_once_each(board: str, count: int) -> None:
    assert len({*search(board, limit=5000).solutions}) == count


def test_no_more_solutions_are_looked_for_than_asked() -> None:
    assert len(search(MANY, limit=3).solutions) == 3
    assert search(MANY, limit=1).nodes < search(MANY, limit=2).nodes


def test_a_budget_that_ends_after_the_first_solution_keeps_it() -> None:
    nodes = search(MANY, limit=1).nodes

    outcome = search(MANY, limit=2, budget=nodes)

    assert len(outcome.solutions) == 1
    assert outcome.spent


def test_a_budget_that_is_just_enough_changes_nothing() -> None:
    whole = search(NORVIG)

    assert search(NORVIG, budget=whole.nodes) == whole
    assert search(NORVIG, budget=whole.nodes - 1).spent
