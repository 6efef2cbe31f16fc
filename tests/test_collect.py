"""The collector's loop, on a clock of ours and with workers whose words are given."""

import json
import threading
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Executor, Future
from typing import Any

import pytest

from collector import keeper
from collector.collect import Collector
from collector.journal import State
from collector.patience import LEASES
from collector.referee import Ruling
from gridmill import broker, solvers
from gridmill.chunk import Fault, Record
from gridmill.clock import Clock
from gridmill.connection import Connection
from gridmill.entry import Answered, Place
from gridmill.errors import BrokerLost, Incomplete, JobError, OutputError
from gridmill.formats.output import writer
from gridmill.incidents import About, Incidents
from gridmill.job import WIRE, Spec, new_id
from gridmill.ledger import Ledger
from gridmill.piece import Piece
from gridmill.testing import FakeBroker
from producer.cut import cut
from worker.solving import Solving

BOARD = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SOLUTION = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
SPEC = Spec(WIRE, "bitmask", solvers.get("bitmask").version, False, 1000, 2, "", (), ())
RECORDS = [Record(line, BOARD) for line in range(1, 8)]
ANSWERS = f"{SOLUTION}\n".encode()
LEASE, TICK = 15.0, 0.25


class Turns(Clock):
    """A clock on which waiting takes no time of ours."""

    def __init__(self) -> None:
        self.time = 100.0

    def now(self) -> float:
        return self.time

    def wait(self, seconds: float, stop: threading.Event | None = None) -> None:
        self.time += seconds


class Paper:
    """A manuscript in memory that notes what happens to it."""

    name, way_on, is_published = "host:/out", "and gridmill resume out goes on", False

    def __init__(self, state: State | None = None) -> None:
        self.state = state or State(0, Place(), 0, {})
        self.written = b""
        self.notes: list[str] = []
        self.refuses = False
        self.steps = 0

    def write(self, data: bytes) -> None:
        if self.refuses:
            raise OutputError("no space left")
        self.written += data

    def saving(self, place: Place, counts: dict[str, int], *, done: bool = False) -> Callable[[], None]:
        written = len(self.written)

        def save() -> None:
            self.notes.append("done" if done else "save")
            self.state = State(self.state.turn + 1, place, written, counts, done)

        return save

    def finish(self) -> Iterator[None]:
        for _ in range(self.steps):
            self.notes.append("finish")
            yield

    def publish(self) -> None:
        self.notes.append("publish")

    def close(self) -> None:
        self.notes.append("close")


class AtOnce(Executor):
    """Saves in the thread that asks for it, so that each is at its end when the collector looks again."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **options: Any) -> "Future[Any]":
        ended: Future[Any] = Future()
        ended.set_result(fn(*args, **options))
        return ended


class Nobody:
    """A referee that is never needed."""

    closed = False

    def ask(self, key: int, questions: Any) -> None:
        raise AssertionError(questions)

    def rulings(self) -> list[Ruling]:
        return []

    def drop(self) -> None:
        pass

    def close(self) -> None:
        self.closed = True


class Breaking(Connection):
    """A connection on which the next ``away`` calls break."""

    away = 0

    def call(self, action: Callable[[Any], Any]) -> Any:
        if self.away:
            self.away -= 1
            raise BrokerLost("away")
        return super().call(action)


class Watched(Ledger):
    """A ledger that is waited on without waiting, and notes the collector's steps."""

    def __init__(self, client: Any, prefix: str, queue_key: str, clock: Turns, notes: list[str]) -> None:
        super().__init__(client, prefix, queue_key)
        self._server = self.line = Breaking(client)
        self.clock, self.notes = clock, notes
        self.read: list[str] = []  # ids of answers

    def wait(self, job: str, known: int, seconds: float) -> bool:
        self.clock.time += seconds
        return super().wait(job, known, 0)

    def commit(self, *args: Any, **options: Any) -> str:
        self.notes.append("attach" if options.get("own") else "commit")
        return super().commit(*args, **options)

    def answers(self, job: str, wanted: Mapping[str, int], **options: Any) -> dict[str, Answered]:
        self.read += wanted
        return super().answers(job, wanted, **options)

    def final(self, *args: Any) -> str:
        self.notes.append("final")
        return super().final(*args)


class Rig:
    """A job of four chunks, its collector, and a worker."""

    def __init__(self, fake: FakeBroker, records: list[Record] = RECORDS, *, feeding: bool = True) -> None:
        self.client: Any = fake.client()
        self.settings = fake.settings.model_copy(update={"audit": 0.0})  # or the referee would be needed
        self.clock, self.referee, self.paper = Turns(), Nobody(), Paper()
        self.job, self.feeding = new_id(), feeding
        self.cuts = list(cut(records, 2))
        self.incidents = Incidents(fake.settings.state_dir, self.job, About("", "csv", b""))
        self.sent: list[tuple[Piece, int]] = []
        self.ledger = self.connect()
        self.solving = Solving(fake.settings, self.connect, self.send, self.clock)
        self.stop = threading.Event()
        self.looks = 0
        self.happens: Callable[[int], None] = lambda look: None

    def connect(self) -> Watched:
        return Watched(self.client, self.settings.prefix, broker.queue_key(self.settings), self.clock, self.paper.notes)

    def send(self, job: str, piece: Piece, seq: int) -> None:
        self.sent.append((piece, seq))

    def feed(self, start: int = 0, stop: int | None = None, *, close: bool = True) -> None:
        self.ledger.create(self.job, "p", SPEC.encode(), self.cuts[start].at if self.cuts else Place())
        for made in self.cuts[start:stop]:
            said = self.ledger.enqueue(self.job, "p", made.at, made.chunk, made.after, 10**6)
            self.sent.append((Piece(made.at.chunk, 0, len(made.chunk)), said.seq))
        if close:
            self.ledger.close(self.job, "p", len(self.cuts))

    def work(self, *numbers: int) -> None:
        """The worker takes the messages of these chunks, or all there are."""
        for piece, seq in [sent for sent in self.sent if not numbers or sent[0].chunk in numbers]:
            self.solving.take(self.job, str(piece), seq)

    def collector(self, form: str = "lines", is_own: Callable[[str], bool] = lambda reason: False) -> Collector:
        return Collector(
            self.ledger, self.send, self.job, SPEC, self.paper,
            writer(form, ()), self.settings, self.referee, self.incidents,
            feeding=self.feeding, is_own=is_own, clock=self.clock, aside=AtOnce(),
        )  # fmt: skip

    def run(self, collector: Collector | None = None) -> bool:
        def look(progress: object) -> None:
            self.looks += 1
            assert self.looks < 2000, "it never ends"
            self.happens(self.looks)

        return (collector or self.collector()).run(self.stop, look)

    @property
    def count(self) -> int:
        return self.paper.written.count(b"\n")


@pytest.fixture
def rig(fake: FakeBroker) -> Rig:
    return Rig(fake)


def test_a_job_is_written_in_order_and_ends(rig: Rig) -> None:
    rig.feed()
    rig.work(3)
    rig.work(1)
    rig.work()

    assert rig.run() is True

    assert rig.paper.written == ANSWERS * 7
    assert (rig.paper.state.place, rig.paper.state.counts) == (rig.cuts[-1].after, {"unique": 7})
    assert rig.ledger.view(rig.job).state == "done"
    assert rig.referee.closed


def test_an_empty_job_is_an_empty_output(fake: FakeBroker) -> None:
    rig = Rig(fake, [])
    rig.feed()

    assert rig.run() is True
    assert (rig.paper.written, rig.paper.notes[-3:]) == (b"", ["done", "publish", "final"])


def test_a_job_of_rubbish_needs_no_worker(fake: FakeBroker) -> None:
    rig = Rig(fake, [Record(line, None, Fault(0, "no cells", "x")) for line in range(1, 8)])
    rig.feed()

    assert rig.run() is True
    assert rig.paper.written == b"<malformed>\n" * 7


def test_nothing_is_written_before_its_turn(rig: Rig) -> None:
    rig.feed()
    rig.work(1, 2, 3)
    seen: list[int] = []

    def happens(look: int) -> None:
        seen.append(rig.count)
        if look == 6:
            rig.work(0)

    rig.happens = happens
    rig.run()

    assert set(seen[:6]) == {0}
    assert rig.count == 7


def test_a_save_comes_before_the_commit_and_the_journal_before_the_name(rig: Rig) -> None:
    rig.feed()
    rig.happens = lambda look: rig.work(look // 8 - 1) if look in (8, 16, 24, 32) else None

    rig.run()

    notes = rig.paper.notes
    assert all(notes[at - 1] == "save" for at, note in enumerate(notes) if note in ("commit", "attach"))
    assert notes[-3:] == ["done", "publish", "final"]
    assert "commit" in notes


def test_saves_are_grouped(rig: Rig) -> None:
    """Two syncs a chunk would be most of the work."""
    rig.feed()
    rig.work()

    rig.run()

    assert rig.paper.notes.count("commit") == 0


def test_an_answer_is_read_once_though_it_stays_until_it_is_safe(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keeper, "SAVE_SECONDS", 1000)
    rig.feed()
    rig.happens = lambda look: rig.work(look // 8 - 1) if look in (8, 16, 24, 32) else None

    rig.run()

    assert "commit" not in rig.paper.notes
    assert len(rig.ledger.read) == len(set(rig.ledger.read)) == 4


def test_much_data_is_saved_at_once(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keeper, "SAVE_BYTES", 100)
    rig.feed()
    rig.work()

    rig.run()

    assert rig.paper.notes.count("commit") >= 3


def test_what_was_written_leaves_the_server(rig: Rig) -> None:
    rig.feed()
    rig.work(0, 1)
    rig.happens = lambda look: rig.stop.set() if rig.ledger.view(rig.job).cursor == 2 else None

    assert rig.run() is False

    assert [rig.ledger.chunk(rig.job, number) is None for number in range(4)] == [True, True, False, False]
    assert rig.ledger.view(rig.job).written == 4


def test_stopping_saves_and_the_next_run_goes_on(rig: Rig) -> None:
    rig.feed()
    rig.work(0)
    rig.happens = lambda look: rig.stop.set() if rig.count == 2 else None
    assert rig.run() is False
    assert rig.paper.state.place == rig.cuts[0].after

    rig.stop, rig.happens = threading.Event(), lambda look: None
    rig.work()
    assert rig.run() is True

    assert rig.paper.written == ANSWERS * 7
    assert rig.paper.state.counts == {"unique": 7}


def test_the_header_is_written_once(rig: Rig) -> None:
    rig.feed()
    rig.work(0)
    rig.happens = lambda look: rig.stop.set() if rig.count == 3 else None
    rig.run(rig.collector("csv"))
    rig.stop, rig.happens = threading.Event(), lambda look: None
    rig.work()

    rig.run(rig.collector("csv"))

    assert rig.paper.written.count(b"record,") == 1
    assert rig.paper.written.startswith(b"record,")


def test_a_finished_manuscript_is_only_published(rig: Rig) -> None:
    """As a crash after the last save leaves it."""
    rig.feed()
    rig.paper.state = State(9, rig.cuts[-1].after, 100, {"unique": 7}, True)

    assert rig.run() is True

    assert rig.paper.notes == ["publish", "final"]
    assert rig.ledger.view(rig.job).counts == json.dumps({"unique": 7}, separators=(",", ":")).encode()


def test_an_output_that_has_to_be_made_is_made_in_ticks(rig: Rig) -> None:
    rig.feed()
    rig.paper.state = State(9, rig.cuts[-1].after, 100, {"unique": 7}, True)
    rig.paper.steps = 2
    rig.happens = lambda look: rig.paper.notes.append("tick")

    assert rig.run() is True

    assert rig.paper.notes == ["finish", "tick", "finish", "tick", "publish", "final"]


def test_making_an_output_can_be_stopped_and_goes_on_with_the_next_run(rig: Rig) -> None:
    rig.feed()
    rig.work()
    rig.paper.steps = 2
    rig.happens = lambda look: rig.stop.set() if "finish" in rig.paper.notes else None

    assert rig.run() is False
    assert (rig.paper.state.done, rig.paper.notes[-1]) == (True, "finish")

    rig.stop, rig.happens = threading.Event(), lambda look: None
    rig.paper.notes.clear()
    assert rig.run(rig.collector()) is True
    assert rig.paper.notes == ["finish", "finish", "publish", "final"]


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
            rig.sent = []
            rig.happens = come_back

    def come_back(look: int) -> None:
        if rig.ledger.scan(rig.job) is None:
            rig.feed(1)
            rig.work()

    rig.happens = happens
    assert rig.run() is True

    assert rig.paper.written == ANSWERS * 7


def test_a_lost_job_ends_a_collector_that_is_alone(fake: FakeBroker) -> None:
    rig = Rig(fake, feeding=False)
    rig.feed()
    rig.happens = lambda look: rig.client.flushall() if look == 3 else None

    with pytest.raises(Incomplete, match=r"has lost job .* what was written stays valid, and gridmill resume out goes"):
        rig.run()
    assert rig.referee.closed


def test_a_producer_that_has_gone_is_said_when_all_that_it_sent_is_written(fake: FakeBroker) -> None:
    rig = Rig(fake, feeding=False)
    rig.feed(stop=2, close=False)
    rig.work()

    with pytest.raises(Incomplete, match=rf"Go on with gridmill submit --job {rig.job} and the same input"):
        rig.run()

    assert rig.count == 4
    assert rig.paper.state.place == rig.cuts[1].after
    assert LEASE < rig.clock.time - 100 < 2 * LEASE


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


def test_a_chunk_of_which_nothing_is_left_ends_the_run_with_the_way_to_go_on(rig: Rig) -> None:
    rig.feed()
    rig.happens = lambda look: rig.client.delete("none", *rig.client.keys("*:led"), *rig.client.keys("*:b:*"))

    with pytest.raises(Incomplete, match=rf"gridmill cancel {rig.job}, gridmill clean, then gridmill resume OUT"):
        rig.run()


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


@pytest.mark.parametrize("state", ["cancelled", "done"])
def test_a_job_that_somebody_ended_ends_the_run(rig: Rig, state: str) -> None:
    rig.feed()

    def happens(look: int) -> None:
        if look == 3:
            rig.ledger.final(rig.job, state)

    rig.happens = happens
    with pytest.raises(JobError, match=f"was {state}; what was written stays valid"):
        rig.run()


def test_a_job_that_is_collected_elsewhere_is_left_alone(rig: Rig) -> None:
    rig.feed()
    rig.ledger.commit(rig.job, "c", Place(), b"{}", out="other:/b.csv", own=True)

    with pytest.raises(JobError, match=r"is being collected into other:/b\.csv; go on with that output"):
        rig.run()


def test_an_output_that_lacks_what_another_one_took_is_not_begun(rig: Rig) -> None:
    rig.feed()
    rig.ledger.commit(rig.job, "c", rig.cuts[0].after, b"{}", out=Paper.name, own=True)

    with pytest.raises(JobError, match="collected before, by an output that is not this one"):
        rig.run()


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


def test_an_output_that_cannot_be_written_ends_the_run(rig: Rig) -> None:
    rig.feed()
    rig.work()
    rig.paper.refuses = True

    with pytest.raises(OutputError, match="no space left"):
        rig.run()

    assert rig.paper.state.place == Place()
    assert "commit" not in rig.paper.notes
    assert rig.referee.closed


def test_a_server_that_never_hears_of_the_end_does_not_hold_up_the_output(rig: Rig) -> None:
    rig.feed()
    rig.work()

    def final(*args: Any) -> str:
        raise BrokerLost("away")

    rig.ledger.final = final  # type: ignore[method-assign]
    assert rig.run() is True

    assert rig.paper.notes[-1] == "publish"
    assert rig.clock.time - 100 < 2 * LEASE


def test_a_chunk_that_does_not_follow_is_not_written(rig: Rig) -> None:
    rig.feed()
    rig.client.set(rig.client.keys("*:s:0")[0], rig.cuts[1].chunk.side)
    rig.work()

    with pytest.raises(Incomplete, match="chunk 0 begins with record 3, the output ends with 0"):
        rig.run()
    assert rig.paper.written == b""


def test_the_progress_is_shown_as_it_is(rig: Rig) -> None:
    rig.feed(close=False)
    rig.work(0)
    rig.ledger.begin(rig.job, Piece(1, 0, 2), 2, "w")
    collector = rig.collector()
    rig.happens = lambda look: rig.stop.set() if look == 3 else None

    rig.run(collector)

    progress = collector.progress
    assert (progress.written, progress.enqueued, progress.total) == (2, 7, None)
    assert (progress.queued, progress.started, progress.counts) == (2, 1, {"unique": 2})
    assert progress.bytes_in_flight > 0
