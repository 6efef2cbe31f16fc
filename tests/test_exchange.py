"""Commands that are sent together: each reply belongs to its command, whatever goes wrong with another."""

import itertools
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import pytest
import redis

from gridmill import broker
from gridmill.connection import Connection, exchange
from gridmill.embedded import Server
from gridmill.errors import BrokerError, BrokerFull
from gridmill.settings import Settings
from gridmill.testing import FakeBroker


@pytest.fixture
def real(server: Server) -> Iterator["redis.Redis"]:
    with broker.redis_client(Settings.load(broker=server.url)) as client:
        yield client


@pytest.fixture(params=["real", "fake"])
def client(request: pytest.FixtureRequest) -> Iterator["redis.Redis"]:
    if request.param == "real":
        yield request.getfixturevalue("real")
    else:
        with FakeBroker().client() as client:
            yield client


def test_replies_come_in_the_order_of_their_commands(client: "redis.Redis") -> None:
    assert exchange(client, ("SET", "a", b"1"), ("GET", "a"), ("GET", "b"), ("INCR", "a")) == [b"OK", b"1", None, 2]


MOMENTS = 200  # calls of Python's functions by which a connection is made and asked: some 150


@contextmanager
def interrupted(at: int) -> Iterator[None]:
    """Ctrl-C comes when the ``at``-th function is called inside, as far as they are Python's."""
    calls = itertools.count(1)

    def look(_: object, event: str, __: object) -> None:
        if event == "call" and next(calls) == at:
            sys.setprofile(None)
            raise KeyboardInterrupt

    sys.setprofile(look)
    try:
        yield
    finally:
        sys.setprofile(None)


def test_an_error_is_one_of_the_replies_and_the_next_ones_are_theirs(client: "redis.Redis") -> None:
    set_, wrong, got = exchange(client, ("SET", "a", b"1"), ("LPUSH", "a", b"2"), ("GET", "a"))

    assert (set_, got) == (b"OK", b"1")
    assert isinstance(wrong, redis.ResponseError)
    assert exchange(client, ("GET", "a")) == [b"1"]


@pytest.mark.parametrize("name", ["transact", "gather"])
def test_the_first_error_is_raised_when_all_is_read(client: "redis.Redis", name: str) -> None:
    ask = getattr(Connection(client), name)

    with pytest.raises(BrokerError, match=r"WRONGTYPE|wrong kind"):
        ask(("SET", "a", b"1"), ("LPUSH", "a", b"2"), ("INCR", "b"))

    assert ask(("GET", "a"), ("GET", "b")) == [b"1", b"1"]


def test_why_a_transaction_was_refused_is_what_a_command_of_it_was_refused_for(real: "redis.Redis") -> None:
    real.config_set("maxmemory", "1")
    try:
        with pytest.raises(BrokerFull):
            Connection(real).transact(("GET", "a"), ("SET", "a", b"1"))
    finally:
        real.config_set("maxmemory", "0")
    assert Connection(real).transact(("GET", "a")) == [None]


def test_all_is_asked_again_when_the_connection_broke(server: Server, real: "redis.Redis") -> None:
    assert exchange(real, ("SET", "a", b"1")) == [b"OK"]
    server.restart()

    assert exchange(real, ("GET", "a"), ("SET", "a", b"2"), ("GET", "a")) == [None, b"OK", b"2"]


def test_who_is_interrupted_leaves_no_reply_to_the_next_one(
    real: "redis.Redis", monkeypatch: pytest.MonkeyPatch
) -> None:
    connection: Any = real.connection_pool.get_connection()
    real.connection_pool.release(connection)

    def interrupted() -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(connection, "read_response", interrupted)
        with pytest.raises(KeyboardInterrupt):
            exchange(real, ("ECHO", "first"))

    assert exchange(real, ("ECHO", "second")) == [b"second"]


@pytest.mark.parametrize("name", ["transact", "gather"])
def test_an_error_names_the_command_that_was_refused_and_its_key(client: "redis.Redis", name: str) -> None:
    with pytest.raises(BrokerError, match=r"the server refused LPUSH a: "):
        getattr(Connection(client), name)(("SET", "a", b"1"), ("LPUSH", "a", b"2"), ("INCR", "b"))


def test_an_error_names_the_step_that_was_refused_and_its_keys(client: "redis.Redis") -> None:
    exchange(client, ("HSET", "job", "state", "open"), ("SET", "led", b"1"))

    with pytest.raises(BrokerError, match=r"the server refused BEAT of job, led: "):
        Connection(client).run("beat", ["job", "led"], ["0:0:1", "w"])


@pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning")  # one that nobody had got yet when the interrupt came
def test_who_is_interrupted_while_it_connects_leaves_no_connection_that_is_half_made(server: Server) -> None:
    """It would be in another database, or of no use at all."""
    with broker.redis_client(Settings.load(broker=f"redis+socket://{server.socket}?virtual_host=3")) as client:
        connection = Connection(client)
        connection.gather(("SET", "a", b"3"))
        client.connection_pool.disconnect()
        for at in range(1, MOMENTS):
            with suppress(KeyboardInterrupt), interrupted(at):
                connection.gather(("GET", "a"))

            assert connection.gather(("GET", "a")) == [b"3"], f"interrupted at call {at}"
            client.connection_pool.disconnect()
