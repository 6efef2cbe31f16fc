"""Readings: totals, rates and the time that is left."""

from dataclasses import dataclass

import pytest
from clocks import Hand

from gridmill.cli.meter import WINDOW, Meter, Reading, duration


@dataclass
class Source:
    size: int | None = 1000
    position: int = 0
    read: int = 0


@pytest.fixture
def meter(clock: Hand) -> Meter:
    return Meter(clock)


def test_a_total_that_is_known_is_exact(meter: Meter) -> None:
    reading = meter.read(10, 40, 200, Source(position=500))
    assert (reading.total, reading.exact) == (200, True)


def test_a_total_is_estimated_by_the_bytes_that_are_read(meter: Meter) -> None:
    reading = meter.read(0, 40, None, Source(position=250, read=40))
    assert (reading.total, reading.exact) == (160, False)


def test_what_is_read_ahead_of_what_is_enqueued_makes_no_estimate_smaller(meter: Meter) -> None:
    assert meter.read(0, 10, None, Source(position=250, read=40)).total == 160


def test_an_estimate_is_never_less_than_what_is_enqueued(meter: Meter) -> None:
    assert meter.read(0, 40, None, Source(position=1200, read=40)).total == 40


@pytest.mark.parametrize(
    "source", [None, Source(size=None, position=5, read=5), Source(position=0), Source(size=0), Source(position=5)]
)
def test_a_stream_has_no_total_nor_has_what_no_record_came_of_yet(source: Source | None, meter: Meter) -> None:
    assert meter.read(0, 40, None, source).total is None


def test_a_run_that_goes_on_has_a_total_while_it_reads_again_what_is_enqueued(meter: Meter) -> None:
    totals = [meter.read(400, 400, None, Source(position=read, read=read)).total for read in (200, 500)]
    assert totals == [1000, 1000]


def test_the_rate_is_records_a_second(meter: Meter, clock: Hand) -> None:
    meter.read(100, 900, None, None)
    clock.now += 2
    assert meter.read(300, 900, None, None).rate == 100


def test_a_server_that_went_back_in_time_makes_no_rate_below_nothing(meter: Meter, clock: Hand) -> None:
    meter.read(300, 900, 900, None)
    clock.now += 2
    reading = meter.read(100, 900, 900, None)
    assert (reading.rate, reading.left) == (0, None)


def test_the_rate_of_the_first_look_is_nothing(meter: Meter) -> None:
    assert meter.read(300, 900, None, None).rate == 0


def test_the_rate_forgets_what_was_long_ago(meter: Meter, clock: Hand) -> None:
    for done in (0, 50_000, 50_010):
        meter.read(done, done, None, None)
        clock.now += WINDOW
    assert meter.read(50_020, 50_020, None, None).rate == pytest.approx(10 / WINDOW)


def test_what_is_enqueued_and_not_written_is_in_flight(meter: Meter) -> None:
    assert meter.read(10, 40, None, None).in_flight == 30


def test_the_time_that_is_left_follows_from_the_rate() -> None:
    assert Reading(done=20, total=100, exact=True, rate=4, in_flight=0).left == 20


@pytest.mark.parametrize(("total", "rate"), [(None, 4.0), (100, 0.0)])
def test_without_total_or_rate_nobody_knows_what_is_left(total: int | None, rate: float) -> None:
    assert Reading(done=20, total=total, exact=True, rate=rate, in_flight=0).left is None


@pytest.mark.parametrize(
    ("seconds", "text"), [(0, "0 s"), (59.4, "59 s"), (59.6, "1:00"), (185, "3:05"), (3723, "1:02:03")]
)
def test_durations_are_short(seconds: float, text: str) -> None:
    assert duration(seconds) == text
