"""What is lost is waited for, or sent again: connections, jobs, pieces, messages, and this process's own time."""

from typing import Any

import pytest

from collector.patience import LEASES
from gridmill.entry import Place
from gridmill.errors import BrokerLost, Incomplete
from gridmill.piece import Piece
from gridmill.testing import FakeBroker

from .rig import ANSWERS, LEASE, Paper, Rig


def test_a_broken_connection_is_waited_out_and_everything_read_anew(rig: Rig) -> None:
    rig.feed()
    rig.work(1, 2, 3)

    def happens(look: int) -> None:
        if look == 5:
            rig.ledger.line.away = 3
        if look == 12:
            rig.work(0)

    rig.happens = happens
    assert rig.run() is True

    assert rig.paper.written == ANSWERS * 7
    assert rig.paper.notes.count("attach") >= 2


def test_a_server_that_went_back_is_brought_forward(rig: Rig) -> None:
    rig.feed()
    rig.work(0)
    kept = {key: rig.client.dump(key) for key in rig.client.keys("*")}

    def happens(look: int) -> None:
        if rig.ledger.view(rig.job).cursor == 1 and rig.count == 2:
            for key, data in kept.items():
                rig.client.restore(key, 0, data, replace=True)
            rig.happens = lambda look: rig.work(1, 2, 3) if rig.ledger.view(rig.job).cursor == 1 else None

    rig.happens = happens
    assert rig.run() is True

    assert rig.paper.written == ANSWERS * 7


def test_a_job_that_the_server_lost_is_waited_for_when_the_producer_is_here(rig: Rig) -> None:
    rig.feed()
    rig.work(0)

    def happens(look: int) -> None:
        if rig.count == 2 and rig.paper.state.place == rig.cuts[0].after:
            rig.client.flushall()
            rig.sent.clear()
            rig.happens = come_back

    def come_back(look: int) -> None:
        if rig.ledger.scan(rig.job) is None:
            rig.feed(1)
            rig.work()

    rig.happens = happens
    assert rig.run() is True

    assert rig.paper.written == ANSWERS * 7


def test_a_producer_that_shows_life_is_waited_for(fake: FakeBroker) -> None:
    rig = Rig(fake, feeding=False)
    rig.feed(stop=2, close=False)
    rig.work()

    def happens(look: int) -> None:
        if look % 40 == 0:
            rig.ledger.feeding(rig.job, "p")
        if look == 500:
            rig.feed(2)
            rig.work()

    rig.happens = happens
    assert rig.run() is True
    assert rig.clock.time - 100 > 3 * LEASE


def test_a_producer_is_not_gone_because_this_process_was_asleep(fake: FakeBroker) -> None:
    rig = Rig(fake, feeding=False)
    rig.feed(stop=2, close=False)
    rig.work()

    def happens(look: int) -> None:
        if 20 <= look < 30:
            rig.clock.time += 3600
        if look == 40:
            rig.feed(2)
            rig.work()

    rig.happens = happens
    assert rig.run() is True


def test_a_piece_is_not_overdue_because_this_process_was_asleep(rig: Rig) -> None:
    rig.feed()
    rig.work(1, 2, 3)
    rig.ledger.begin(rig.job, Piece(0, 0, 2), 1, "w")

    sent: list[int] = []

    def happens(look: int) -> None:
        if look == 20:
            rig.clock.time += 3600
        if look == 30:
            sent.append(len(rig.sent))
        if len(rig.sent) == 5:
            rig.work(0)

    rig.happens = happens
    rig.run()

    assert sent == [4]


def test_a_started_piece_without_a_beat_is_sent_again(rig: Rig) -> None:
    rig.feed()
    rig.work(1, 2, 3)
    rig.ledger.begin(rig.job, Piece(0, 0, 2), 1, "dead")
    rig.happens = lambda look: rig.work(0) if len(rig.sent) == 5 else None

    assert rig.run() is True

    assert rig.sent[4][0] == Piece(0, 0, 2)
    assert LEASE < rig.clock.time - 100 < LEASE + 5


def test_a_ledger_that_somebody_deleted_is_written_again(rig: Rig) -> None:
    rig.feed()
    rig.work(0)

    def happens(look: int) -> None:
        if look == 4:
            rig.client.delete(*rig.client.keys("*:led"))
        if look == 8:
            rig.work()

    rig.happens = happens
    assert rig.run() is True

    assert rig.paper.written == ANSWERS * 7


def test_a_message_that_was_lost_is_sent_again(rig: Rig) -> None:
    rig.feed()
    rig.work(1, 2, 3)
    rig.happens = lambda look: rig.work(0) if len(rig.sent) == 5 else None

    assert rig.run() is True

    assert rig.clock.time - 100 < 2 * rig.settings.grace


def test_a_chunk_that_somebody_seems_to_be_at_for_ever_is_solved_here(rig: Rig) -> None:
    rig.feed(0, 1, close=False)
    ((piece, seq),) = rig.sent
    rig.ledger.begin(rig.job, piece, seq, "w")
    asked: list[float] = []

    def ask(key: int, questions: Any) -> None:
        asked.append(rig.clock.time)
        rig.stop.set()

    rig.referee.ask = ask  # type: ignore[method-assign]

    def beat(look: int) -> None:
        assert rig.ledger.beat(rig.job, piece, "w")

    rig.happens = beat
    begun = rig.clock.time
    rig.run()

    assert asked
    assert asked[0] - begun > LEASES * LEASE


def test_a_collector_that_took_over_ends_nobodys_work(rig: Rig) -> None:
    """A second one for the same output cannot be: the journal is locked. It is this one, after a hidden restart."""
    rig.feed()

    def happens(look: int) -> None:
        if look == 3:
            rig.ledger.commit(rig.job, "other", Place(), b"{}", out=Paper.name, own=True)
            rig.work()

    rig.happens = happens
    assert rig.run() is True
    assert rig.paper.written == ANSWERS * 7


class Decliner:
    """Takes each message from the second chunk on and declines it, for three leases."""

    def __init__(self, rig: Rig) -> None:
        self._rig, self._end = rig, rig.clock.time + 3 * LEASE
        del rig.sent[0]

    def __call__(self, look: int) -> None:
        for _, seq in self._rig.sent:
            self._rig.ledger.decline(self._rig.job, seq, "here/1: another version")
        self._rig.sent.clear()
        if self._rig.clock.time > self._end:
            self._rig.stop.set()


def test_a_run_whose_own_workers_decline_ends_when_nobody_else_begins(rig: Rig) -> None:
    rig.feed()
    rig.work(0)
    rig.happens = Decliner(rig)

    with pytest.raises(Incomplete, match=r"decline job .* \(here/1: another version\), .* gridmill resume out goes on"):
        rig.run(rig.collector(is_own=lambda reason: reason.startswith("here/1: ")))

    assert rig.paper.written == ANSWERS * 2
    assert rig.paper.state.place == rig.cuts[0].after
    assert rig.paper.notes[-2:] == ["save", "commit"]
    assert rig.clock.time - 100 < 2 * LEASE


def test_that_others_decline_is_waited_out(rig: Rig) -> None:
    rig.feed()
    rig.work(0)
    rig.happens = Decliner(rig)

    assert rig.run(rig.collector(is_own=lambda reason: reason.startswith("here/2: "))) is False

    assert rig.clock.time - 100 > 3 * LEASE


def test_a_server_that_never_hears_of_the_end_does_not_hold_up_the_output(rig: Rig) -> None:
    rig.feed()
    rig.work()

    def final(*args: Any) -> str:
        raise BrokerLost("away")

    rig.ledger.final = final  # type: ignore[method-assign]
    assert rig.run() is True

    assert rig.paper.notes[-1] == "publish"
    assert rig.clock.time - 100 < 2 * LEASE
