"""Answers that a program takes: in order, and no more of them in memory than there is room for."""

import threading
from collections.abc import Callable

from collector.delivery import Delivery
from gridmill.answers import Status
from gridmill.board import pack
from gridmill.chunk import Side
from gridmill.column import Column
from gridmill.entry import Place
from gridmill.formats.sheet import Sheet
from gridmill.reply import Claim, Reply

Wait = Callable[..., None]


def sheet(first: int) -> Sheet:
    return Sheet(pack("." * 81), Side(first, [(0, first)], Column(), [], {}), Reply.of([Claim(Status.NONE)]), {})


def hand_over(delivery: Delivery, count: int) -> threading.Thread:
    """A collector that has ``count`` sheets to hand over."""

    def run() -> None:
        for first in range(1, count + 1):
            assert list(delivery.sheet(sheet(first))) == [pack("." * 81)]

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    return thread


def test_sheets_are_taken_in_order_and_then_there_are_none() -> None:
    delivery = Delivery(3)
    hand_over(delivery, 3).join(10)
    assert [taken.side.first for taken in iter(delivery.take, None)] == [1, 2, 3]
    assert not delivery.is_over
    assert not delivery.has_dropped


def test_a_collector_waits_while_nobody_takes(wait_until: Wait) -> None:
    delivery = Delivery(2)
    thread = hand_over(delivery, 5)
    wait_until(lambda: len(delivery._sheets) == 2, "a full delivery")
    thread.join(0.05)
    assert thread.is_alive()
    assert len(delivery._sheets) == 2

    for _ in range(5):
        delivery.wait(10)
        assert delivery.take()
    thread.join(10)
    assert not thread.is_alive()


def test_whoever_waits_is_woken_by_a_sheet_and_by_the_end() -> None:
    delivery = Delivery(1)
    hand_over(delivery, 1)
    delivery.wait(1000)
    assert delivery.take()
    threading.Thread(target=delivery.close, daemon=True).start()
    delivery.wait(1000)
    assert delivery.is_over


def test_what_is_there_at_the_end_can_still_be_taken() -> None:
    delivery = Delivery(1)
    hand_over(delivery, 1).join(10)
    delivery.close()
    assert not delivery.is_over
    assert delivery.take()
    assert delivery.is_over


def test_the_end_frees_a_collector_that_waits() -> None:
    delivery = Delivery(1)
    thread = hand_over(delivery, 3)
    delivery.close()
    thread.join(10)
    assert not thread.is_alive()
    assert delivery.has_dropped


def test_it_remembers_how_far_it_is() -> None:
    delivery = Delivery(1)
    delivery.saving(Place(1, 5), {"none": 5}, done=True)()
    assert (delivery.state.place.record, delivery.state.counts, delivery.state.done) == (5, {"none": 5}, True)
