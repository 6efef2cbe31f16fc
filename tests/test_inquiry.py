"""What a solver says of a puzzle beside its solutions: the native search and the Python one against each other."""

import os
import random
from collections.abc import Iterator

import pytest

from gridmill import kernel, solvers
from gridmill.board import BLANK, CELLS, HOLE, PACKED, pack, slots, unpack
from gridmill.errors import SettingsError
from gridmill.finding import Counted
from gridmill.generate import generate
from gridmill.questions import Questions
from gridmill.rules import verify
from gridmill.solvers import Counts, Solver, inquiry
from gridmill.solvers.bitmask import Bitmask
from gridmill.solvers.claim import reply_to
from gridmill.solvers.outcome import Tally

UNIQUE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
TWO = "..3456789456789123789123456..4365897365897214897214365531642978642978531978531642"
MANY = "31...9......18........3...5.....4....21.....4..6..79...4.3.8..2.......7..9...6..."  # has 2718
NONE = ".71..4.................6...8....9........2..8.....76......81..6....6....6....38.."
CLASH = "55" + BLANK * 79
EMPTY = BLANK * CELLS
PLENTY = 1_000_000  # nodes


@pytest.fixture(params=["bitmask", "lanes"])
def solver(request: pytest.FixtureRequest) -> Solver:
    if request.param == "lanes" and not kernel.native:
        (pytest.fail if "GRIDMILL_CI" in os.environ else pytest.skip)("this installation has no native kernel")
    return solvers.get(request.param)


def tally(solver: Solver, board: str, limit: int, *, budget: int = PLENTY, keep: bool = False) -> Tally:
    assert isinstance(solver, Counts)
    return solver.tally(pack(board), limit, budget, keep=keep)


@pytest.mark.parametrize(("board", "count"), [(UNIQUE, 1), (TWO, 2), (MANY, 2718), (NONE, 0), (CLASH, 0)])
def test_all_solutions_are_counted(solver: Solver, board: str, count: int) -> None:
    assert tally(solver, board, 5000) == Tally(count, False)


@pytest.mark.parametrize(("limit", "found"), [(2717, 2718), (2718, 2718), (1, 2)])
def test_one_more_than_the_limit_is_looked_for(solver: Solver, limit: int, found: int) -> None:
    assert tally(solver, MANY, limit) == Tally(found, False)


def test_the_budget_ends_it_with_what_was_found(solver: Solver) -> None:
    ended = tally(solver, EMPTY, 1000, budget=100)

    assert ended.spent
    assert ended.found < 100


def test_the_solutions_are_all_there_in_order_and_none_twice(solver: Solver) -> None:
    listed = slots(tally(solver, MANY, 5000, keep=True).solutions)

    assert len(listed) == 2718
    assert listed == sorted(set(listed))
    assert all(verify(MANY, unpack(solution)) is None for solution in listed)


def test_no_more_are_kept_than_the_limit(solver: Solver) -> None:
    assert len(tally(solver, MANY, 100, keep=True).solutions) == 100 * PACKED


def test_both_searches_find_the_same(solver: Solver) -> None:
    rng = random.Random(5)
    for board in puzzles_with_some_givens_less(rng):
        assert tally(solver, board, 300, keep=True) == tally(Bitmask(), board, 300, keep=True)


def puzzles_with_some_givens_less(rng: random.Random) -> Iterator[str]:
    """Puzzles with up to 300 solutions, and of more, for which the count alone is compared, none."""
    for puzzle, _ in generate(15, seed=3):
        cells = list(puzzle)
        for cell in rng.sample([at for at, sign in enumerate(cells) if sign != BLANK], 2):
            cells[cell] = BLANK
        board = "".join(cells)
        if tally(Bitmask(), board, 300).found <= 300:
            yield board


def test_only_what_has_several_solutions_has_a_finding(solver: Solver) -> None:
    boards = b"".join(map(pack, (UNIQUE, TWO, NONE, CLASH))) + HOLE

    reply = reply_to(solver, boards, first=False, budget=PLENTY, asked=Questions(count=10))

    assert [claim.finding for claim in reply.claims()] == [b"", Counted(2, False).encode(), b"", b"", b""]


@pytest.mark.parametrize(("limit", "shown"), [(2718, "2718"), (2717, ">2717"), (1, ">1")])
def test_more_than_were_asked_for_is_an_open_count(solver: Solver, limit: int, shown: str) -> None:
    asked = Questions(count=limit)

    (claim,) = reply_to(solver, pack(MANY), first=False, budget=PLENTY, asked=asked).claims()

    assert Counted.decode(claim.finding, asked).shown == shown


def test_where_counting_finds_nothing_in_time_the_two_of_the_claim_count(
    solver: Solver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(type(solver), "tally", lambda *_, keep: Tally(1, True))
    asked = Questions(count=10, every=True)

    (claim,) = reply_to(solver, pack(TWO), first=False, budget=PLENTY, asked=asked).claims()

    counted = Counted.decode(claim.finding, asked)
    assert counted.shown == ">1"
    assert slots(counted.listed) == sorted([claim.solution, claim.second])


def test_every_counted_board_is_a_sign_of_life(solver: Solver) -> None:
    ticks: list[None] = []

    asked = Questions(count=10)
    reply_to(solver, pack(TWO) * 3, first=False, budget=PLENTY, asked=asked, tick=lambda: ticks.append(None))

    assert len(ticks) > 3


@pytest.mark.parametrize("name", ["sat"])
def test_a_solver_that_cannot_count_is_refused_with_those_that_can(name: str) -> None:
    with pytest.raises(SettingsError, match=f"{name} cannot count solutions; choose bitmask or lanes"):
        inquiry.check(solvers.get(name), Questions(count=2), first=False)


def test_the_first_solution_alone_leaves_nothing_to_count() -> None:
    with pytest.raises(SettingsError, match="--first looks for no second solution"):
        inquiry.check(Bitmask(), Questions(count=2), first=True)
