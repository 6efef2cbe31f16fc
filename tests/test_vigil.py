"""What follows from a worker's signs of life, by a clock that the tests set."""

from collections.abc import Iterable

import pytest

from gridmill.errors import BrokerLost
from worker import sign
from worker.sign import Sign, State
from worker.vigil import START_SECONDS, Vigil

LIMIT = 10.0  # seconds
MAIN, ONE, TWO = 100, 101, 102


class Lab:
    """A vigil over a main process and two children, all of which give a sign each second unless they are ``mute``."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.waiting: int | BrokerLost = 1
        self.looks = 0
        self.states = {MAIN: State.MAIN, ONE: State.IDLE, TWO: State.IDLE}
        self.mute: set[int] = set()
        self.vigil = Vigil(LIMIT, self._waiting, self.now)

    def _waiting(self) -> int:
        self.looks += 1
        if isinstance(self.waiting, BrokerLost):
            raise self.waiting
        return self.waiting

    def turn(self, pid: int, state: State) -> None:
        self.states[pid] = state
        self.vigil.hear([Sign(pid, state)], self.now)

    def work(self) -> None:
        """A task from begin to end."""
        self.turn(ONE, State.BUSY)
        self.turn(ONE, State.IDLE)

    def pass_by(self, seconds: float, pace: float = 1.0) -> str | None:
        """Let time pass, and the first reason that there was to start the worker again."""
        for _ in range(int(seconds / pace)):
            self.now += pace
            signs = [Sign(pid, state) for pid, state in self.states.items() if pid not in self.mute]
            self.vigil.hear(signs, self.now)
            if reason := self.vigil.judge(self.now):
                return reason
        return None


@pytest.fixture
def lab() -> Lab:
    """A worker that has had its first task."""
    made = Lab()
    made.work()
    made.pass_by(1)
    return made


def test_signs_come_back_as_they_were_sent() -> None:
    signs = [Sign(1, State.MAIN), Sign(2**22, State.IDLE), Sign(7, State.BUSY)]
    assert list(sign.decode(b"".join(each.encode() for each in signs))) == signs


def test_a_worker_that_takes_what_waits_is_left_alone(lab: Lab) -> None:
    for _ in range(10):
        lab.work()
        assert lab.pass_by(LIMIT - 1) is None


def test_a_worker_that_takes_nothing_though_something_waits_is_started_again(lab: Lab) -> None:
    assert lab.pass_by(LIMIT + 2) == "it takes nothing, though something waits"


def test_a_worker_for_which_nothing_waits_is_left_alone(lab: Lab) -> None:
    lab.waiting = 0
    assert lab.pass_by(10 * LIMIT) is None


def test_a_queue_that_is_empty_once_in_a_while_is_served(lab: Lab) -> None:
    for _ in range(10):
        lab.waiting = 1
        assert lab.pass_by(LIMIT - 2) is None
        lab.waiting = 0
        assert lab.pass_by(2) is None


def test_children_that_are_all_at_long_tasks_need_take_nothing(lab: Lab) -> None:
    lab.turn(ONE, State.BUSY)
    lab.turn(TWO, State.BUSY)
    assert lab.pass_by(10 * LIMIT) is None


def test_one_child_at_a_long_task_does_not_excuse_the_other(lab: Lab) -> None:
    lab.turn(ONE, State.BUSY)
    assert lab.pass_by(LIMIT + 2) == "it takes nothing, though something waits"


def test_where_the_server_is_away_nothing_follows(lab: Lab) -> None:
    lab.waiting = BrokerLost("away")
    assert lab.pass_by(10 * LIMIT) is None


def test_the_server_is_asked_seldom(lab: Lab) -> None:
    lab.waiting = 0
    lab.pass_by(10 * LIMIT, pace=0.1)
    assert 0 < lab.looks <= 10 * 10


def test_a_main_process_that_is_silent_is_started_again(lab: Lab) -> None:
    lab.waiting = 0
    lab.mute = {MAIN}
    assert lab.pass_by(LIMIT + 2) == "its main process gives no sign of life"


def test_a_child_that_is_silent_is_named_and_the_worker_left_alone(lab: Lab) -> None:
    lab.waiting = 0
    lab.mute = {TWO}
    assert lab.pass_by(LIMIT + 2) is None
    assert lab.vigil.silent(lab.now) == [TWO]


def test_a_child_that_was_killed_is_named_no_more(lab: Lab) -> None:
    lab.waiting = 0
    lab.mute = {TWO}
    lab.pass_by(LIMIT + 2)

    lab.vigil.forget(TWO, lab.now)

    assert lab.vigil.silent(lab.now) == []


def test_a_worker_without_any_child_gets_time_for_new_ones(lab: Lab) -> None:
    lab.waiting = 0
    lab.mute = {ONE, TWO}
    lab.pass_by(LIMIT + 2)
    for pid in lab.vigil.silent(lab.now):
        lab.vigil.forget(pid, lab.now)

    assert lab.pass_by(START_SECONDS - 1) is None
    assert lab.pass_by(2) == "it does not start"


def test_a_new_worker_gets_time_to_start() -> None:
    lab = Lab()
    lab.mute = {MAIN, ONE, TWO}
    assert lab.pass_by(START_SECONDS) is None
    assert lab.pass_by(2) == "it does not start"


def test_a_new_worker_gets_time_for_its_first_task() -> None:
    lab = Lab()
    assert lab.pass_by(START_SECONDS) is None
    assert lab.pass_by(2) == "it takes nothing, though something waits"


@pytest.mark.parametrize("mute", [(), (MAIN,), (ONE,)])
def test_who_was_stopped_itself_blames_nobody(lab: Lab, mute: Iterable[int]) -> None:
    lab.mute = set(mute)
    lab.now += 100 * LIMIT

    assert lab.pass_by(LIMIT / 2) is None
    assert lab.vigil.silent(lab.now) == []
