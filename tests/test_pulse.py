"""Signs of life on a pipe, whether or not somebody reads them."""

import os
from collections.abc import Callable, Iterator

import pytest

from worker import sign
from worker.pulse import Pulse
from worker.sign import Sign, State

PERIOD = 0.01  # seconds
NEVER = 3600.0  # seconds: no sign but those that a test asks for


@pytest.fixture
def pipe() -> Iterator[tuple[int, int]]:
    """Both ends of a pipe that does not block."""
    ends = os.pipe()
    for end in ends:
        os.set_blocking(end, False)
    yield ends
    for end in ends:
        os.close(end)


def heard(end: int) -> list[Sign]:
    try:
        return list(sign.decode(os.read(end, 4000)))
    except BlockingIOError:
        return []


def test_it_begins_with_a_sign(pipe: tuple[int, int]) -> None:
    Pulse(pipe[1], State.IDLE, NEVER).start()
    assert heard(pipe[0]) == [Sign(os.getpid(), State.IDLE)]


def test_it_goes_on(pipe: tuple[int, int], wait_until: Callable[..., None]) -> None:
    signs: list[Sign] = []
    Pulse(os.dup(pipe[1]), State.MAIN, PERIOD).start()
    wait_until(lambda: signs.extend(heard(pipe[0])) or len(signs) > 5, "some signs")  # type: ignore[func-returns-value]
    assert set(signs) == {Sign(os.getpid(), State.MAIN)}


def test_a_turn_is_told_at_once(pipe: tuple[int, int]) -> None:
    pulse = Pulse(pipe[1], State.IDLE, NEVER)
    pulse.turn(State.BUSY)
    pulse.turn(State.IDLE)
    assert [each.state for each in heard(pipe[0])] == [State.BUSY, State.IDLE]


def test_a_supervisor_that_does_not_read_costs_nothing_but_signs(pipe: tuple[int, int]) -> None:
    pulse = Pulse(pipe[1], State.BUSY, NEVER)
    for _ in range(100_000):  # more than any pipe holds
        pulse.turn(State.BUSY)
    assert set(heard(pipe[0])) == {Sign(os.getpid(), State.BUSY)}


def test_a_supervisor_that_is_gone_is_no_error() -> None:
    ours, theirs = os.pipe()
    os.close(ours)
    Pulse(theirs, State.IDLE, NEVER).turn(State.BUSY)
    os.close(theirs)
