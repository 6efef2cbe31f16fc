"""The producer's loop: enqueue, send, hold back, wait until the job is done."""

from typing import Any

import pytest

from gridmill.chunk import Fault, Record
from gridmill.entry import Place
from gridmill.errors import BrokerLost
from gridmill.piece import Piece
from producer.feed import FULL_LOOKS, FULL_WAIT, STAY_WAIT

from .rig import CUTS, LINES, Records, Rig


def test_every_chunk_is_stored_and_its_message_sent_and_then_the_job_closed(rig: Rig) -> None:
    rig.feed().run()

    assert [rig.ledger.chunk(rig.job, made.at.chunk) for made in CUTS] == [made.chunk for made in CUTS]
    assert rig.sent == [("0:0:3", 1), ("1:0:3", 2), ("2:0:3", 3), ("3:0:1", 4)]
    assert rig.ledger.view(rig.job).total == 4
    assert rig.place == CUTS[-1].after


def test_an_empty_input_is_a_job_without_chunks(rig: Rig) -> None:
    rig.feed(Records([])).run()

    assert (rig.ledger.view(rig.job).total, rig.sent) == (0, [])


def test_a_chunk_without_a_board_needs_no_message(rig: Rig) -> None:
    rubbish = [Record(line, None, Fault(0, "no cells", "x")) for line in range(1, 4)]

    rig.feed(Records([*rubbish, *LINES[3:6]])).run()

    assert rig.sent == [("1:0:3", 2)]


def test_it_says_how_far_it_is(rig: Rig) -> None:
    feed = rig.feed()
    assert (feed.place, feed.closed, feed.durable) == (Place(), False, False)

    feed.run()

    assert (feed.place, feed.closed, feed.durable) == (CUTS[-1].after, True, False)


def test_it_holds_back_while_too_much_is_in_flight(rig: Rig) -> None:
    def collect() -> None:
        if len(rig.clock.waits) % 3 == 0:
            rig.collected(rig.place.chunk)

    rig.clock.happens = collect
    rig.feed(budget=1).run()

    assert rig.clock.waits == [FULL_WAIT] * 9
    assert len(rig.sent) == 4


def test_a_chunk_is_not_offered_again_before_there_may_be_room(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    offered: list[int] = []
    enqueue = rig.ledger.enqueue

    def counted(job: str, token: str, at: Place, *rest: Any) -> Any:
        offered.append(at.chunk)
        return enqueue(job, token, at, *rest)

    def collect() -> None:
        if len(rig.clock.waits) % 10 == 0:
            rig.collected(len(rig.clock.waits) // 10)

    monkeypatch.setattr(rig.ledger, "enqueue", counted)
    rig.clock.happens = collect

    rig.feed(budget=1).run()

    assert offered == [0, 1, 1, 2, 2, 3, 3]


def test_a_chunk_is_offered_again_after_a_while_whatever_the_server_shows(rig: Rig) -> None:
    def shrink() -> None:  # a server that went back may show the same number for another reason
        if len(rig.clock.waits) == FULL_LOOKS:
            feed._budget = 100_000

    feed = rig.feed(budget=1)
    rig.clock.happens = shrink

    feed.run()

    assert [piece for piece, _ in rig.sent] == ["0:0:3", "1:0:3", "2:0:3", "3:0:1"]


@pytest.mark.parametrize("state", ["done", "cancelled"])
def test_the_jobs_end_is_its_end(rig: Rig, state: str) -> None:
    def end() -> None:
        rig.ledger.final(rig.job, state)

    rig.clock.happens = end

    rig.feed(budget=1).run()

    assert len(rig.sent) == 1


def test_who_stays_asks_again_and_again_until_the_job_is_done(rig: Rig) -> None:
    def finish() -> None:
        if len(rig.clock.waits) == 10:
            rig.ledger.final(rig.job, "done")

    rig.clock.happens = finish
    rig.feed(origin=Place, stay=True).run()

    assert rig.clock.waits == [STAY_WAIT] * 10


def test_a_broken_connection_is_waited_out(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    real, left = rig.ledger.enqueue, [6]

    def enqueue(*args: Any) -> Any:
        left[0] -= 1
        if left[0] >= 0:
            raise BrokerLost("away")
        return real(*args)

    monkeypatch.setattr(rig.ledger, "enqueue", enqueue)
    rig.feed().run()

    assert rig.clock.waits == [0.1, 0.2, 0.4, 0.8, 1.6, 3.2]
    assert len(rig.sent) == 4


def test_a_message_that_could_not_be_sent_is_not_sent_twice(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    """The chunk is stored; the collector sees that its message is missing."""
    left, real = [1], rig.ledger.send

    def send(job: str, piece: Piece, seq: int) -> None:
        left[0] -= 1
        if left[0] == 0:
            raise BrokerLost("away")
        real(job, piece, seq)

    monkeypatch.setattr(rig.ledger, "send", send)
    rig.feed().run()

    assert [piece for piece, _ in rig.sent] == ["1:0:3", "2:0:3", "3:0:1"]
    assert rig.place == CUTS[-1].after


def test_it_shows_life_as_often_as_a_worker_beats(rig: Rig) -> None:
    feed = rig.feed(beat=5.0)
    feed.attach()

    for second in range(21):
        rig.clock.time = float(second)
        feed.show_life()

    assert rig.ledger.view(rig.job).fed == 4


def test_showing_life_does_not_mind_a_broken_connection(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    def feeding(*_: object) -> bool:
        raise BrokerLost("away")

    monkeypatch.setattr(rig.ledger, "feeding", feeding)
    rig.clock.time = 10.0

    rig.feed(beat=5.0).show_life()


def test_it_stops_when_it_is_told_to(rig: Rig) -> None:
    feed = rig.feed()
    feed.stop()

    feed.run()

    assert rig.sent == []
