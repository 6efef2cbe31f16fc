"""The native search that learns: it says what `bitmask` and `sat` say, and no known board is too much for it."""

import os
import random
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from gridmill import kernel
from gridmill.board import BLANK, CELLS, HOLE, PACKED, pack, slots, to_grid, unpack
from gridmill.chance import Chance
from gridmill.formats.answers_file import read_answers
from gridmill.formats.stated import Stated
from gridmill.rules import verify
from gridmill.solved_grid import solved_grid
from gridmill.solvers import get
from gridmill.solvers.lanes import DEEP_NODES
from gridmill.solvers.outcome import Outcome
from gridmill.solvers.sat import Sat
from gridmill.unavoidable import unavoidable

if not kernel.native and "GRIDMILL_CI" not in os.environ:
    pytest.skip("this installation has no native kernel", allow_module_level=True)

EASY = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
MANY = "31...9......18........3...5.....4....21.....4..6..79...4.3.8..2.......7..9...6..."
TWO = "..3456789456789123789123456..4365897365897214897214365531642978642978531978531642"
IMPOSSIBLE = ".....5.8....6.1.43..........1.5........1.6...3.......553.....61........4........."  # Norvig's
MONSTER = ".................5....2.......8.7....2....1..........7........34.2.1..8.....4...9"  # several solutions
FORBIDDEN_CORNER = (
    ".876543212........3........4........5........6........7........8........9........"  # no digit for r1c1
)
MONSTERS = list(read_answers(str(Path(__file__).parent / "data" / "monsters.txt")))


def deep(board: str, *, limit: int = 2, budget: int = DEEP_NODES) -> Outcome:
    found, nodes, spent = kernel.extension.deep(pack(board), limit, budget)
    return Outcome(tuple(map(unpack, slots(found))), nodes, spent)


def dug(solved: str, kept: set[int]) -> str:
    return "".join(sign if cell in kept else BLANK for cell, sign in enumerate(solved))


def boards_of_every_kind(seed: int, count: int) -> Iterator[str]:
    """Parts of solved grids, with a wrong digit or without, and grids without one or two unavoidable sets."""
    shuffle = random.Random(seed)
    for _ in range(count):
        solved = solved_grid(Chance(shuffle.getrandbits(64)))
        kept = shuffle.sample(range(CELLS), shuffle.randint(20, 60))
        wrong = dict(enumerate(solved)) | {kept[0]: shuffle.choice("123456789")}
        yield dug(solved, {*kept})
        yield dug("".join(wrong.values()), {*kept})
        gone = sum(shuffle.sample(unavoidable(solved), 1))
        yield dug(solved, {cell for cell in range(CELLS) if not gone >> cell & 1})


def test_it_agrees_with_the_reference_and_with_sat_on_boards_of_every_kind() -> None:
    bitmask, sat = get("bitmask"), Sat()
    seen: Counter[int] = Counter()
    for board in boards_of_every_kind(1, 150):
        wanted = bitmask.search(to_grid(board), 2, bitmask.budget).solutions

        outcome = deep(board)

        assert not outcome.spent
        assert len({*outcome.solutions}) == len(wanted) == sat.count(board, 2), board
        assert all(verify(board, solution) is None for solution in outcome.solutions)
        assert len(wanted) != 1 or outcome.solutions == wanted
        seen[len(wanted)] += 1
    assert all(seen[count] > 30 for count in (0, 1, 2)), seen


@pytest.mark.parametrize("stated", MONSTERS, ids=[f"line{stated.line}" for stated in MONSTERS])
def test_it_decides_every_monster_by_itself(stated: Stated) -> None:
    outcome = deep(stated.puzzle)

    assert not outcome.spent
    assert len(outcome.solutions) == {"0": 0, "1": 1, ">1": 2}[stated.count]
    assert all(verify(stated.puzzle, solution) is None for solution in outcome.solutions)


def test_the_impossible_board_is_refuted_by_trials_alone() -> None:
    assert deep(IMPOSSIBLE) == Outcome((), 0, spent=False)


@pytest.mark.parametrize("board", ["55" + BLANK * 79, "5" * CELLS, FORBIDDEN_CORNER])
def test_what_givens_alone_refute_takes_no_node(board: str) -> None:
    assert deep(board) == Outcome((), 0, spent=False)


def test_a_solved_board_is_its_own_only_solution() -> None:
    solved = solved_grid(Chance(3))

    assert deep(solved) == Outcome((solved,), 0, spent=False)


@pytest.mark.parametrize(
    "board", [BLANK * CELLS, "1" + BLANK * 80, "123456789" + BLANK * 72, BLANK * 80 + "9", MANY, TWO]
)
def test_two_solutions_are_different_ones(board: str) -> None:
    outcome = deep(board)

    assert len({*outcome.solutions}) == 2
    assert all(verify(board, solution) is None for solution in outcome.solutions)


@pytest.mark.parametrize("board", [EASY, MANY, TWO, BLANK * CELLS])
def test_the_first_solution_is_the_same_whether_a_second_is_wanted_or_not(board: str) -> None:
    assert deep(board, limit=1).solutions == deep(board).solutions[:1]


@pytest.mark.parametrize("budget", [0, 1, 10])
def test_a_budget_is_used_up_to_its_last_node(budget: int) -> None:
    assert deep(MONSTER, budget=budget) == Outcome((), budget, spent=True)


def test_a_budget_that_just_suffices_is_not_spent() -> None:
    wanted = deep(MONSTER)

    assert deep(MONSTER, budget=wanted.nodes) == wanted


def test_an_answer_depends_on_nothing_that_came_before_or_runs_beside_it() -> None:
    boards = [stated.puzzle for stated in MONSTERS] + [IMPOSSIBLE, EASY, MANY, TWO]
    alone = [deep(board) for board in boards]

    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(deep, boards[::-1] * 3))

    assert together == alone[::-1] * 3


@pytest.mark.parametrize("size", [0, PACKED - 1, PACKED + 1, 2 * PACKED])
def test_what_is_not_one_slot_is_refused(size: int) -> None:
    with pytest.raises(ValueError, match="one slot"):
        kernel.extension.deep(bytes(size), 2, 1)


@pytest.mark.parametrize("slot", [HOLE, b"\xa0" + bytes(40), b"\x0a" + bytes(40), bytes(40) + b"\x01"])
def test_a_slot_that_is_no_board_is_refused(slot: bytes) -> None:
    with pytest.raises(ValueError, match="not a board"):
        kernel.extension.deep(slot, 2, 1)


@pytest.mark.parametrize("limit", [-1, 0, 3])
def test_other_limits_than_one_and_two_are_refused(limit: int) -> None:
    with pytest.raises(ValueError, match="limit"):
        kernel.extension.deep(pack(EASY), limit, 1)
