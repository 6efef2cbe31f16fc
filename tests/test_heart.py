"""Signs of life: while there is progress, and no longer."""

import threading
import time
from collections.abc import Callable

from worker import heart as module
from worker.heart import Heart

PERIOD = 0.01


class Looks(threading.Event):
    """Counts how often somebody waited for it."""

    looks = 0

    def wait(self, timeout: float | None = None) -> bool:
        self.looks += 1
        return super().wait(timeout)


def test_work_that_makes_progress_beats(wait_until: Callable[..., None]) -> None:
    beats: list[float] = []

    with Heart(lambda: beats.append(1), period=PERIOD, budget=1) as heart:

        def beaten() -> bool:
            heart.tick()
            return len(beats) >= 3

        wait_until(beaten, "three beats of a worker that finishes boards")


def test_a_board_whose_budget_cannot_be_spent_yet_is_progress(wait_until: Callable[..., None]) -> None:
    beats: list[float] = []

    with Heart(lambda: beats.append(1), period=PERIOD, budget=1_000_000):
        wait_until(lambda: len(beats) >= 3, "three beats without a finished board")


def test_work_that_hangs_falls_silent(wait_until: Callable[..., None]) -> None:
    """A solver that does not even count nodes must not keep its piece for ever."""
    beats: list[float] = []
    heart = Heart(lambda: beats.append(1), period=PERIOD, budget=1)
    heart._stop = looks = Looks()
    heart._last = time.monotonic() - 1  # the last board was finished a hundred periods ago

    with heart:
        wait_until(lambda: looks.looks > 20, "twenty periods")

    assert beats == []


def test_it_ends_with_the_work() -> None:
    with Heart(lambda: None, period=60, budget=1):
        assert any(thread.name == "heart" for thread in threading.enumerate())

    assert not any(thread.name == "heart" for thread in threading.enumerate())


def test_the_patience_is_what_the_slowest_node_would_take() -> None:
    assert Heart(lambda: None, period=5, budget=60_000)._patience == 60_000 * module.NODE_SECONDS
    assert Heart(lambda: None, period=5, budget=10)._patience == 5
