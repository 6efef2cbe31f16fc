"""The broker inside the process: quick, and the genuine transport."""

import subprocess
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest

from gridmill import broker
from gridmill.piece import Piece
from gridmill.testing import FakeBroker, fake_worker

TASKS = 50


def counting(app: Any) -> list[int]:
    """Give ``app`` a piece task that notes the sequence numbers it is called with."""
    taken: list[int] = []

    def piece(_job: str, _piece: str, seq: int) -> None:
        taken.append(seq)

    app.task(piece, name=broker.PIECE_TASK, shared=False)
    return taken


@pytest.mark.parametrize("pool", ["solo", "threads"])
def test_fifty_tasks_go_through_quickly(pool: str, fake: FakeBroker, wait_until: Callable[..., None]) -> None:
    app = fake.app()
    taken = counting(app)
    with fake_worker(app, pool=pool):
        for seq in range(1, TASKS + 1):
            fake.ledger().send("j1", Piece(0, 0, 1), seq)
        wait_until(lambda: len(taken) == TASKS, "all tasks", seconds=5.0)
    assert sorted(taken) == list(range(1, TASKS + 1))


def test_a_worker_stops_within_two_seconds(fake: FakeBroker) -> None:
    app = fake.app()
    with fake_worker(app):
        began = time.monotonic()
    assert time.monotonic() - began < 2.0


def test_a_stopped_worker_leaves_no_thread(fake: FakeBroker) -> None:
    before = set(threading.enumerate())
    with fake_worker(fake.app(), pool="threads"):
        pass
    assert {thread for thread in threading.enumerate() if thread.is_alive()} <= before


def test_a_worker_can_follow_another(fake: FakeBroker, wait_until: Callable[..., None]) -> None:
    app = fake.app()
    taken = counting(app)
    for seq in (1, 2):
        with fake_worker(app):
            fake.ledger().send("j1", Piece(0, 0, 1), seq)
            wait_until(lambda seq=seq: seq in taken, "the task")
    assert taken == [1, 2]


def test_a_worker_works_in_parallel_on_threads(fake: FakeBroker) -> None:
    app = fake.app()
    both = threading.Barrier(2, timeout=10)
    met = threading.Semaphore(0)

    def piece(_job: str, _piece: str, _seq: int) -> None:
        both.wait()
        met.release()

    app.task(piece, name=broker.PIECE_TASK, shared=False)
    with fake_worker(app, pool="threads", concurrency=2):
        fake.ledger().send("j1", Piece(0, 0, 1), 1)
        fake.ledger().send("j1", Piece(0, 0, 1), 2)
        assert met.acquire(timeout=10)
        assert met.acquire(timeout=10)


def test_a_result_comes_back(fake: FakeBroker) -> None:
    app = fake.app()

    def board(puzzle: str) -> dict[str, str]:
        return {"puzzle": puzzle}

    app.task(board, name=broker.BOARD_TASK, ignore_result=False, shared=False)
    with fake_worker(app):
        result = app.send_task(broker.BOARD_TASK, args=("p",))
        assert result.get(timeout=10, disable_sync_subtasks=False) == {"puzzle": "p"}


def test_client_and_app_see_the_same_server(fake: FakeBroker) -> None:
    fake.ledger().send("j1", Piece(0, 0, 1), 1)
    with fake.client() as client:
        assert client.llen(broker.queue_key(fake.settings)) == 1


def test_two_brokers_share_nothing() -> None:
    one, other = FakeBroker(), FakeBroker()
    one.ledger().send("j1", Piece(0, 0, 1), 1)
    with other.client() as client:
        assert client.dbsize() == 0


def test_settings_can_be_given() -> None:
    assert FakeBroker(lease=30.0).settings.lease == 30.0


def test_scripts_run(fake: FakeBroker) -> None:
    with fake.client() as client:
        script = client.register_script("return redis.call('INCRBY', KEYS[1], ARGV[1])")
        assert script(keys=["k"], args=[5]) == 5


def test_without_fakeredis_somebody_is_told_what_to_install() -> None:
    code = "import sys; sys.modules['fakeredis'] = None; from gridmill.testing import FakeBroker"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)
    assert "pip install 'gridmill[test]'" in done.stderr
