"""A feed beside its caller."""

import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from gridmill.errors import InputChanged
from producer.feeding import Feeding

Wait = Callable[..., None]


class Feed:
    """Stands for a feed: runs until it is stopped, or ends as it is told to."""

    def __init__(self, error: Exception | None = None) -> None:
        self._error = error
        self.thread: threading.Thread | None = None
        self.ended = threading.Event()

    def run(self) -> None:
        self.thread = threading.current_thread()
        if self._error is not None:
            raise self._error
        assert self.ended.wait(20)

    def stop(self) -> None:
        self.ended.set()


def feeding(feed: Any) -> Feeding:
    return Feeding(feed)


@pytest.fixture
def feed() -> Iterator[Feed]:
    made = Feed()
    yield made
    made.stop()


def test_it_runs_in_a_thread_of_its_own_until_it_is_stopped(feed: Feed, wait_until: Wait) -> None:
    beside = feeding(feed)
    assert not beside.is_running

    beside.start()
    wait_until(lambda: feed.thread, "the feed runs")
    assert beside.is_running
    assert feed.thread is not threading.current_thread()

    beside.stop()
    wait_until(lambda: not beside.is_running, "the feed has ended")
    beside.check()


def test_what_ended_it_is_raised_where_it_is_asked_for(wait_until: Wait) -> None:
    beside = feeding(Feed(InputChanged("another input")))
    beside.start()
    wait_until(lambda: not beside.is_running, "the feed has ended")

    for _ in range(2):
        with pytest.raises(InputChanged, match="another input"):
            beside.check()


def test_a_feed_that_never_ends_does_not_keep_the_process(feed: Feed, wait_until: Wait) -> None:
    """Standard input may block for ever."""
    beside = feeding(feed)
    beside.start()
    wait_until(lambda: feed.thread, "the feed runs")

    assert feed.thread is not None
    assert feed.thread.daemon
