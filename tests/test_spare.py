"""Which givens can be spared, against removing each of them by hand."""

import os

import pytest

from gridmill import kernel, solvers
from gridmill.board import BLANK, CELLS, HOLE, pack
from gridmill.errors import SettingsError, WireError
from gridmill.finding import read_spared, spared
from gridmill.generate import generate
from gridmill.questions import Questions
from gridmill.solvers import Solver, inquiry
from gridmill.solvers.bitmask import Bitmask
from gridmill.solvers.claim import reply_to
from gridmill.solvers.sat import Sat

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
