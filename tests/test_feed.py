"""The producer's loop: enqueue, send, follow where the server says, hold back."""

import threading
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import pytest

from gridmill import broker
from gridmill.chunk import Fault, Record
from gridmill.clock import Clock
from gridmill.entry import Place
from gridmill.errors import BrokerLost, Fenced, Incomplete, InputChanged
from gridmill.job import new_id
from gridmill.ledger import Ledger
from gridmill.piece import Piece
from gridmill.testing import FakeBroker
from producer.cut import cut
from producer.feed import FULL_LOOKS, FULL_WAIT, STAY_WAIT, Feed

BOARD = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
LINES = [Record(line, BOARD) for line in range(1, 11)]
CUTS = list(cut(LINES, 3))  # four of them


class Records:
    """An input that counts how often it is read."""

    def __init__(self, records: Iterable[Record] = LINES, *, repeatable: bool = True) -> None:
        self.records, self.repeatable, self.readings = list(records), repeatable, 0

    def __iter__(self) -> Iterator[Record]:
        self.readings += 1
        return iter(self.records)


class Turns(Clock):
    """A clock on which time passes at once, and something may happen meanwhile."""

    def __init__(self) -> None:
        self.time = 0.0
        self.waits: list[float] = []
        self.happens: Callable[[], None] = lambda: None

    def now(self) -> float:
        return self.time

    def wait(self, seconds: float, stop: threading.Event | None = None) -> None:
        assert len(self.waits) < 200, "it waits for ever"
        self.waits.append(seconds)
        self.time += seconds
        self.happens()


class Rig:
    """One job, and producers for it."""

    def __init__(self, fake: FakeBroker) -> None:
        self.client: Any = fake.client()
        self.ledger = Ledger(self.client, fake.settings.prefix, broker.queue_key(fake.settings))
        self.job = new_id()
        self.clock = Turns()
        self.sent: list[tuple[str, int]] = []

    def feed(self, records: Records | None = None, **options: Any) -> Feed:
        defaults = {"chunk": 3, "budget": 100_000, "beat": 5.0, "stay": False}
        return Feed(
            self.ledger, self.send, self.job, b"spec", records or Records(), clock=self.clock, **defaults | options
        )

    def send(self, job: str, piece: Piece, seq: int) -> None:
        assert job == self.job
        self.sent.append((str(piece), seq))

    def collected(self, number: int, *, own: bool = True) -> None:
        """The collector has written everything before chunk ``number``."""
        place = CUTS[number - 1].after if number else Place()
        assert self.ledger.commit(self.job, "c", place, b"{}", out="out", own=own) == "ok"

    @property
    def place(self) -> Place:
        return self.ledger.view(self.job).place


@pytest.fixture
def rig(fake: FakeBroker) -> Rig:
    return Rig(fake)


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


@pytest.mark.parametrize("state", ["done", "cancelled"])
def test_the_jobs_end_is_its_end(rig: Rig, state: str) -> None:
    def end() -> None:
        rig.ledger.final(rig.job, state)

    rig.clock.happens = end

    rig.feed(budget=1).run()

    assert len(rig.sent) == 1


def test_it_does_not_attach_to_a_job_that_has_ended(rig: Rig) -> None:
    rig.feed().run()
    rig.ledger.final(rig.job, "done")

    assert rig.feed().attach() is False


def test_who_stays_asks_again_and_again_until_the_job_is_done(rig: Rig) -> None:
    def finish() -> None:
        if len(rig.clock.waits) == 10:
            rig.ledger.final(rig.job, "done")

    rig.clock.happens = finish
    rig.feed(origin=Place, stay=True).run()

    assert rig.clock.waits == [STAY_WAIT] * 10


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


def test_a_message_that_could_not_be_sent_is_not_sent_twice(rig: Rig) -> None:
    """The chunk is stored; the collector sees that its message is missing."""
    left = [1]

    def send(job: str, piece: Piece, seq: int) -> None:
        left[0] -= 1
        if left[0] == 0:
            raise BrokerLost("away")
        rig.send(job, piece, seq)

    feed = Feed(
        rig.ledger, send, rig.job, b"spec", Records(), chunk=3, budget=10**6, beat=5, stay=False, clock=rig.clock
    )
    feed.run()

    assert [piece for piece, _ in rig.sent] == ["1:0:3", "2:0:3", "3:0:1"]
    assert rig.place == CUTS[-1].after


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
    other = Feed(rig.ledger, rig.send, rig.job, b"other", Records(), chunk=3, budget=10**6, beat=5, clock=rig.clock)

    with pytest.raises(InputChanged, match="made with other options or inputs"):
        other.attach()


def test_an_input_that_can_be_read_once_does_not_go_back(rig: Rig) -> None:
    rig.clock.happens = rig.client.flushall
    feed = rig.feed(Records(repeatable=False), origin=Place, stay=True)

    with pytest.raises(Incomplete, match="cannot be read twice"):
        feed.run()


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
