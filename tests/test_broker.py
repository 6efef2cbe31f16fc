"""The broker: what lies in the server under which key, what is sent and accepted, and what goes wrong in words."""

import base64
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import pytest
import redis

from gridmill import broker
from gridmill.embedded import Server
from gridmill.errors import BrokerError, BrokerFull, BrokerLost
from gridmill.ledger import Ledger
from gridmill.message import cleaned
from gridmill.piece import Piece
from gridmill.settings import Settings
from gridmill.testing import FakeBroker, fake_worker

PIECE = Piece(3, 0, 100)
NOWHERE = "unix:///nowhere/socket"


@pytest.fixture
def real(server: Server) -> Settings:
    return Settings.load(broker=server.url)


@pytest.fixture
def real_client(real: Settings) -> Any:
    with broker.redis_client(real) as client:
        yield client


@pytest.fixture
def ledger(real: Settings, real_client: Any) -> Ledger:
    return Ledger.of(real_client, real)


def messages(client: "redis.Redis", settings: Settings) -> list[dict[str, Any]]:
    return [json.loads(text) for text in client.lrange(broker.queue_key(settings), 0, -1)]


def test_a_piece_is_sent_to_our_queue(real: Settings, real_client: "redis.Redis", ledger: Ledger) -> None:
    ledger.send("j1", PIECE, 7)
    (message,) = messages(real_client, real)
    args, kwargs, _ = json.loads(base64.b64decode(message["body"]))
    assert message["headers"]["task"] == "gridmill.piece"
    assert (args, kwargs) == (["j1", "3:0:100", 7], {})


def test_sending_writes_the_message_alone(real: Settings, real_client: "redis.Redis", ledger: Ledger) -> None:
    ledger.send("j1", PIECE, 7)
    assert list(real_client.scan_iter()) == [broker.queue_key(real).encode()]


def test_our_messages_differ_from_what_celery_sends_in_nothing_that_a_worker_heeds(
    real: Settings, real_client: "redis.Redis", ledger: Ledger
) -> None:
    app = broker.make_app(real)
    app.send_task(broker.PIECE_TASK, args=("j1", str(PIECE), 7), ignore_result=True)
    ledger.send("j1", PIECE, 7)
    ours, theirs = [json.loads(cleaned(json.dumps(message).encode())) for message in messages(real_client, real)]
    for message in (ours, theirs):
        tag, name = message["properties"].pop("delivery_tag"), message["headers"]["id"]
        assert int(tag)
        assert (message["headers"].pop("root_id"), message["properties"].pop("correlation_id")) == (name, name)
        del message["headers"]["id"]
    assert ours == theirs


def test_a_message_is_plain_json(real: Settings, real_client: "redis.Redis", ledger: Ledger) -> None:
    ledger.send("j1", PIECE, 7)
    (message,) = messages(real_client, real)
    assert message["content-type"] == "application/json"
    assert "compression" not in message["headers"]


def test_everything_in_the_server_lies_under_the_prefix(server: Server, real_client: "redis.Redis") -> None:
    settings = Settings.load(broker=server.url, prefix="mine", queue="bulk")
    app = broker.make_app(settings)
    ledger = Ledger.of(real_client, settings)
    done = serve(app)
    with fake_worker(app):
        ledger.send("j1", PIECE, 1)
        result = app.send_task(broker.BOARD_TASK, args=("p",))
        assert result.get(timeout=10, disable_sync_subtasks=False) == {"puzzle": "p"}
    ledger.send("j1", PIECE, 2)  # with nobody to take it
    keys: set[Any] = {key.rsplit(b"-task-meta-")[0] for key in real_client.scan_iter()}
    assert done == [1]
    assert {b"mine:mq:bulk", b"mine:mq:celery"} <= keys
    assert all(key.startswith(b"mine:") for key in keys)


def test_the_result_of_a_single_board_does_not_stay_for_ever(real: Settings, real_client: "redis.Redis") -> None:
    app = broker.make_app(real)
    serve(app)
    with fake_worker(app):
        result = app.send_task(broker.BOARD_TASK, args=("p",))
        result.get(timeout=10, disable_sync_subtasks=False)
    (key,) = real_client.keys("*celery-task-meta-*")
    assert 0 < real_client.ttl(key) <= broker.RESULT_SECONDS


def test_the_queue_key_is_where_messages_wait(fake: FakeBroker) -> None:
    fake.ledger().send("j1", PIECE, 1)
    fake.app().send_task(broker.BOARD_TASK, args=("p",))
    with fake.client() as client:
        assert client.llen(broker.queue_key(fake.settings)) == 2


def test_a_message_that_is_not_json_is_not_run(fake: FakeBroker, wait_until: Callable[..., None]) -> None:
    app = fake.app()
    done = serve(app)
    app.send_task(broker.PIECE_TASK, args=("j1", str(PIECE), 1), serializer="pickle")
    with fake_worker(app):
        fake.ledger().send("j1", PIECE, 2)
        wait_until(lambda: 2 in done, "the message behind the one that is not JSON")
    assert done == [2]


def test_the_variables_of_celery_do_not_divert_messages(real: Settings, real_client: "redis.Redis") -> None:
    names = ("CELERY_BROKER_URL", "CELERY_BROKER_WRITE_URL", "CELERY_BROKER_READ_URL", "CELERY_RESULT_BACKEND")
    with pytest.MonkeyPatch.context() as patch:
        for name in names:
            patch.setenv(name, "redis://elsewhere:1/0")
        app = broker.make_app(real)
        app.send_task(broker.BOARD_TASK, args=("p",))
        assert app.connection_for_read().as_uri().startswith("redis+socket:///")
        assert app.backend.connparams["path"] in str(real.broker)
    assert len(messages(real_client, real)) == 1


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("redis://queue.example:6379/0", "redis://:**@queue.example:6379/0"),
        ("redis://me:secret@queue.example/3", "redis://me:**@queue.example:6379/3"),
        ("rediss://queue.example:6380/0", "rediss://:**@queue.example:6380/0"),
    ],
)
def test_what_a_worker_is_connected_to_is_shown_as_an_address(url: str, shown: str) -> None:
    connection = broker.make_app(Settings.load(broker=url)).connection_for_read()
    assert connection.as_uri() == shown


def test_a_django_in_the_environment_is_left_alone(real: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DJANGO_SETTINGS_MODULE", "nothing.of.ours")
    assert broker.make_app(real).conf.task_default_queue == "gridmill"


def test_a_worker_goes_on_after_its_server_was_killed(
    server: Server, real: Settings, ledger: Ledger, wait_until: Callable[..., None]
) -> None:
    app = broker.make_app(real)
    done = serve(app)
    with fake_worker(app):
        ledger.send("j1", PIECE, 1)
        wait_until(lambda: 1 in done, "the message before")
        os.kill(server.pid, signal.SIGKILL)
        wait_until(lambda: not server.alive(), "the server's death")
        server.restart()
        ledger.send("j1", PIECE, 2)
        wait_until(lambda: 2 in done, "the message after", seconds=60)


def test_sending_goes_on_after_a_restart_of_the_server(
    server: Server, real: Settings, real_client: "redis.Redis", ledger: Ledger
) -> None:
    ledger.send("j1", PIECE, 1)
    server.restart()
    ledger.send("j1", PIECE, 2)
    assert len(messages(real_client, real)) == 1


def test_a_client_goes_on_after_a_restart_of_the_server(server: Server, real_client: "redis.Redis") -> None:
    real_client.set("k", b"v")
    server.restart()
    assert real_client.get("k") is None


def test_sending_to_nobody_fails_soon() -> None:
    began = time.monotonic()
    with pytest.raises(BrokerLost, match="the connection to the server broke"):
        Ledger.connect(Settings.load(broker=NOWHERE)).send("j1", PIECE, 1)
    assert time.monotonic() - began < 10


def test_sending_to_a_full_server_says_so(real_client: "redis.Redis", ledger: Ledger) -> None:
    real_client.config_set("maxmemory", "1")
    try:
        with pytest.raises(BrokerFull):
            ledger.send("j1", PIECE, 1)
    finally:
        real_client.config_set("maxmemory", "0")


def test_a_good_server_passes(real: Settings, real_client: "redis.Redis") -> None:
    broker.check(real_client, real)
    assert real_client.ping()


def test_a_server_that_is_not_there_is_named_with_the_remedy() -> None:
    settings = Settings.load(broker=NOWHERE)
    with broker.redis_client(settings) as client, pytest.raises(BrokerLost, match=r"/nowhere/socket.*--broker"):
        broker.check(client, settings)


def test_a_wrong_password_is_refused_without_showing_it(server: Server, real_client: "redis.Redis") -> None:
    settings = Settings.load(broker=f"unix://:wrong-secret@{server.socket}")
    real_client.config_set("requirepass", "right-secret")
    try:
        with (
            broker.redis_client(settings) as client,
            pytest.raises(BrokerError, match="wants another password") as caught,
        ):
            broker.check(client, settings)
    finally:
        real_client.config_set("requirepass", "")
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize("login", [":p%23w@", "default:p%23w@"])
def test_the_password_in_the_address_is_used(server: Server, real_client: "redis.Redis", login: str) -> None:
    settings = Settings.load(broker=f"unix://{login}{server.socket}")
    real_client.config_set("requirepass", "p#w")
    try:
        with broker.redis_client(settings) as client:
            broker.check(client, settings)
            Ledger.of(client, settings).send("j1", PIECE, 1)
            assert client.llen(broker.queue_key(settings)) == 1
    finally:
        real_client.config_set("requirepass", "")


class Answering:
    """Stands for a server that says this of itself."""

    def __init__(self, **info: str) -> None:
        self._info = info

    def info(self, _section: str) -> dict[str, str]:
        return self._info


@pytest.mark.parametrize(
    ("info", "fault"),
    [
        ({"redis_version": "6.0.16", "redis_mode": "standalone"}, "is Redis 6.0.16; Gridmill needs Redis 6.2"),
        ({"redis_version": "7.2.4", "redis_mode": "cluster"}, "is a cluster"),
        ({"redis_version": "7.2.4", "server_name": "valkey", "server_mode": "cluster"}, "is a cluster"),
    ],
)
def test_a_server_of_the_wrong_kind_is_refused(real: Settings, info: dict[str, str], fault: str) -> None:
    with pytest.raises(BrokerError, match=fault):
        broker.check(Answering(**info), real)  # type: ignore[arg-type]


@pytest.mark.parametrize("version", ["6.2.0", "7.2.4", "8.0.1", "255.255.255"])
def test_a_server_that_is_new_enough_passes(real: Settings, version: str) -> None:
    broker.check(Answering(redis_version=version, redis_mode="standalone"), real)  # type: ignore[arg-type]


@pytest.mark.parametrize("make", [broker.make_app, broker.redis_client])
def test_without_an_address_somebody_is_told_how_to_give_one(make: Callable[[Settings], object]) -> None:
    with pytest.raises(BrokerError, match="--broker or GRIDMILL_BROKER"):
        make(Settings.load())


@pytest.mark.parametrize("make", [broker.make_app, broker.redis_client])
def test_a_broker_without_a_ledger_is_refused(make: Callable[[Settings], object]) -> None:
    with pytest.raises(BrokerError, match="in Redis or Valkey"):
        make(Settings.load(broker="memory://"))


def test_replies_are_bytes(client: "redis.Redis") -> None:
    client.set("k", "v")
    assert client.get("k") == b"v"


def test_importing_the_broker_loads_neither_celery_nor_redis() -> None:
    code = "import sys, gridmill.broker; print(sorted({'asyncio', 'celery', 'kombu', 'redis'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout == "[]\n"


def serve(app: Any) -> list[int]:
    """Give ``app`` both tasks; the list grows by the sequence number of each piece that is taken."""
    done: list[int] = []

    def piece(_job: str, _piece: str, seq: int) -> None:
        done.append(seq)

    def board(puzzle: str) -> dict[str, str]:
        return {"puzzle": puzzle}

    app.task(piece, name=broker.PIECE_TASK, shared=False)
    app.task(board, name=broker.BOARD_TASK, ignore_result=False, shared=False)
    return done
