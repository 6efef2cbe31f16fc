"""What is refused is said, and a flood of it does not flood the log."""

import pytest
from structlog.testing import capture_logs

from gridmill import logs
from gridmill.refusals import PERIOD, Refusals


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


def test_the_first_is_logged_at_once(clock: Clock) -> None:
    with capture_logs() as lines:
        Refusals(logs.get("test"), clock).note("message refused", reason="why")
    assert lines == [{"event": "message refused", "log_level": "warning", "reason": "why", "so_far": 1}]


def test_a_flood_is_a_line_in_each_period_with_the_number_so_far(clock: Clock) -> None:
    refusals = Refusals(logs.get("test"), clock)
    with capture_logs() as lines:
        for _ in range(10):
            for _ in range(1000):
                refusals.note("message refused")
            clock.now += PERIOD
    assert [line["so_far"] for line in lines] == [1, *range(1001, 10_001, 1000)]
    assert refusals.number == 10_000
