"""The worker's end of the queue: kombu's Redis transport, which gets no message that `gridmill.message` has not made.

Celery's main process dies of much that can stand in a queue, or puts it back, so that the next one dies of it too.
Nothing is lost by throwing it away: what matters is in the ledger.
"""

import contextlib
from collections.abc import Callable
from typing import Any

import redis as library
from kombu.connection import Connection
from kombu.transport import redis

from gridmill import logs
from gridmill.errors import WireError
from gridmill.message import cleaned
from gridmill.refusals import Refusals

_refusals = Refusals(logs.get("inbox"))


class Channel(redis.Channel):
    """kombu's channel; a message that is refused is for it a look at an empty queue."""

    def basic_consume(self, queue: str, no_ack: bool, callback: Callable[[Any], Any], *rest: Any, **more: Any) -> Any:
        """As its parent. What no child has begun when this channel closes goes back to ``queue``, whatever it says."""

        def addressed(message: Any) -> Any:
            message.delivery_info = {"exchange": "", "routing_key": queue}
            return callback(message)

        return super().basic_consume(queue, no_ack, addressed, *rest, **more)  # type: ignore[no-untyped-call]

    def _restore(self, message: Any, leftmost: bool = False) -> None:
        """Put a message back; not while the server is away. kombu would write it to a file, which nobody ever reads."""
        with contextlib.suppress(*self.connection_errors):
            super()._restore(message, leftmost)  # type: ignore[no-untyped-call]

    def _create_client(self, asynchronous: bool = False) -> "library.Redis":
        client: library.Redis = super()._create_client(asynchronous)  # type: ignore[no-untyped-call]
        client.set_response_callback("BRPOP", _taken)
        return client


class Transport(redis.Transport):
    """kombu's transport with that channel."""

    Channel = Channel


class SentinelChannel(Channel, redis.SentinelChannel):
    """The same for a primary that sentinels know."""


class SentinelTransport(redis.SentinelTransport):
    """kombu's transport with that channel."""

    Channel = SentinelChannel


_GUARDED = {redis.Transport: Transport, redis.SentinelTransport: SentinelTransport}


def guarded(connection: Connection) -> Connection:
    """The same connection, not yet opened, with its messages checked."""
    usual, name = connection.get_transport_cls(), connection.transport_cls  # type: ignore[no-untyped-call]
    connection.transport_cls = _GUARDED.get(usual, usual)  # by name it cannot be given for a socket's URL
    connection.resolve_aliases = {connection.transport_cls: name}  # what logs say for it: the scheme of the address
    return connection


def _taken(reply: list[bytes] | None, **_: Any) -> tuple[bytes, bytes] | None:
    """What BRPOP has taken: the queue and the message; None: nothing, or what is refused."""
    if not reply:
        return None
    queue, message = reply
    try:
        return queue, cleaned(message)
    except WireError as error:
        _refusals.note("message refused", reason=str(error))
        return None
