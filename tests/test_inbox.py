"""What is no message at all, or an evil one, costs a worker nothing: it is discarded, and the next one is answered."""

import base64
import json
import os
import signal
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import redis
from celery import Celery
from celery.result import allow_join_result

from gridmill import broker
from gridmill.embedded import Server
from gridmill.settings import Settings
from gridmill.testing import FakeBroker
from worker import health
from worker.supervisor import Supervisor

LIMIT = 30.0  # seconds for an answer: it takes 0.01
TIMES = 3  # that each is sent: more than the worker has children


def body(*, args: object = ("abcdefghjk", "0:0:1", 1), kwargs: object = (), embed: object = ()) -> str:
    return base64.b64encode(json.dumps([args, dict(kwargs), dict(embed)]).encode()).decode()  # type: ignore[call-overload]


HEADERS: dict[str, Any] = {"lang": "py", "task": broker.PIECE_TASK, "id": "x", "retries": 0}
PROPERTIES: dict[str, Any] = {"body_encoding": "base64", "delivery_tag": "x", "delivery_info": {}}


def message(**fields: object) -> bytes:
    """A message as Celery makes it, but for what is given; headers and properties are added to where they can be."""
    sound = {"body": body(), "content-type": "application/json", "content-encoding": "utf-8"}
    for name, usual in ("headers", HEADERS), ("properties", PROPERTIES):
        given = fields.get(name, {})
        fields[name] = usual | given if isinstance(given, dict) else given
    return json.dumps(sound | fields).encode()


MESSAGES = {
    "no JSON": b"garbage\xff\x00",
    "nothing": b"",
    "a list": b"[]",
    "a number": b"5",
    "a number without end": b"1" * 10_000,
    "an object": b"{}",
    "JSON that is too deep": b"[" * 100_000,
    "a type that kombu knows, with a wrong value": b'{"__type__": "uuid", "__value__": {"hex": [1]}}',
    "no properties": b'{"body": "x"}',
    "properties that are a list": message(properties=[]),
    "headers that are a number": message(headers=5),
    "no headers": message(headers=None),
    "a body that is no base64": message(body="!!!"),
    "a body that is a list": message(body=[1]),
    "an unknown encoding": message(properties={"body_encoding": "rot13"}),
    "a tag that is a list": message(properties={"delivery_tag": [1]}),
    "a priority that is text": message(properties={"priority": "a"}),
    "a task that is a list": message(headers={"task": [1]}),
    "an unknown task": message(headers={"task": "nope"}),
    "an id that is a list": message(headers={"id": [1]}),
    "no id": message(headers={"id": None}),
    "a far future": message(headers={"eta": "2999-01-01T00:00:00"}),
    "no time": message(headers={"eta": 5, "expires": [5]}),
    "time limits that are text": message(headers={"timelimit": ["a", "b"]}),
    "time limits that are a number": message(headers={"timelimit": 5}),
    "stamps that are a number": message(headers={"stamped_headers": 5, "stamps": 5}),
    "compressed": message(headers={"compression": "application/x-gzip"}),
    "headers that are too deep": message(headers={"group": json.loads("[" * 900 + "]" * 900)}),
    "pickle": message(**{"content-type": "application/x-python-serialize", "content-encoding": "binary"}),
    "a body of garbage": message(body=base64.b64encode(b"\xff\xfe").decode()),
    "a body that is an object": message(body=base64.b64encode(b'{"a": 1}').decode()),
    "a body that is too deep": message(body=base64.b64encode(b"[" * 100_000).decode()),
    "too many arguments": message(body=body(args=[1, 2, 3, 4])),
    "arguments that are a number": message(body=body(args=5)),
    "named arguments": message(body=body(kwargs={"nope": 1})),
    "other tasks behind it": message(body=body(embed={"callbacks": [5], "errbacks": [5], "chain": [5], "chord": 5})),
}


class Lab(NamedTuple):
    """A worker with two children, its queue, and the lines that it logs."""

    supervisor: Supervisor
    app: Celery
    client: "redis.Redis"
    queue: str
    told: list[str]

    def answer(self) -> object:
        with allow_join_result():  # an earlier test's worker in this process may have forbidden to wait for results
            return (health.ask(self.app, LIMIT) or {}).get("status")


@pytest.fixture(scope="module")
def lab(session_server: Server, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    with Server(tmp_path_factory.mktemp("inbox")) as server:
        settings = Settings.load(broker=server.url, workers=2)
        told: list[str] = []
        supervisor = Supervisor(settings.variables(), LIMIT, lambda: 0, told.append)
        supervisor.start()
        with broker.redis_client(settings) as client:
            made = Lab(supervisor, broker.make_app(settings), client, broker.queue_key(settings), told)
            assert made.answer() == "unique"
            yield made
        supervisor.stop()


@pytest.mark.parametrize("name", MESSAGES)
def test_a_worker_goes_on_after(lab: Lab, name: str) -> None:
    lab.client.lpush(lab.queue, *[MESSAGES[name]] * TIMES)

    # A child has two messages at most, so one that takes its child or its slot would be missed here.
    answers = [lab.answer() for _ in range(TIMES)]

    assert answers == ["unique"] * TIMES
    lab.supervisor.watch()
    assert lab.supervisor.restarts == 0
    assert lab.client.llen(lab.queue) == 0


def test_what_no_child_has_begun_goes_back_to_its_queue_when_the_worker_stops(fake: FakeBroker) -> None:
    app, queue = fake.app(), broker.queue_key(fake.settings)
    app.send_task(broker.BOARD_TASK, args=(health.BOARD,))
    taken: list[object] = []
    with app.connection_for_read() as connection:
        connection.default_channel.basic_consume(fake.settings.queue, False, taken.append, "consumer")
        connection.drain_events(timeout=LIMIT)
        assert len(taken) == 1
        assert not fake.client().exists(queue)

    assert fake.client().llen(queue) == 1


def test_a_worker_that_stops_while_its_server_is_away_leaves_no_file(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = Settings.load(broker=server.url)
    app = broker.make_app(settings)
    app.send_task(broker.BOARD_TASK, args=(health.BOARD,))
    connection = app.connection_for_read()
    taken: list[object] = []
    connection.default_channel.basic_consume(settings.queue, False, taken.append, "consumer")
    connection.drain_events(timeout=LIMIT)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    os.kill(server.pid, signal.SIGKILL)

    connection.default_channel.qos.restore_unacked_once()

    assert len(taken) == 1
    assert list(tmp_path.iterdir()) == []


def test_a_flood_of_what_is_refused_is_said_in_few_short_lines(lab: Lab) -> None:
    lab.client.lpush(lab.queue, *[b"[" + b"x" * 10_000] * 1000)

    assert lab.answer() == "unique"

    said = [line for line in lab.told if "message refused" in line]
    assert 1 <= len(said) < 50  # one in ten seconds
    assert max(map(len, said)) < 500
