"""What a worker does with a message."""

import os
import threading
from collections.abc import Callable
from typing import Any

import msgspec
import pytest
import redis
from silent import Silent
from structlog.contextvars import merge_contextvars
from structlog.testing import capture_logs

from gridmill import solvers
from gridmill.answers import Status
from gridmill.board import pack
from gridmill.chunk import Record
from gridmill.clock import Clock
from gridmill.digest import digest
from gridmill.entry import Entry, Place
from gridmill.errors import BrokerLost, WireError
from gridmill.job import WIRE, Spec, new_id
from gridmill.keys import Keys
from gridmill.ledger import Ledger
from gridmill.piece import Piece
from gridmill.reply import Reply
from gridmill.said import Blame
from gridmill.settings import Settings
from producer.cut import cut
from worker.identity import is_of
from worker.solving import REFUSED_WAIT, SPECS_HELD, Message, Solving

BOARD = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SOLUTION = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
NONE = ".71..4.................6...8....9........2..8.....76......81..6....6....6....38.."
PIECE = Piece(0, 0, 2)
SPEC = Spec(WIRE, "bitmask", solvers.get("bitmask").version, False, 1000, 2, "", (), ())


class Broken:
    """A solver that fails."""

    name, summary, version, proves, budget, chunk = "broken", "", 1, True, 1000, 1

    def search(self, grid: Any, limit: int, budget: int) -> Any:
        raise ZeroDivisionError("a fault of the solver")


class Hours(Clock):
    """A clock on which every wait takes its time at once."""

    def __init__(self) -> None:
        self.time = 0.0
        self.waits: list[float] = []

    def now(self) -> float:
        return self.time

    def wait(self, seconds: float, stop: threading.Event | None = None) -> None:
        self.waits.append(seconds)
        self.time += seconds


class Rig:
    """A job of one piece, and a worker for it."""

    def __init__(self, client: "redis.Redis", settings: Settings, spec: Spec = SPEC) -> None:
        self.ledger = Silent.of(client, settings)
        self.clock = Hours()
        self.job = new_id()
        self.solving = Solving(settings, lambda: self.ledger, self.clock)
        self.ledger.create(self.job, "p", spec.encode(), Place())
        made = next(cut([Record(1, BOARD), Record(2, NONE)], 2))
        self.boards = made.chunk.boards
        self.seq = self.ledger.enqueue(self.job, "p", made.at, made.chunk, made.after, 10_000).seq

    def refuse(self) -> None:
        """The collector finds this worker's answer false, and wants no more of them."""
        self.take()
        blame = Blame(self.solving.identity.name, "host/1", 1)
        self.seq = self.ledger.requeue(self.job, PIECE, self.entry, blame)

    def take(self, piece: str = str(PIECE)) -> None:
        self.solving.take(self.job, piece, self.seq)

    @property
    def entry(self) -> Entry:
        snapshot = self.ledger.scan(self.job)
        assert snapshot is not None
        return snapshot.entries[PIECE]

    @property
    def mark(self) -> int:
        snapshot = self.ledger.scan(self.job)
        assert snapshot is not None
        return snapshot.mark

    def declined(self) -> str:
        return self.ledger.view(self.job).declined


@pytest.fixture
def rig(client: "redis.Redis", settings: Settings) -> Rig:
    return Rig(client, settings)


def test_a_piece_is_solved_and_answered(rig: Rig) -> None:
    rig.take()

    entry = rig.entry
    (answered,) = rig.ledger.answers(rig.job, {Piece(0, 0, 2): entry.seq}).values()
    first, second = Reply.decode(answered.reply, 2).claims()
    assert (first.status, first.solution) == (Status.UNIQUE, pack(SOLUTION))
    assert second.status is Status.NONE
    assert answered.boards_hash == digest(rig.boards)
    assert answered.token == entry.token
    assert (entry.state, entry.tries) == ("a", 1)


def test_a_message_that_comes_twice_is_work_for_one(rig: Rig) -> None:
    rig.take()
    before = rig.entry

    rig.take()

    assert rig.entry == before
    assert rig.entry.tries == 1


def test_two_starts_have_two_tokens(rig: Rig) -> None:
    rig.take()
    first = rig.entry.token
    rig.ledger.requeue(rig.job, PIECE, rig.entry)
    rig.take()

    assert rig.entry.token != first


def test_a_worker_that_lied_hands_the_message_back_and_stands_still(rig: Rig) -> None:
    rig.refuse()
    rig.clock.waits.clear()

    rig.take()

    assert (rig.ledger.sent, rig.ledger.about) == ([(PIECE, rig.entry.seq)], {rig.job})
    assert rig.clock.waits == [REFUSED_WAIT]
    assert (rig.entry.state, rig.entry.tries) == ("q", 0)


@pytest.mark.parametrize(
    ("job", "piece", "seq"),
    [
        ("2345678923", "0:0:2", "1"),
        ("2345678923", "0:0:2", True),
        ("2345678923", "0:0:2", 0),
        ("2345678923", "0:0:2", 2**53),
        ("2345678923", "0:0:2", 1.5),
        ("2345678923", "0:2:2", 1),
        ("2345678923", 7, 1),
        ("2345678923", None, 1),
        ("{other}:job", "0:0:2", 1),
        (None, "0:0:2", 1),
        (["2345678923"], "0:0:2", 1),
    ],
)
def test_a_message_that_this_version_would_not_send_is_refused_and_logged(
    rig: Rig, job: object, piece: object, seq: object
) -> None:
    with pytest.raises(WireError):
        Message.check(job, piece, seq)
    with capture_logs() as logs:
        rig.solving.take(job, piece, seq)
    assert [line["event"] for line in logs] == ["message refused"]


def test_a_message_of_a_job_that_is_gone_moves_the_mark_all_the_same(rig: Rig) -> None:
    rig.solving.take("3333333333", "0:0:2", rig.seq)

    assert rig.mark == rig.seq


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"version": 99}, "wants bitmask version 99, this worker has"),
        ({"solver": "magic"}, "no solver is called 'magic'"),
        ({"wire": WIRE + 1}, f"another release made the job (wire version {WIRE + 1}"),
    ],
)
def test_a_worker_of_another_version_hands_the_piece_back_and_says_why(
    client: "redis.Redis", settings: Settings, change: dict[str, Any], reason: str
) -> None:
    rig = Rig(client, settings, msgspec.structs.replace(SPEC, **change))

    rig.take()

    assert rig.entry == Entry("q", rig.seq, 0, 0, False, 0, "-")
    assert rig.mark == rig.seq
    assert reason in rig.declined()


@pytest.mark.parametrize(
    ("change", "field"), [({"stress": 1}, "stress"), ({"asked": {"rated": True}}, "rated")], ids=["spec", "question"]
)
def test_a_worker_that_does_not_know_all_that_is_asked_hands_the_piece_back_too(
    client: "redis.Redis", settings: Settings, change: dict[str, Any], field: str
) -> None:
    rig = Rig(client, settings)
    spec = msgspec.msgpack.encode(msgspec.msgpack.decode(SPEC.encode()) | change)
    client.hset(Keys(settings.prefix).job(rig.job), "spec", spec)

    rig.take()

    assert (rig.entry.state, rig.entry.tries) == ("q", 0)
    assert f"unknown field `{field}`" in rig.declined()


def test_a_worker_that_cannot_load_the_solver_hands_the_piece_back_too(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    def load() -> Any:
        raise OSError("libsolver.so: cannot open shared object file")

    monkeypatch.setitem(solvers._SOLVERS, "bitmask", load)

    rig.take()

    assert (rig.entry.state, rig.entry.tries) == ("q", 0)
    assert "the solver bitmask cannot be loaded: OSError('libsolver.so" in rig.declined()


def test_whose_word_it_is_stands_before_the_reason(client: "redis.Redis", settings: Settings) -> None:
    rig = Rig(client, settings, msgspec.structs.replace(SPEC, version=99))

    rig.take()

    assert is_of(rig.declined(), os.getpgrp())


def test_a_solver_that_fails_is_a_lost_try_and_no_exception(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(rig.solving._solvers, "bitmask", Broken())
    monkeypatch.setattr(Broken, "version", SPEC.version)

    with capture_logs() as logs:
        rig.take()

    assert (rig.entry.state, rig.entry.tries, rig.entry.lost) == ("s", 1, True)
    assert "the solver failed" in [line["event"] for line in logs]


def test_each_piece_is_logged_with_its_job_what_was_solved_and_how_long_it_took(rig: Rig) -> None:
    with capture_logs(processors=[merge_contextvars]) as logs:
        rig.take()

    (line,) = [line for line in logs if line["event"] == "piece finished"]
    assert (line["job"], line["piece"], line["records"], line["said"]) == (rig.job, str(PIECE), 2, "ok")
    assert (line["log_level"], line["seconds"]) == ("info", 0.0)


def test_boards_that_are_gone_are_an_error_in_the_log(rig: Rig, client: "redis.Redis") -> None:
    client.delete(*client.keys("*:b:0"))

    with capture_logs() as logs:
        rig.take()

    assert [(line["said"], line["log_level"]) for line in logs] == [("lost", "error")]
    assert rig.entry.tries == 0


def test_finished_work_waits_for_a_server_that_is_away(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    failing(rig, monkeypatch, times=5)

    with capture_logs() as logs:
        rig.take()

    assert [(line["event"], line.get("reason")) for line in logs] == [
        ("answer waits for the server", "away"),
        ("piece finished", None),
    ]
    assert rig.entry.state == "a"
    assert rig.clock.waits == [0.1, 0.2, 0.4, 0.8, 1.6]


def test_it_does_not_wait_for_ever(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    failing(rig, monkeypatch, times=10_000)

    with capture_logs() as logs:
        rig.take()

    assert rig.entry.state == "s"
    assert 300 < rig.clock.time < 320
    assert [line["event"] for line in logs] == ["answer waits for the server", "piece not answered"]


def failing(rig: Rig, monkeypatch: pytest.MonkeyPatch, times: int) -> None:
    """The server is away for so many FINISHes."""
    real: Callable[..., str] = rig.ledger.finish
    left = [times]

    def finish(*args: Any, **named: Any) -> str:
        left[0] -= 1
        if left[0] >= 0:
            raise BrokerLost("away")
        return real(*args, **named)

    monkeypatch.setattr(rig.ledger, "finish", finish)


def test_a_lost_child_is_reported_under_the_message_that_it_had(rig: Rig) -> None:
    rig.ledger.begin(rig.job, PIECE, rig.seq, "w")

    rig.solving.lost(rig.job, str(PIECE), rig.seq)

    assert rig.entry.lost


def test_reporting_a_lost_child_never_fails(rig: Rig) -> None:
    with capture_logs() as logs:
        rig.solving.lost(rig.job, "nonsense", rig.seq)

    assert [line["event"] for line in logs] == ["child lost, and not reported"]


def test_specs_are_remembered_but_not_without_end(rig: Rig) -> None:
    for _ in range(SPECS_HELD + 5):
        job = new_id()
        rig.ledger.create(job, "p", SPEC.encode(), Place())
        rig.solving.take(job, "0:0:2", rig.seq)

    assert len(rig.solving._specs) == SPECS_HELD


def test_the_ledger_is_opened_with_the_first_message(settings: Settings) -> None:
    """After the fork: a connection must not be shared by processes."""
    opened: list[int] = []

    def connect() -> Ledger:
        opened.append(1)
        raise BrokerLost("away")

    solving = Solving(settings, connect)
    assert opened == []
    solving.take("2345678923", "0:0:2", 1)
    assert opened == [1]
