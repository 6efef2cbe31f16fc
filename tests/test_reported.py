"""What goes wrong in other pipelines on Celery and Redis, as their users have reported it, and cannot here."""

import ast
import csv
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from gridmill import broker, mill
from gridmill.ask import Ask
from gridmill.embedded import Server
from gridmill.piece import Piece
from gridmill.settings import Settings
from gridmill.testing import fake_worker
from worker.tasks import register

ROOT = Path(__file__).parent.parent
UNIQUE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SWAPPED = UNIQUE.translate(str.maketrans("12", "21"))  # the same puzzle under other names
HARD = ".....5.8....6.1.43..........1.5........1.6...3.......553.....61........4........."  # none, a long search says


class Lab:
    """A server, and an app whose worker a test starts in a thread."""

    def __init__(self, server: Server, folder: Path) -> None:
        self.settings = Settings.load(broker=server.url)
        self.client: Any = broker.redis_client(self.settings)
        self.app, self.folder = broker.make_app(self.settings), folder
        register(self.app, self.settings)

    def submit(self, lines: list[str], **asked: Any) -> str:
        (self.folder / "in.txt").write_text("\n".join(lines))
        every: dict[str, Any] = {"solver": "bitmask", "chunk": 2} | asked
        ask = Ask((str(self.folder / "in.txt"),), **every)
        jobs: list[str] = []
        mill.submit(ask, self.settings, None, jobs.append, lambda feed, records: None)
        return jobs[0]

    def collect(self, job: str) -> list[dict[str, str]]:
        out = self.folder / "out.csv"
        mill.collect(job, out, "csv", self.settings, lambda progress, records: None)
        with out.open(newline="") as file:
            return list(csv.DictReader(file))


@pytest.fixture
def lab(server: Server, tmp_path: Path) -> Iterator[Lab]:
    made = Lab(server, tmp_path)
    yield made
    made.client.close()


def test_no_message_comes_back_by_itself(lab: Lab) -> None:
    """A transport that counts the time until a message is confirmed delivers long work again and again."""
    conf = lab.app.conf
    assert conf.broker_transport_options["ack_emulation"] is False
    assert (conf.task_acks_late, conf.task_reject_on_worker_lost) == (False, False)


def test_messages_that_are_delivered_five_times_give_each_record_one_answer(lab: Lab) -> None:
    job = lab.submit([UNIQUE] * 10)
    for message in lab.client.lrange(broker.queue_key(lab.settings), 0, -1):
        lab.client.lpush(broker.queue_key(lab.settings), *[message] * 4)

    with fake_worker(lab.app, pool="threads", concurrency=2):
        rows = lab.collect(job)

    assert [(row["record"], row["status"]) for row in rows] == [(str(number), "unique") for number in range(1, 11)]


def test_what_is_there_twice_is_answered_twice(lab: Lab) -> None:
    """And what is the same under other names is another record."""
    job = lab.submit([UNIQUE, UNIQUE, SWAPPED])

    with fake_worker(lab.app):
        rows = lab.collect(job)

    assert [row["puzzle"] for row in rows] == [UNIQUE, UNIQUE, SWAPPED]
    assert rows[0]["solution"] == rows[1]["solution"] == rows[2]["solution"].translate(str.maketrans("12", "21"))


def test_the_limit_of_a_search_holds_in_a_pool_of_threads(lab: Lab) -> None:
    """Celery's own limits on time do nothing there, nor inside of C."""
    job = lab.submit([HARD, UNIQUE], budget=30)

    with fake_worker(lab.app, pool="threads", concurrency=2):
        rows = lab.collect(job)

    assert [row["status"] for row in rows] == ["undecided", "unique"]


def test_nothing_of_a_job_expires_before_it_is_collected(lab: Lab, wait_until: Callable[..., None]) -> None:
    """Results that a backend keeps for a day are gone for whoever comes on Monday."""
    job = lab.submit([UNIQUE])
    with fake_worker(lab.app):
        wait_until(lambda: lab.client.keys("*:a:*"), "the answer")
    keys = [key for key in lab.client.keys("*") if job.encode() in key]
    assert len(keys) == 6
    assert {lab.client.ttl(key) for key in keys} == {-1}
    assert lab.collect(job)[0]["status"] == "unique"


def test_no_task_sends_another_or_waits_for_one() -> None:
    """Workers that wait for each other wait for ever; and no chord waits for a task that has failed."""
    calls = {"send_task", "apply_async", "delay", "AsyncResult", "retry", "canvas", "signature"}
    names = {
        node.attr if isinstance(node, ast.Attribute) else node.id
        for path in (ROOT / "worker").glob("*.py")
        if path.name != "health.py"  # a client
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Attribute | ast.Name)
    }
    assert not calls & names


def test_what_is_known_of_a_job_does_not_come_from_events(lab: Lab) -> None:
    """Who watches events sees what was sent while it watched: here, the ledger is asked."""
    assert lab.app.conf.worker_send_task_events is False
    job = lab.submit([UNIQUE] * 3)

    snapshot = mill.open_ledger(lab.settings).scan(job)

    assert snapshot is not None
    assert snapshot.job.place.record == 3
    assert set(snapshot.entries) == {Piece(0, 0, 2), Piece(1, 0, 1)}


@pytest.mark.parametrize("library", ["celery", "kombu"])
def test_libraries_are_those_that_go_on_consuming_after_a_restart_of_the_server(library: str) -> None:
    """Celery and kombu before 5.4 connect again and then take nothing; what ours do is in the tests of the broker."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    (wanted,) = [line for line in project["dependencies"] if line.startswith(f"{library}>")]
    least = wanted.partition(">=")[2].partition(",")[0]
    assert tuple(map(int, least.split("."))) >= (5, 4)
