"""Signs of life: while there is progress, and no longer."""

import threading
from collections.abc import Callable

import pytest

from worker.heart import NODE_SECONDS, STUCK, Heart, Work

PERIOD = 0.01  # s
LIMIT = 20.0  # s to wait for what takes some periods


def hearts() -> int:
    return sum(thread.name == "heart" for thread in threading.enumerate())


def test_work_that_makes_progress_beats(wait_until: Callable[..., None]) -> None:
    beats: list[float] = []

    with Heart(PERIOD).over(lambda: beats.append(1), 100) as work:

        def beaten() -> bool:
            work.tick()
            return len(beats) >= 30  # without progress it falls silent after ten

        wait_until(beaten, "thirty beats of a worker that finishes boards")


def test_a_board_whose_budget_cannot_be_spent_yet_is_progress(wait_until: Callable[..., None]) -> None:
    beats: list[float] = []

    with Heart(PERIOD).over(lambda: beats.append(1), 1_000_000):
        wait_until(lambda: len(beats) >= 3, "three beats without a finished board")


def test_work_that_hangs_falls_silent_and_is_given_up() -> None:
    """A solver that does not even count nodes must not keep its piece, nor its process, for ever."""
    beats: list[float] = []
    given_up = threading.Event()

    with Heart(PERIOD, given_up.set).over(lambda: beats.append(1), 1):
        assert given_up.wait(LIMIT)

    assert beats == [1]  # at the first look nobody knows yet


def test_it_is_silent_from_the_patience_on_and_given_up_at_some_times_of_it() -> None:
    beats: list[int] = []
    work = Work(lambda: beats.append(1), 3.0)

    stuck = [work.look(1.0) for _ in range(3 * STUCK + 2)]

    assert len(beats) == 3  # after 0, 1 and 2 s without a board
    assert stuck == [False] * 3 * STUCK + [True] * 2


def test_a_board_that_is_finished_makes_it_patient_again() -> None:
    beats: list[int] = []
    work = Work(lambda: beats.append(1), 2.0)
    for _ in range(5):
        work.look(1.0)
    assert len(beats) == 2

    work.tick()

    assert not work.look(1.0)
    assert len(beats) == 3


def test_it_ends_with_the_work(wait_until: Callable[..., None]) -> None:
    wait_until(lambda: hearts() == 0, "the end of those of other tests")
    heart = Heart(PERIOD)
    for _ in range(2):
        with heart.over(lambda: None, 1), heart.over(lambda: None, 1):
            assert hearts() == 1
        wait_until(lambda: hearts() == 0, "the end of its thread")


def test_a_thread_that_could_not_be_started_is_not_missed_by_the_next_piece(
    wait_until: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A child at its memory limit; nor is the piece that failed of it watched over any more."""

    def refused(self: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    heart, beats = Heart(PERIOD), {"first": 0, "next": 0}

    def beat(name: str) -> None:
        beats[name] += 1

    with monkeypatch.context() as patch:
        patch.setattr(threading.Thread, "start", refused)
        with pytest.raises(RuntimeError), heart.over(lambda: beat("first"), 1_000_000):
            pytest.fail("it is watched over by nobody")

    with heart.over(lambda: beat("next"), 1_000_000):
        wait_until(lambda: beats["next"] >= 2, "two beats of the next piece")
    assert beats["first"] == 0


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_thread_that_died_is_not_missed_by_the_next_piece(wait_until: Callable[..., None]) -> None:
    heart, died = Heart(PERIOD), list[threading.Thread]()

    def fail() -> None:
        died.append(threading.current_thread())
        raise MemoryError

    for number in (1, 2):
        with heart.over(fail, 1_000_000):
            wait_until(lambda number=number: len(died) == number, "the death of its thread")
        died[-1].join(LIMIT)


def test_each_piece_has_its_own_progress(wait_until: Callable[..., None]) -> None:
    heart, beats = Heart(PERIOD, lambda: None), {"slow": 0, "stopped": 0}

    def beat(name: str) -> None:
        beats[name] += 1

    with heart.over(lambda: beat("slow"), 1) as slow, heart.over(lambda: beat("stopped"), 1):

        def beaten() -> bool:
            slow.tick()
            return beats["slow"] >= 10

        wait_until(beaten, "ten beats of the one that makes progress")
        assert beats["stopped"] <= 1


def test_the_patience_is_what_the_slowest_node_would_take() -> None:
    with Heart(5).over(lambda: None, 60_000) as long, Heart(5).over(lambda: None, 10) as short:
        assert (long.patience, short.patience) == (60_000 * NODE_SECONDS, 5)


def test_a_piece_that_makes_progress_is_not_given_up() -> None:
    stuck = threading.Event()
    enough = threading.Event()
    beats: list[int] = []
    work: list[Work] = []

    def beat() -> None:
        for each in work:
            each.tick()
        beats.append(1)
        if len(beats) > 10 * STUCK:
            enough.set()

    with Heart(PERIOD, stuck.set).over(beat, int(2 * PERIOD / NODE_SECONDS)) as made:
        work.append(made)
        assert enough.wait(LIMIT)
    assert not stuck.is_set()
