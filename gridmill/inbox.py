"""The worker's end of the queue: a message that cannot be read is discarded, and said.

Whoever can write to the queue can put anything there. kombu and Celery die of much of it, and some of it they put back
first, so that the next worker dies of it too. Nothing is lost by throwing it away: what matters is in the ledger.
"""

from collections.abc import Callable
from queue import Empty
from typing import Any

from kombu.connection import Connection
from kombu.transport import redis, virtual

from gridmill import logs
from gridmill.errors import WireError

SHOWN = 200  # characters of what is wrong, in the log
# What else a message of Celery's (protocol 2) says of itself that is of use here: a number or a text each.
HEADERS = (
    "lang", "root_id", "parent_id", "group", "group_index", "retries", "origin", "argsrepr", "kwargsrepr",
    "ignore_result",
)  # fmt: skip
PROPERTIES = ("reply_to", "correlation_id")

log = logs.get("inbox")


class _Message(virtual.Message):
    """A message that is made of nothing but what `_sound` lets through."""

    def __init__(self, payload: Any, channel: Any = None, **options: Any) -> None:
        super().__init__(_sound(payload), channel=channel, **options)  # type: ignore[no-untyped-call]


class Channel(redis.Channel):
    """kombu's, which drops what it cannot read instead of raising it into the worker's loop."""

    Message = _Message

    def basic_consume(self, queue: str, no_ack: bool, callback: Callable[[Any], Any], *rest: Any, **more: Any) -> Any:
        """As its parent; a message that ``callback`` fails on is settled: else it would count as being worked on, and
        come back when this channel closes."""

        def guarded(message: Any) -> None:
            try:
                callback(message)
            except Exception as error:
                if self._is_ours(error):
                    raise
                self.qos.ack(message.delivery_tag)
                _discarded(error)

        return super().basic_consume(queue, no_ack, guarded, *rest, **more)  # type: ignore[no-untyped-call]

    def _brpop_read(self, **options: Any) -> Any:
        try:
            return super()._brpop_read(**options)  # type: ignore[no-untyped-call]
        except Exception as error:
            if self._is_ours(error):
                raise
            _discarded(error)
            return True

    def _is_ours(self, error: Exception) -> bool:
        """Whether the connection is at fault, not the message. (To kombu a KeyError is a connection that broke.)"""
        faults = (Empty, *self.connection_errors, *self.connection.channel_errors)
        return isinstance(error, faults) and not isinstance(error, KeyError)


class Transport(redis.Transport):
    """kombu's Redis transport with that channel."""

    Channel = Channel


def guarded(connection: Connection) -> Connection:
    """The same connection, not yet opened, with its messages checked."""
    plain = connection.get_transport_cls() is redis.Transport  # type: ignore[no-untyped-call]
    if plain:  # by name it cannot be given for a socket's URL
        connection.transport_cls = Transport
    return connection


def _sound(payload: Any) -> dict[str, Any]:
    """What of a message Celery may see. Raises WireError when that is not enough.

    The rest is left out: time limits, stamps and times of expiry take a worker's slot and keep it if they are no such
    things; a message that is to wait is kept in memory; one that is compressed unpacks to any size.
    """
    payload = _record(payload, "the message")
    headers, properties = _record(payload.get("headers"), "headers"), _record(payload.get("properties"), "properties")
    return {
        "body": _text(payload, "body"),
        "content-type": _text(payload, "content-type"),
        "content-encoding": _text(payload, "content-encoding"),
        "headers": {
            "task": _text(headers, "task"),
            "id": _text(headers, "id"),
            **{name: headers[name] for name in HEADERS if isinstance(headers.get(name), str | int)},
        },
        "properties": {
            "body_encoding": _text(properties, "body_encoding"),
            "delivery_tag": _text(properties, "delivery_tag"),
            "delivery_info": {},
            **{name: properties[name] for name in PROPERTIES if isinstance(properties.get(name), str)},
        },
    }


def _record(value: Any, name: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise WireError(f"{name} is no record")
    return value


def _text(record: dict[str, Any], name: str) -> str:
    value = record.get(name)
    if not isinstance(value, str):
        raise WireError(f"{name} is no text")
    return value


def _discarded(error: Exception) -> None:
    log.warning("message discarded", reason=f"{type(error).__name__}: {error}"[:SHOWN])
