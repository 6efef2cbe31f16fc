"""Signs of life: while there is progress, and no longer."""

import threading
from collections.abc import Callable

from worker.heart import NODE_SECONDS, STUCK, Heart

PERIOD = 0.01  # s
LIMIT = 20.0  # s to wait for what takes some periods


def test_work_that_makes_progress_beats(wait_until: Callable[..., None]) -> None:
    beats: list[float] = []

    with Heart(lambda: beats.append(1), period=PERIOD, budget=100) as heart:

        def beaten() -> bool:
            heart.tick()
            return len(beats) >= 30  # without progress it falls silent after ten

        wait_until(beaten, "thirty beats of a worker that finishes boards")


def test_a_board_whose_budget_cannot_be_spent_yet_is_progress(wait_until: Callable[..., None]) -> None:
    beats: list[float] = []

    with Heart(lambda: beats.append(1), period=PERIOD, budget=1_000_000):
        wait_until(lambda: len(beats) >= 3, "three beats without a finished board")


def test_work_that_hangs_falls_silent_and_is_given_up() -> None:
    """A solver that does not even count nodes must not keep its piece, nor its process, for ever."""
    beats: list[float] = []
    given_up = threading.Event()

    with Heart(lambda: beats.append(1), period=PERIOD, budget=1, stuck=given_up.set):
        assert given_up.wait(LIMIT)

    assert beats == []


def test_it_ends_with_the_work() -> None:
    with Heart(lambda: None, period=60, budget=1):
        assert any(thread.name == "heart" for thread in threading.enumerate())

    assert not any(thread.name == "heart" for thread in threading.enumerate())


def test_the_patience_is_what_the_slowest_node_would_take() -> None:
    assert Heart(lambda: None, period=5, budget=60_000)._patience == 60_000 * NODE_SECONDS
    assert Heart(lambda: None, period=5, budget=10)._patience == 5


def test_it_beats_before_it_gives_up() -> None:
    # Given
    beats: list[int] = []
    stuck = threading.Event()
    budget = int(10 * PERIOD / NODE_SECONDS)
    # When
    with Heart(lambda: beats.append(1), period=PERIOD, budget=budget, stuck=stuck.set):
        assert stuck.wait(LIMIT)
    # Then
    assert 0 < len(beats) < 10 * STUCK


def test_a_piece_that_makes_progress_is_not_given_up() -> None:
    # Given
    stuck = threading.Event()
    enough = threading.Event()
    beats: list[int] = []

    def beat() -> None:
        heart.tick()
        beats.append(1)
        if len(beats) > 10 * STUCK:
            enough.set()

    heart = Heart(beat, period=PERIOD, budget=int(2 * PERIOD / NODE_SECONDS), stuck=stuck.set)
    # When
    with heart:
        assert enough.wait(LIMIT)
    # Then
    assert not stuck.is_set()
