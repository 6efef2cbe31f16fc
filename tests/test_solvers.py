"""What every solver must do, the same tests for all of them; and that they agree with each other."""

import random
import subprocess
import sys
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gridmill.board import BLANK, CELLS, from_grid, to_grid
from gridmill.errors import SettingsError
from gridmill.rules import UNITS, clash, verify
from gridmill.solvers import DEFAULT, Solver, get, names

EASY = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
EASY_SOLVED = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
NO_NINE = "12345678." + "........9" + BLANK * 63  # the first row wants a 9 where its column has one
MANY = "31...9......18........3...5.....4....21.....4..6..79...4.3.8..2.......7..9...6..."  # 2718 solutions
TWO = "..3456789456789123789123456..4365897365897214897214365531642978642978531978531642"  # 1 and 2 can be swapped
FULL_BUT_NINE = ".23.97645456231978789564312.97.23564231456897564789231645312789978645123312978456"
LONG = (
    "..............3.85..1.2.......5.7.....4...1...9.......5......73..2.1........4...9"  # 17 givens, 987654321 on top
)
ROW_MAJOR = ("scan", "maps", "cells-break", "cells-return")


@pytest.fixture(params=names())
def solver(request: pytest.FixtureRequest) -> Solver:
    return get(request.param)


def solved_board(seed: int) -> str:
    """A finished board: the cyclic pattern with digits, rows and columns shuffled as the rules allow."""
    shuffle = random.Random(seed)

    def lines() -> list[int]:
        return [3 * band + line for band in shuffle.sample(range(3), 3) for line in shuffle.sample(range(3), 3)]

    digits = shuffle.sample("123456789", 9)
    columns = lines()
    return "".join(digits[(3 * (row % 3) + row // 3 + column) % 9] for row in lines() for column in columns)


def dug(seed: int, givens: int, *, spoilt: bool = False) -> str:
    """A solved board with so many cells left; ``spoilt``: one more given, wrong, that clashes with nothing."""
    solution = solved_board(seed)
    shuffle = random.Random(seed + 1)
    kept = set(shuffle.sample(range(CELLS), givens))
    board = "".join(sign if cell in kept else BLANK for cell, sign in enumerate(solution))
    if not spoilt:
        return board
    wrong = [
        spoilt_board
        for cell in range(CELLS)
        if cell not in kept
        for digit in "123456789"
        if digit != solution[cell] and not clash(spoilt_board := board[:cell] + digit + board[cell + 1 :])
    ]
    return shuffle.choice(wrong)


def test_an_easy_board_is_solved_in_place(solver: Solver) -> None:
    grid = to_grid(EASY)
    rows = list(grid)

    outcome = solver.search(grid, 1, solver.budget)

    assert outcome.solutions == (EASY_SOLVED,)
    assert from_grid(grid) == EASY_SOLVED
    assert all(row is before for row, before in zip(grid, rows, strict=True))


def test_the_empty_board_is_solved_without_deep_recursion(solver: Solver) -> None:
    grid = to_grid(BLANK * CELLS)

    outcome = solver.search(grid, 1, solver.budget)

    assert verify(BLANK * CELLS, outcome.solutions[0]) is None


def test_a_solved_board_is_its_own_solution(solver: Solver) -> None:
    assert solver.search(to_grid(EASY_SOLVED), 1, solver.budget).solutions == (EASY_SOLVED,)


@pytest.mark.parametrize("board", [NO_NINE, dug(5, 45, spoilt=True), dug(6, 40, spoilt=True)])
def test_a_board_without_solution_is_left_as_it_was(solver: Solver, board: str) -> None:
    grid = to_grid(board)

    outcome = solver.search(grid, 2, solver.budget)

    assert outcome.solutions == ()
    assert not outcome.spent
    assert from_grid(grid) == board


@pytest.mark.parametrize(
    "board",
    [
        "55" + BLANK * 79,
        ".99..5.1.85.4....2432......1...69.83.9.....6.62.71...9......1945....4.37.4.3..6..",
        "....................1..6.9...841...7..2.5.6..6...124...2.5..9....................",
        "7.7......" + BLANK * 72,
        "7........" + BLANK * 45 + "7........" + BLANK * 18,
        "7........" + ".7......." + BLANK * 63,
        "5" * CELLS,
    ],
    ids=["row", "case-1", "case-21", "two-7s", "column", "box", "all-5"],
)
def test_clashing_givens_have_no_solution_and_cost_no_search(solver: Solver, board: str) -> None:
    grid = to_grid(board)

    outcome = solver.search(grid, 2, 1)

    assert outcome.solutions == ()
    assert not outcome.spent
    assert from_grid(grid) == board


def test_a_spent_budget_is_said_and_the_board_left_as_it_was(solver: Solver) -> None:
    grid = to_grid(MANY)

    outcome = solver.search(grid, 2, 0)

    assert outcome.solutions == ()
    assert outcome.spent
    assert from_grid(grid) == MANY


@pytest.mark.parametrize("name", ROW_MAJOR)
def test_a_row_major_search_stops_deep_inside_when_its_budget_is_spent(name: str) -> None:
    grid = to_grid(LONG)

    outcome = get(name).search(grid, 1, 500)

    assert (outcome.solutions, outcome.nodes, outcome.spent) == ((), 500, True)
    assert from_grid(grid) == LONG


@pytest.mark.parametrize("board", [EASY, MANY, TWO, NO_NINE])
def test_an_outcome_depends_on_nothing_but_the_board(solver: Solver, board: str) -> None:
    fresh = get(solver.name).search(to_grid(board), 2, 1000)
    for other in (TWO, EASY, MANY, NO_NINE):
        solver.search(to_grid(other), 2, 1000)

    assert solver.search(to_grid(board), 2, 1000) == fresh


@settings(max_examples=60, deadline=None)
@given(
    name=st.sampled_from(names()),
    seed=st.integers(0, 10**6),
    givens=st.integers(32, 60),
    spoilt=st.booleans(),
    budget=st.integers(0, 3000),
)
def test_a_board_is_either_solved_or_restored(name: str, seed: int, givens: int, spoilt: bool, budget: int) -> None:
    board = dug(seed, givens, spoilt=spoilt)
    grid = to_grid(board)

    outcome = get(name).search(grid, 2, budget)

    assert outcome.nodes <= budget
    assert from_grid(grid) == (outcome.solutions[0] if outcome.solutions else board)
    assert all(verify(board, solution) is None for solution in outcome.solutions)


@settings(max_examples=60, deadline=None)
@given(name=st.sampled_from(names()), board=st.text("123456789....................", min_size=CELLS, max_size=CELLS))
def test_random_signs_are_solved_or_restored_too(name: str, board: str) -> None:
    grid = to_grid(board)

    outcome = get(name).search(grid, 2, 1000)

    assert from_grid(grid) == (outcome.solutions[0] if outcome.solutions else board)
    assert all(verify(board, solution) is None for solution in outcome.solutions)


def test_the_two_solvers_that_prove_agree_on_none_one_and_more() -> None:
    bitmask, sat = get("bitmask"), get("sat")
    seen: Counter[int] = Counter()
    for seed in range(300):
        board = dug(seed, 24 + seed % 14, spoilt=seed % 3 == 0)

        first = bitmask.search(to_grid(board), 3, bitmask.budget)
        second = sat.search(to_grid(board), 3, sat.budget)

        assert len(first.solutions) == len(second.solutions), board
        assert all(verify(board, solution) is None for solution in first.solutions + second.solutions)
        assert len({*first.solutions}) == len(first.solutions)
        assert len(first.solutions) != 1 or first.solutions == second.solutions
        seen[len(first.solutions)] += 1
    assert all(seen[count] >= 10 for count in (0, 1, 2, 3)), seen


def test_the_row_major_solvers_make_the_same_search() -> None:
    for seed in range(20):
        board = dug(seed, 34, spoilt=seed % 2 == 0)

        outcomes = {get(name).search(to_grid(board), 1, 20_000) for name in ROW_MAJOR}

        assert len(outcomes) == 1, board


def test_row_major_search_and_sat_meet_the_same_solution_first() -> None:
    sat = get("sat")
    for seed in range(10):
        board = dug(seed, 36)

        assert get("maps").search(to_grid(board), 1, 100_000).solutions == sat.search(to_grid(board), 1, 1).solutions


@pytest.mark.parametrize("name", ["bitmask", "sat"])
@pytest.mark.parametrize(
    ("board", "count"), [(NO_NINE, 0), (EASY, 1), (FULL_BUT_NINE, 1), (LONG, 1), (TWO, 2), (MANY, 3)]
)
def test_known_boards_have_their_known_number_of_solutions(name: str, board: str, count: int) -> None:
    solver = get(name)

    outcome = solver.search(to_grid(board), 3, solver.budget)

    assert len({*outcome.solutions}) == count
    assert not outcome.spent


def test_every_unit_counts_when_solutions_are_told_apart(solver: Solver) -> None:
    """A board check that skips part of a box finds other, illegal solutions here."""
    grid = to_grid(FULL_BUT_NINE)

    solver.search(grid, 1, solver.budget)

    assert all(len({from_grid(grid)[cell] for cell in unit.cells}) == 9 for unit in UNITS)


def test_an_unknown_name_is_refused_with_the_known_ones() -> None:
    with pytest.raises(SettingsError, match=r"'dlx'.*scan, maps, cells-break, cells-return, bitmask, sat"):
        get("dlx")


def test_a_solver_is_called_what_the_registry_calls_it(solver: Solver) -> None:
    assert get(solver.name).name == solver.name
    assert "\n" not in solver.summary
    assert min(solver.version, solver.budget, solver.chunk) > 0


def test_the_default_is_a_solver_that_proves() -> None:
    assert get(DEFAULT).proves


def test_listing_the_solvers_does_not_load_the_sat_library() -> None:
    program = "import sys, gridmill.solvers as s; [s.get(n) for n in s.names()]; sys.exit('pysat' in sys.modules)"

    assert subprocess.run([sys.executable, "-c", program], timeout=30, check=False).returncode == 0
