"""Which givens can be spared, against removing each of them by hand."""

import os
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gridmill import kernel, solvers
from gridmill.board import BLANK, CELLS, HOLE, pack, slots, unpack
from gridmill.errors import SettingsError, WireError
from gridmill.finding import read_spared, spared
from gridmill.generate import generate
from gridmill.questions import Questions
from gridmill.solvers import Solver, inquiry
from gridmill.solvers.bitmask import Bitmask
from gridmill.solvers.claim import reply_to
from gridmill.solvers.sat import Sat
from gridmill.unavoidable import unavoidable

SOLUTION = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
TWO = "..3456789456789123789123456..4365897365897214897214365531642978642978531978531642"
MINIMAL = Questions(minimal=True)


@pytest.fixture(params=["bitmask", "lanes"])
def solver(request: pytest.FixtureRequest) -> Solver:
    if request.param == "lanes" and not kernel.native:
        (pytest.fail if "GRIDMILL_CI" in os.environ else pytest.skip)("this installation has no native kernel")
    return solvers.get(request.param)


def redundant(board: str) -> list[int]:
    """By another solver, one given after the other."""
    sat = Sat()
    return [
        cell
        for cell, sign in enumerate(board)
        if sign != BLANK and sat.count(board[:cell] + BLANK + board[cell + 1 :], 2) == 1
    ]


def found(solver: Solver, *boards: str) -> list[list[int]]:
    packed = list(map(pack, boards))
    reply = reply_to(solver, b"".join(packed), first=False, budget=100_000, asked=MINIMAL)
    return [read_spared(claim.finding, board) for claim, board in zip(reply.claims(), packed, strict=True)]


def test_those_without_which_the_puzzle_stays_unique_can_be_spared(solver: Solver) -> None:
    boards = [puzzle for puzzle, _ in generate(6, seed=4)]

    assert found(solver, *boards) == list(map(redundant, boards))


def test_a_minimal_puzzle_needs_all_its_givens(solver: Solver) -> None:
    ((board, _),) = generate(1, seed=5, minimal=True)

    assert found(solver, board) == [[]]


@pytest.mark.skipif(not kernel.native and "GRIDMILL_CI" not in os.environ, reason="it is about the native kernel")
@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10_000), st.booleans(), st.randoms(use_true_random=False))
def test_the_kernel_leaves_out_what_one_set_needs_and_nothing_else(seed: int, minimal: bool, chance: Random) -> None:
    # Given a puzzle, perhaps with more givens than it needs
    ((board, solution),) = generate(1, seed=seed, minimal=minimal)
    board = "".join(found if chance.random() < 0.1 else sign for sign, found in zip(board, solution, strict=True))
    # When
    lacking, cells, counts = kernel.extension.lacking(pack(board), pack(solution))
    # Then
    givens = [cell for cell, sign in enumerate(board) if sign != BLANK]
    given = sum(1 << cell for cell in givens)
    needed = {part & given for part in unavoidable(solution) if (part & given).bit_count() == 1}
    open_ones = [cell for cell in givens if 1 << cell not in needed]
    assert list(cells) == open_ones
    assert list(map(unpack, slots(lacking))) == [board[:cell] + BLANK + board[cell + 1 :] for cell in open_ones]
    assert list(counts) == [len(open_ones)]


@pytest.mark.parametrize("native", [True, False])
def test_it_is_the_same_with_the_kernel_and_without(native: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    boards = [puzzle for puzzle, _ in generate(20, seed=8)] + [SOLUTION, "." + SOLUTION[1:]]
    monkeypatch.setattr(kernel, "native", native and kernel.native)

    assert found(Bitmask(), *boards) == list(map(redundant, boards))


def test_of_a_full_grid_any_given_can_be_spared(solver: Solver) -> None:
    assert found(solver, SOLUTION) == [list(range(CELLS))]


def test_more_puzzles_than_are_tried_at_a_time_get_the_same(solver: Solver, monkeypatch: pytest.MonkeyPatch) -> None:
    boards = [puzzle for puzzle, _ in generate(5, seed=6)]
    at_once = found(solver, *boards)
    monkeypatch.setattr(inquiry, "BLOCK", 2)

    assert found(solver, *boards) == at_once


def test_only_a_unique_puzzle_has_such_a_finding(solver: Solver) -> None:
    boards = pack(TWO) + HOLE + pack("55" + BLANK * 79) + pack(SOLUTION)

    reply = reply_to(solver, boards, first=False, budget=1000, asked=MINIMAL)

    assert [bool(claim.finding) for claim in reply.claims()] == [False, False, False, True]


@pytest.mark.parametrize("data", [b"", spared([0]) + b"\0", spared([0])[:10], spared([4]), b"\xff" * 11])
def test_what_is_no_given_cannot_be_spared(data: bytes) -> None:
    with pytest.raises(WireError, match="spares what is no given"):
        read_spared(data, pack("1" + BLANK * 80))


def test_a_solver_that_proves_nothing_is_refused() -> None:
    with pytest.raises(SettingsError, match="scan looks for one solution only"):
        inquiry.check(solvers.get("scan"), MINIMAL, first=False)


def test_a_solver_that_cannot_count_can_tell_what_is_spared() -> None:
    inquiry.check(Sat(), MINIMAL, first=False)
    assert found(Sat(), TWO.replace("..", "12", 1)) == found(Bitmask(), TWO.replace("..", "12", 1))
