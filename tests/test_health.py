"""The health check: a board was solved, or pieces make progress; else the queue is not served."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
import redis
from celery.result import allow_join_result

from gridmill import broker
from gridmill.chunk import Chunk, Record
from gridmill.embedded import Server
from gridmill.entry import Place, Snapshot
from gridmill.errors import BrokerError, BrokerLost
from gridmill.ledger import Ledger
from gridmill.piece import Piece
from gridmill.settings import Settings
from gridmill.testing import FakeBroker, fake_worker
from worker import health
from worker.tasks import register

JOB = "abcdefghjk"
PIECE = Piece(0, 0, 1)
IMPATIENT = 0.2  # seconds: there is nobody who could answer


@pytest.fixture(autouse=True)
def waiting() -> Iterator[None]:
    """An earlier test's worker in this process may have forbidden to wait for results."""
    with allow_join_result():
        yield


@pytest.fixture
def ledger(client: "redis.Redis", settings: Settings) -> Ledger:
    """A ledger that holds one queued piece, number 1."""
    ledger = Ledger.of(client, settings)
    ledger.create(JOB, "producer", b"spec", Place())
    chunk = Chunk.of(1, [Record(1, health.BOARD)])
    assert ledger.enqueue(JOB, "producer", Place(), chunk, Place(1, 1, b"c" * 16), 1_000_000).seq == 1
    return ledger


@pytest.fixture
def look(ledger: Ledger) -> Callable[[], dict[str, Snapshot]]:
    """What the job looks like now."""

    def snapshots() -> dict[str, Snapshot]:
        snapshot = ledger.scan(JOB)
        assert snapshot is not None
        return {JOB: snapshot}

    return snapshots


def test_a_worker_that_answers_is_asked_and_gives_the_solution(fake: FakeBroker) -> None:
    app = fake.app()
    register(app, fake.settings)
    with fake_worker(app), allow_join_result():  # a worker in this process forbids it, as is right inside a task
        answer = health.ask(app, 10.0)
    assert answer is not None
    assert answer["status"] == "unique"


def test_no_answer_within_the_limit_is_none(fake: FakeBroker) -> None:
    assert health.ask(fake.app(), IMPATIENT) is None


def test_a_queue_without_a_worker_is_not_served(server: Server) -> None:
    with pytest.raises(BrokerError, match="no worker answered"):
        health.check(Settings.load(broker=server.url), IMPATIENT)


def test_a_server_that_is_not_there_is_named() -> None:
    with pytest.raises(BrokerLost, match="/nowhere/socket"):
        health.check(Settings.load(broker="unix:///nowhere/socket"), IMPATIENT)


def test_the_command_says_why_and_ends_with_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert health.main() == 1
    assert capsys.readouterr().out.startswith("unhealthy: no broker")


def test_a_wrong_answer_is_not_believed(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "ask", lambda app, patience: {"solution": "5" * 81})
    with pytest.raises(BrokerError, match="wrong answer: row 1"):
        health.check(Settings.load(broker=server.url), IMPATIENT)


@pytest.mark.parametrize("forged", ["text", 5, [1], None, ZeroDivisionError("a fault")], ids=repr)
def test_what_is_no_answer_at_all_is_not_believed_either(fake: FakeBroker, forged: Any) -> None:
    """Whoever can write results can write anything there."""
    app = fake.app()

    def board(_puzzle: str) -> Any:
        if isinstance(forged, Exception):
            raise forged
        return forged

    app.task(board, name=broker.BOARD_TASK, ignore_result=False, shared=False)
    with fake_worker(app), allow_join_result():
        assert health.ask(app, 10.0) == {}


def test_nothing_that_changed_is_no_progress(look: Callable[[], dict[str, Snapshot]]) -> None:
    assert not health.advanced(look(), look())


def test_a_piece_that_is_taken_is_progress(ledger: Ledger, look: Callable[[], dict[str, Snapshot]]) -> None:
    before = look()
    ledger.begin(JOB, PIECE, 1, "worker")
    assert health.advanced(before, look())


def test_a_beat_is_progress(ledger: Ledger, look: Callable[[], dict[str, Snapshot]]) -> None:
    ledger.begin(JOB, PIECE, 1, "worker")
    before = look()
    ledger.beat(JOB, PIECE, "worker")
    assert health.advanced(before, look())


def test_a_piece_that_is_sent_again_is_no_progress(ledger: Ledger, look: Callable[[], dict[str, Snapshot]]) -> None:
    """The collector does that when no worker gives a sign of life."""
    ledger.begin(JOB, PIECE, 1, "worker")
    before = look()
    assert ledger.requeue(JOB, PIECE, before[JOB].entries[PIECE])
    assert not health.advanced(before, look())
