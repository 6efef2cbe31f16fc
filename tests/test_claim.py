"""What a worker says about a board, and about a piece."""

import pytest

from gridmill.answers import Status
from gridmill.board import BLANK, CELLS, HOLE, pack, unpack
from gridmill.errors import BoardError
from gridmill.reply import Claim, Reply
from gridmill.rules import verify
from gridmill.solvers import Solver, get
from gridmill.solvers.claim import claim, reply_to

EASY = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
NONE = "12345678.........9" + BLANK * 63
CLASH = "55" + BLANK * 79
MANY = "31...9......18........3...5.....4....21.....4..6..79...4.3.8..2.......7..9...6..."
LONG = "..............3.85..1.2.......5.7.....4...1...9.......5......73..2.1........4...9"


def claimed(board: str, name: str = "bitmask", *, first: bool = False, budget: int = 10_000) -> Claim:
    return claim(get(name), pack(board), first=first, budget=budget)


@pytest.mark.parametrize("name", ["bitmask", "sat"])
@pytest.mark.parametrize(
    ("board", "first", "status"),
    [
        (EASY, False, Status.UNIQUE),
        (EASY, True, Status.SOLVED),
        (MANY, False, Status.MULTIPLE),
        (MANY, True, Status.SOLVED),
        (NONE, False, Status.NONE),
        (NONE, True, Status.NONE),
        (CLASH, False, Status.CLASH),
    ],
)
def test_a_solver_that_proves_tells_every_status(name: str, board: str, first: bool, status: Status) -> None:
    assert claimed(board, name, first=first).status is status


@pytest.mark.parametrize("name", ["scan", "maps", "cells-break", "cells-return"])
@pytest.mark.parametrize(
    ("board", "status"),
    [(EASY, Status.SOLVED), (NONE, Status.NONE), (CLASH, Status.CLASH), (LONG, Status.UNDECIDED)],
)
def test_a_row_major_solver_never_says_unique(name: str, board: str, status: Status) -> None:
    assert claimed(board, name).status is status


def test_two_solutions_travel_with_multiple() -> None:
    answer = claimed(MANY)

    assert answer.solution != answer.second
    assert verify(MANY, unpack(answer.solution)) is None
    assert verify(MANY, unpack(answer.second)) is None


def test_one_solution_of_an_unfinished_search_is_undecided_and_not_shown() -> None:
    budget = claimed(MANY, first=True).nodes

    assert claimed(MANY, budget=budget) == Claim(Status.UNDECIDED, budget)


def test_a_clash_costs_no_node() -> None:
    assert claimed(CLASH) == Claim(Status.CLASH)


def test_a_hole_stays_a_hole() -> None:
    assert claim(get("bitmask"), HOLE, first=False, budget=1) == Claim(None)


def test_what_is_neither_board_nor_hole_is_an_error() -> None:
    with pytest.raises(BoardError):
        claim(get("bitmask"), b"\xaa" * 41, first=False, budget=1)


def test_a_reply_has_a_claim_for_every_slot_in_order() -> None:
    boards = [EASY, CLASH, MANY, NONE]
    packed = HOLE.join(pack(board) for board in boards)
    solver: Solver = get("bitmask")

    reply = Reply.decode(reply_to(solver, packed, first=False, budget=1000).encode(), 7)

    wanted = [Status.UNIQUE, None, Status.CLASH, None, Status.MULTIPLE, None, Status.NONE]
    assert [answer.status for answer in reply.claims()] == wanted


def test_each_board_gives_a_sign_of_life() -> None:
    ticks: list[None] = []

    reply_to(get("bitmask"), pack(BLANK * CELLS) * 3, first=True, budget=100, tick=lambda: ticks.append(None))

    assert len(ticks) == 3
