"""Generated puzzles are unique, different, as asked for, and the same everywhere."""

import hashlib
import itertools

import pytest

from gridmill import generate as generate_module
from gridmill import solvers
from gridmill.board import BLANK, to_grid
from gridmill.errors import SettingsError
from gridmill.generate import generate
from gridmill.rules import verify


def count_solutions(puzzle: str) -> int:
    """Up to 2, by the solver that the generator does not use."""
    solver = solvers.get("sat")
    return len(solver.search(to_grid(puzzle), 2, solver.budget).solutions)


def count_givens(puzzle: str) -> int:
    return 81 - puzzle.count(BLANK)


def test_every_puzzle_is_unique_and_comes_with_its_solution() -> None:
    for puzzle, solution in generate(60, seed=1):
        assert verify(puzzle, solution) is None
        assert count_solutions(puzzle) == 1


def test_no_two_puzzles_are_the_same() -> None:
    puzzles = [puzzle for puzzle, _ in generate(300, seed=1)]
    assert len(set(puzzles)) == 300


def test_a_puzzle_that_came_before_is_not_given_again(monkeypatch: pytest.MonkeyPatch) -> None:
    # Given grids and puzzles of which each comes twice
    pairs = list(generate(4, seed=1))
    grids = itertools.chain.from_iterable((solution, solution) for _, solution in pairs)
    puzzle_of = {solution: puzzle for puzzle, solution in pairs}
    monkeypatch.setattr(generate_module, "solved_grid", lambda _: next(grids))
    monkeypatch.setattr(generate_module, "_puzzle", lambda solution, *_: puzzle_of[solution])
    # When four puzzles are asked for, then each comes once
    assert list(generate(4, seed=1)) == pairs


def test_the_puzzles_of_a_seed_never_change() -> None:
    text = "\n".join(puzzle for puzzle, _ in generate(50, seed=42))
    minimal = "\n".join(puzzle for puzzle, _ in generate(20, seed=42, minimal=True))
    assert hashlib.sha256(text.encode()).hexdigest()[:16] == "ace9f3557076a324"
    assert hashlib.sha256(minimal.encode()).hexdigest()[:16] == "ac9a221097e4a5d0"


def test_another_seed_gives_other_puzzles() -> None:
    assert not set(generate(50, seed=1)) & set(generate(50, seed=2))


def test_fewer_puzzles_are_the_beginning_of_more() -> None:
    assert list(generate(5, seed=9)) == list(generate(20, seed=9))[:5]


@pytest.mark.parametrize("givens", [(24, 24), (26, 28), (50, 60), (80, 80)])
def test_the_number_of_givens_is_as_asked_for(givens: tuple[int, int]) -> None:
    low, high = givens
    for puzzle, _ in generate(5, seed=3, givens=givens):
        assert low <= count_givens(puzzle) <= high
        assert count_solutions(puzzle) == 1


def test_ordinary_puzzles_have_ordinary_numbers_of_givens() -> None:
    found = {count_givens(puzzle) for puzzle, _ in generate(200, seed=1)}
    low, high = generate_module.ORDINARY
    assert found == set(range(low, high + 1))


def test_of_a_minimal_puzzle_no_given_can_be_spared() -> None:
    for puzzle, _ in generate(10, seed=5, minimal=True):
        for cell in range(81):
            if puzzle[cell] != BLANK:
                assert count_solutions(puzzle[:cell] + BLANK + puzzle[cell + 1 :]) == 2


def test_minimal_puzzles_keep_to_the_givens_too() -> None:
    assert [count_givens(puzzle) for puzzle, _ in generate(5, seed=5, minimal=True, givens=(25, 25))] == [25] * 5


def test_nothing_is_made_of_nothing() -> None:
    assert list(generate(0, seed=1)) == []


@pytest.mark.parametrize("givens", [(16, 30), (30, 20), (30, 81), (0, 0)])
def test_impossible_givens_are_refused_at_once(givens: tuple[int, int]) -> None:
    with pytest.raises(SettingsError, match="no puzzle with fewer than 17"):
        generate(1, seed=1, givens=givens)


@pytest.mark.parametrize("seed", [-1, 2**64])
def test_a_seed_out_of_range_is_refused(seed: int) -> None:
    with pytest.raises(SettingsError, match="seed"):
        generate(1, seed=seed)


def test_a_negative_count_is_refused() -> None:
    with pytest.raises(SettingsError, match="-1 puzzles"):
        generate(-1, seed=1)


def test_a_search_without_success_ends_and_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(generate_module, "GRIDS_TRIED", 20)
    with pytest.raises(SettingsError, match=r"none of 20 grids .* widen --givens"):
        list(generate(1, seed=1, givens=(17, 17)))
