"""Reading what a server sends: long values by a shorter way, and the same ones as by redis-py's own."""

import socket
import threading
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any, NamedTuple

import pytest
import redis

from gridmill import broker
from gridmill.bulk import LONG, BulkParser
from gridmill.embedded import Server
from gridmill.settings import Settings

SIZES = [0, 1, LONG - 1, LONG, LONG + 1, 3 * LONG + 7]


class Ends(NamedTuple):
    """Of a connection."""

    ours: socket.socket
    its: socket.socket

    def parser(self) -> Any:
        """What reads ours."""
        kind: Any = BulkParser  # redis-py's types are missing
        connection: Any = redis.Connection
        parser, encoder = kind(socket_read_size=1 << 16), connection().encoder
        parser.on_connect(SimpleNamespace(_sock=self.ours, socket_timeout=self.ours.gettimeout(), encoder=encoder))
        return parser


@pytest.fixture
def ends() -> Iterator[Ends]:
    ours, its = socket.socketpair()
    ours.settimeout(30)
    with ours, its:
        yield Ends(ours, its)


def line(value: bytes) -> bytes:
    return b"$%d\r\n%s\r\n" % (len(value), value)


def content(size: int) -> bytes:
    return bytes(range(256)) * (size // 256) + b"\r\n" * (size % 256 // 2) + b"x" * (size % 2)


def test_values_of_every_length_come_as_they_are_one_behind_the_other(ends: Ends) -> None:
    values = [content(size) for size in SIZES]
    sent = b"*%d\r\n" % len(values) + b"".join(map(line, values)) + b":7\r\n"
    sending = threading.Thread(target=ends.its.sendall, args=(sent,))
    sending.start()
    parser = ends.parser()

    assert parser.read_response() == values
    assert parser.read_response() == 7
    sending.join(30)
    assert not sending.is_alive()


def test_a_server_that_goes_in_the_midst_of_a_value_is_a_lost_connection(ends: Ends) -> None:
    ends.its.sendall(line(content(LONG))[:1000])
    ends.its.close()

    with pytest.raises(redis.ConnectionError, match="closed by server"):
        ends.parser().read_response()


def test_a_server_that_stops_in_the_midst_of_a_value_is_waited_for_as_long_as_is_said(ends: Ends) -> None:
    ends.ours.settimeout(0.05)
    ends.its.sendall(line(content(LONG))[:1000])

    with pytest.raises(redis.TimeoutError):
        ends.parser().read_response()


@pytest.mark.parametrize("size", SIZES)
def test_what_a_genuine_server_keeps_comes_back(server: Server, size: int) -> None:
    client: Any
    with broker.redis_client(Settings.load(broker=server.url)) as client:
        client.set("value", content(size))

        found = client.get("value")
        pipeline = client.pipeline(transaction=True)
        pipeline.getrange("value", 0, -1)
        pipeline.strlen("value")

        assert (type(found), found) == (bytes, content(size))
        assert pipeline.execute() == [content(size), size]
