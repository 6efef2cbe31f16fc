"""The hardest technique that a puzzle needs: the reference by examples, and the kernel against the reference."""

import os
import random

import pytest
from dress import transform
from hypothesis import given, settings
from hypothesis import strategies as st

from gridmill import kernel
from gridmill.board import BLANK, CELLS, HOLE, pack, slots
from gridmill.generate import generate
from gridmill.solvers.bitmask import Bitmask
from gridmill.technique import CODES, NONE, Technique, technique, techniques

needs_kernel = pytest.mark.skipif(
    not kernel.native and "GRIDMILL_CI" not in os.environ, reason="this installation has no native kernel"
)
EXAMPLES = {
    Technique.NAKED_SINGLE: "..6...8.4.....823...4.167.....59.14.349.6.5....5...6..167...3...9.6.2...452731...",
    Technique.HIDDEN_SINGLE: "39.12.87..7...8.93..8...5..4.73..615...6......31.4......9..1.3..1.....575.3.749..",
    Technique.LOCKED_CANDIDATES: "...7...9.......5.67.6.4......43.2....61..4.2723....1.8.57...2......89.......5.964",
    Technique.SUBSET: "...2.86....8.....2.2913....3.16..9...65..1...8..........4.7...67.....8.59..3.2.7.",
    Technique.SEARCH: "16.83........9...4..5..6.1.....6.5..8...4.6.......5..25....3.2838..5.4....7.8...6",
}
SOLUTION = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
TWO = "..3456789456789123789123456..4365897365897214897214365531642978642978531978531642"
CLASH = "55" + BLANK * 79
# Nothing clashes, and 9 has no place in row 1.
NO_PLACE = "12345678." + BLANK * 71 + "9"

# What any board can be, most without a solution or with many; and puzzles, with a given more or less or another one.
scattered = st.text("123456789" + 30 * BLANK, min_size=CELLS, max_size=CELLS)
puzzles = st.sampled_from([puzzle for seed in range(3) for puzzle, _ in generate(25, seed=seed, minimal=seed > 0)])
changed = st.tuples(puzzles, st.integers(0, CELLS - 1), st.sampled_from("123456789.")).map(
    lambda made: made[0][: made[1]] + made[2] + made[0][made[1] + 1 :]
)
boards = st.one_of(puzzles, changed, scattered, st.sampled_from([*EXAMPLES.values(), SOLUTION, TWO, CLASH, NO_PLACE]))


def of(board: str) -> Technique:
    """By the implementation that is being tested."""
    (code,) = techniques(pack(board))
    return list(Technique)[code - 1]


@pytest.mark.usefixtures("implementation")
@pytest.mark.parametrize("needed", Technique)
def test_each_technique_has_its_puzzles(needed: Technique) -> None:
    assert of(EXAMPLES[needed]) is needed


@pytest.mark.usefixtures("implementation")
@pytest.mark.parametrize("needed", Technique)
def test_the_same_puzzle_in_another_dress_needs_the_same(needed: Technique) -> None:
    rng = random.Random(needed)
    for _ in range(10):
        assert of(transform(EXAMPLES[needed], rng)) is needed


@pytest.mark.usefixtures("implementation")
def test_what_is_full_needs_the_easiest() -> None:
    assert of(SOLUTION) is Technique.NAKED_SINGLE


@pytest.mark.usefixtures("implementation")
@pytest.mark.parametrize("board", [TWO, CLASH, NO_PLACE, BLANK * CELLS])
def test_what_has_not_exactly_one_solution_is_left_to_search(board: str) -> None:
    assert of(board) is Technique.SEARCH


@pytest.mark.usefixtures("implementation")
def test_many_have_their_codes_in_order_and_a_hole_has_none() -> None:
    known = list(EXAMPLES.items())
    packed = [pack(board) for _, board in known]
    assert techniques(b"".join([*packed, HOLE, *packed])) == bytes([1, 2, 3, 4, 5, NONE, 1, 2, 3, 4, 5])


@pytest.mark.usefixtures("implementation")
def test_nothing_needs_nothing() -> None:
    assert techniques(b"") == b""


@needs_kernel
@settings(max_examples=200, deadline=None)
@given(boards, st.randoms(use_true_random=False))
def test_the_kernel_says_what_the_reference_says_of_any_dress(board: str, rng: random.Random) -> None:
    assert of(transform(board, rng)) is technique(board)


@settings(max_examples=50, deadline=None)
@given(boards)
def test_what_is_solved_without_search_has_one_solution(board: str) -> None:
    if technique(board) is not Technique.SEARCH:
        assert Bitmask().tally(pack(board), 2, 100_000, keep=False).found == 1


def test_codes_are_those_of_the_kernel() -> None:
    assert list(CODES.values()) == [1, 2, 3, 4, 5]
    assert NONE not in CODES.values()


@pytest.mark.usefixtures("implementation")
def test_every_slot_of_a_chunk_is_looked_at() -> None:
    many = b"".join(pack(puzzle) for puzzle, _ in generate(20, seed=9))
    assert techniques(many) == b"".join(techniques(slot) for slot in slots(many))


@needs_kernel
def test_boards_that_are_not_whole_are_refused_by_the_kernel() -> None:
    with pytest.raises(ValueError, match="not whole slots"):
        kernel.extension.techniques(pack(TWO)[:40])
