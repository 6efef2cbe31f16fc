"""The smallest form of a puzzle, against a search that leaves nothing out but what is larger already."""

import os
import random
from collections.abc import Iterator

import pytest
from dress import ORDERS, transform, turned

from gridmill import kernel
from gridmill.board import BLANK, CELLS, HOLE, pack, slots, unpack
from gridmill.generate import generate

pytestmark = pytest.mark.skipif(
    not kernel.native and "GRIDMILL_CI" not in os.environ, reason="this installation has no native kernel"
)

SEVENTEEN = ".................1.....2.3......3.2...1.4......5....6..3......4.7..8...962...7..."
TWO = "..3456789456789123789123456..4365897365897214897214365531642978642978531978531642"
Way = tuple[str, tuple[int, ...], tuple[int, ...], dict[str, str]]  # board, columns, rows so far, names


def form(board: str) -> str:
    return unpack(kernel.extension.canon(pack(board)))


def smallest(board: str) -> str:
    """Every order of columns is tried, and every row that may come next; what is not the smallest so far is dropped."""
    ways: list[Way] = [(turn, order, (), {BLANK: "0"}) for turn in (board, turned(board)) for order in ORDERS]
    found = ""
    for _ in range(9):
        best = "A"
        kept: list[Way] = []
        for turn, order, used, names in ways:
            for row in allowed(used):
                text, named = renamed([turn[9 * row + column] for column in order], names)
                if text < best:
                    best, kept = text, []
                if text == best:
                    kept.append((turn, order, (*used, row), named))
        found, ways = found + best, kept
    return found.replace("0", BLANK)


def allowed(used: tuple[int, ...]) -> Iterator[int]:
    """The rows that may come behind these: of the band that is begun, or of any other."""
    begun = used[-1] // 3 if len(used) % 3 else None
    return (
        row
        for row in range(9)
        if row not in used
        and begun in (None, row // 3)
        and (begun is not None or not any(other // 3 == row // 3 for other in used))
    )


def renamed(cells: list[str], names: dict[str, str]) -> tuple[str, dict[str, str]]:
    names = dict(names)
    for sign in cells:
        names.setdefault(sign, str(len(names)))
    return "".join(names[sign] for sign in cells), names


def full() -> list[str]:
    """Boards with few and many givens, unique or not."""
    rng = random.Random(11)
    found = [puzzle for puzzle, _ in generate(4, seed=1, minimal=True)]
    for puzzle, solution in generate(2, seed=2):
        shown = set(rng.sample(range(CELLS), 60))
        found += [puzzle, solution, "".join(sign if at in shown else BLANK for at, sign in enumerate(solution))]
    return [*found, SEVENTEEN, TWO]


def bare() -> list[str]:
    """Boards with hardly a given, or with whole rows of them, which can be dressed in many ways that look the same."""
    rng = random.Random(12)
    ((_, solution),) = generate(1, seed=3)
    found = [BLANK * 27 + solution[27:36] + BLANK * 18 + solution[54:63] + BLANK * 18, BLANK * 72 + solution[72:]]
    for givens in (1, 2, 5, 9):
        shown = set(rng.sample(range(CELLS), givens))
        found.append("".join(sign if at in shown else BLANK for at, sign in enumerate(solution)))
    return [*found, BLANK * CELLS]


@pytest.mark.parametrize("board", full())
def test_it_is_the_smallest_of_all(board: str) -> None:
    assert form(board) == smallest(board)


@pytest.mark.parametrize("board", full() + bare())
def test_every_dress_of_a_puzzle_has_the_same_form(board: str) -> None:
    rng = random.Random(board)

    dressed = [transform(board, rng) for _ in range(50)]

    assert {form(other) for other in dressed} == {form(board)}


@pytest.mark.parametrize("board", full() + bare())
def test_no_dress_of_a_puzzle_is_smaller(board: str) -> None:
    rng = random.Random(board)

    assert form(board) <= min(transform(board, rng) for _ in range(500))


def test_a_form_is_its_own() -> None:
    assert form(form(SEVENTEEN)) == form(SEVENTEEN)


def test_puzzles_that_differ_have_forms_that_differ() -> None:
    same, other = "1" + BLANK * 12 + "1" + BLANK * 67, "1" + BLANK * 12 + "2" + BLANK * 67
    in_one_box = "1" + BLANK * 10 + "2" + BLANK * 69
    assert len({form(same), form(other), form(in_one_box)}) == 3


@pytest.mark.parametrize("slot", [HOLE, pack("55" + BLANK * 79), pack("5" + BLANK * 79 + "5")[:40] + b"\x5f"])
def test_what_is_no_puzzle_has_no_form(slot: bytes) -> None:
    assert kernel.extension.canon(slot) == HOLE


def test_many_have_their_forms_in_order() -> None:
    many = [pack(TWO), HOLE, pack(SEVENTEEN)]

    forms = slots(kernel.extension.canon(b"".join(many)))

    assert forms == [kernel.extension.canon(slot) for slot in many]


def test_boards_that_are_not_whole_are_refused() -> None:
    with pytest.raises(ValueError, match="not whole slots"):
        kernel.extension.canon(pack(TWO)[:40])
