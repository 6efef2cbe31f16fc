"""The referee: answers that do not depend on what it has learned before."""

import pytest

from gridmill.board import BLANK, CELLS, from_grid, to_grid
from gridmill.solvers import sat
from gridmill.solvers.bitmask import Bitmask
from gridmill.solvers.outcome import Outcome, Spent
from gridmill.solvers.sat import Sat

NORVIG = ".....5.8....6.1.43..........1.5........1.6...3.......553.....61........4........."
EASY = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
MANY = "31...9......18........3...5.....4....21.....4..6..79...4.3.8..2.......7..9...6..."
TWO = ".39...12....9.7...8..4.1..6.42...79...........91...54.5..1.9..3...8.5....14...87."
SPARSE = BLANK * 56 + "8" + BLANK * 17 + "6" + BLANK * 6
BOARDS = [NORVIG, EASY, MANY, TWO, SPARSE, BLANK * CELLS]


def test_of_many_solutions_the_smallest_come_first() -> None:
    every = Bitmask().search(to_grid(MANY), 5000, 100_000).solutions

    outcome = Sat().search(to_grid(MANY), 5, 5)

    assert outcome.solutions == tuple(sorted(every)[:5])


def test_answers_are_the_same_whatever_was_solved_before() -> None:
    forwards, backwards = Sat(), Sat()

    first = [forwards.search(to_grid(board), 2, 2) for board in BOARDS]
    second = [backwards.search(to_grid(board), 2, 2) for board in reversed(BOARDS)]

    assert first == second[::-1]


def test_solving_only_the_first_gives_the_first_of_several() -> None:
    assert Sat().search(to_grid(SPARSE), 1, 2).solutions == Sat().search(to_grid(SPARSE), 2, 2).solutions[:1]


@pytest.mark.parametrize(("board", "nodes"), [(NORVIG, 1), (EASY, 2), (TWO, 2)])
def test_the_nodes_are_the_solutions_asked_for(board: str, nodes: int) -> None:
    assert Sat().search(to_grid(board), 2, 1000).nodes == nodes


def test_a_budget_of_one_solution_cannot_tell_unique_from_multiple() -> None:
    outcome = Sat().search(to_grid(EASY), 2, 1)

    assert (len(outcome.solutions), outcome.nodes, outcome.spent) == (1, 1, True)


@pytest.mark.parametrize(("board", "limit", "count"), [(NORVIG, 2, 0), (EASY, 2, 1), (TWO, 5, 2), (MANY, 3, 3)])
def test_solutions_are_counted_up_to_the_limit(board: str, limit: int, count: int) -> None:
    assert Sat().count(board, limit) == count


def test_a_solution_barred_while_counting_is_found_again() -> None:
    solver = Sat()
    solver.count(EASY, 2)

    assert solver.count(EASY, 2) == 1


def test_a_fresh_library_takes_over_after_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without it the variables that bar solutions would grow in number for ever."""
    monkeypatch.setattr(sat, "REBUILD", 3)
    solver = Sat()

    counts = [solver.count(TWO, 3) for _ in range(7)]

    assert counts == [2] * 7
    assert solver._library.nof_vars() == 9 * CELLS + 2


def test_a_question_past_the_net_is_undecided_and_leaves_the_board(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sat, "CONFLICTS", 1)
    grid = to_grid(NORVIG)

    assert Sat().search(grid, 2, 1000) == Outcome((), 2, spent=True)
    assert from_grid(grid) == NORVIG
    with pytest.raises(Spent):
        Sat().count(NORVIG, 1)
