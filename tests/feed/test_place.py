"""The producer goes on where the server says, and feeds nothing into a job that is not its own."""

from typing import Any

import pytest

from gridmill.chunk import Record
from gridmill.entry import Place
from gridmill.errors import Fenced, Incomplete, InputChanged
from producer.feed import Feed

from .rig import BOARD, CUTS, LINES, Records, Rig


def test_a_new_producer_goes_on_where_the_last_one_stopped(rig: Rig) -> None:
    first = rig.feed(budget=1)
    rig.clock.happens = first.stop
    first.run()
    assert len(rig.sent) == 1

    rig.feed().run()

    assert [piece for piece, _ in rig.sent] == ["0:0:3", "1:0:3", "2:0:3", "3:0:1"]


def test_it_follows_a_server_that_went_back(rig: Rig) -> None:
    older: list[dict[bytes, Any]] = []
    feed = rig.feed(origin=Place, stay=True)

    def go_back() -> None:
        if len(rig.clock.waits) == 1:
            older.append(keep(rig.client, f"*{rig.job}*"))
            rig.ledger.final(rig.job, "done")
            # The server has only the first chunk
            restore(rig.client, older[0])
            key = f"gridmill:{{{rig.job}}}:job"
            first = CUTS[0].after
            rig.client.hset(key, mapping={"next": 1, "record": 3, "chain": first.chain})
            rig.client.hdel(key, "total")
        elif rig.ledger.view(rig.job).total == 4:
            feed.stop()

    rig.clock.happens = go_back
    feed.run()

    assert [piece for piece, _ in rig.sent] == ["0:0:3", "1:0:3", "2:0:3", "3:0:1", "1:0:3", "2:0:3", "3:0:1"]
    assert rig.place == CUTS[-1].after


def keep(client: Any, pattern: str) -> dict[bytes, Any]:
    return {key: client.dump(key) for key in client.keys(pattern)}


def restore(client: Any, kept: dict[bytes, Any]) -> None:
    for key, data in kept.items():
        client.restore(key, 0, data, replace=True)


def test_it_follows_a_server_that_the_collector_brought_forward(rig: Rig) -> None:
    rig.ledger.create(rig.job, "another", b"spec", Place())
    rig.collected(2)

    rig.feed().run()

    assert [piece for piece, _ in rig.sent] == ["2:0:3", "3:0:1"]


def test_a_job_that_the_server_has_lost_begins_again_at_the_journals_place(rig: Rig) -> None:
    feed = rig.feed(origin=lambda: CUTS[1].after, stay=True)

    def lose() -> None:
        if len(rig.clock.waits) == 1:
            rig.client.flushall()
        elif rig.client.keys("*") and rig.ledger.view(rig.job).total == 4:
            feed.stop()

    rig.clock.happens = lose
    feed.run()

    assert [piece for piece, _ in rig.sent] == ["2:0:3", "3:0:1"] * 2
    assert rig.ledger.view(rig.job).cursor == 2


def test_without_a_journal_a_lost_job_is_not_made_again(rig: Rig) -> None:
    """Its collector may have written a part of it."""
    rig.clock.happens = rig.client.flushall

    with pytest.raises(
        Incomplete, match=r"the server has lost job .* gridmill resume goes on .* submit the input again"
    ):
        rig.feed(budget=1).run()
    assert rig.client.keys("*") == []


def test_another_producer_ends_this_one(rig: Rig) -> None:
    def take_over() -> None:
        rig.ledger.create(rig.job, "another", b"spec", Place())

    rig.clock.happens = take_over

    with pytest.raises(Fenced, match="another producer has taken over") as caught:
        rig.feed(budget=1).run()
    assert caught.value.job == rig.job


def test_a_server_that_went_back_to_an_earlier_producer_is_no_other_producer(rig: Rig) -> None:
    # Given a job of which an earlier producer enqueued one chunk
    earlier = rig.feed(budget=1)
    rig.clock.happens = earlier.stop
    earlier.run()
    kept = keep(rig.client, "*")
    # When the next one is at work, and the server goes back to before it
    now = rig.feed(budget=1)
    rounds: list[int] = []

    def go_back() -> None:
        rounds.append(1)
        if len(rounds) == 1:
            restore(rig.client, kept)
        rig.collected(rig.place.chunk)

    rig.clock.happens = go_back
    now.run()
    # Then it takes the job over again
    assert rig.ledger.view(rig.job).total == 4


def test_it_does_not_attach_to_a_job_that_has_ended(rig: Rig) -> None:
    rig.feed().run()
    rig.ledger.final(rig.job, "done")

    assert rig.feed().attach() is False


def test_who_leaves_looks_again_after_everything_is_on_the_disk(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    """The server may have gone back in time before it was."""
    flushes: list[int] = []

    def flush(job: str, token: str) -> bool:
        flushes.append(1)
        if len(flushes) == 1:
            key = f"gridmill:{{{rig.job}}}:job"
            rig.client.hset(key, mapping={"next": 3, "record": 9, "chain": CUTS[2].after.chain})
            rig.client.hdel(key, "total")
        return True

    monkeypatch.setattr(rig.ledger, "flush", flush)
    feed = rig.feed()
    feed.run()

    assert (len(flushes), feed.durable, rig.ledger.view(rig.job).total) == (2, True, 4)
    assert [piece for piece, _ in rig.sent] == ["0:0:3", "1:0:3", "2:0:3", "3:0:1", "3:0:1"]


def test_another_input_is_not_fed_into_the_job(rig: Rig) -> None:
    rig.feed().run()

    with pytest.raises(InputChanged, match="within the first 10 records"):
        rig.feed(Records([Record(1, BOARD, id="new"), *LINES[1:]])).run()


def test_an_input_that_has_grown_is_another_one(rig: Rig) -> None:
    rig.feed(Records(LINES[:9])).run()

    with pytest.raises(InputChanged, match="was closed after 9 records, and the input has more now"):
        rig.feed(Records(LINES)).run()


def test_other_options_are_not_the_same_job(rig: Rig) -> None:
    rig.feed().run()
    other = Feed(rig.ledger, rig.job, b"other", Records(), chunk=3, budget=10**6, beat=5, clock=rig.clock)

    with pytest.raises(InputChanged, match="made with other options or inputs"):
        other.attach()


def test_an_input_that_can_be_read_once_does_not_go_back(rig: Rig) -> None:
    rig.clock.happens = rig.client.flushall
    feed = rig.feed(Records(repeatable=False), origin=Place, stay=True)

    with pytest.raises(Incomplete, match="cannot be read twice"):
        feed.run()
