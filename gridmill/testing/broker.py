"""A broker inside the process, on fakeredis.

kombu's genuine Redis transport runs here, its keys, its BRPOP and its messages included; only the sockets are fake.
Needs the packages of ``gridmill[test]``.
"""

import time
import uuid
from typing import TYPE_CHECKING, Any

import redis
from kombu.transport import redis as transport
from kombu.utils.eventio import READ

from gridmill import broker, inbox
from gridmill.errors import BrokerError
from gridmill.ledger import Ledger
from gridmill.packer import Packer
from gridmill.settings import Settings

try:
    from fakeredis import FakeRedisConnection
except ImportError as error:
    raise BrokerError("a broker inside the process needs fakeredis: pip install 'gridmill[test]'") from error

if TYPE_CHECKING:
    from celery import Celery

LOOK_SECONDS = 0.002  # between two looks for a message: a BRPOP on fakeredis blocks its thread for so long
DRAIN_SECONDS = 0.1  # that the worker's loop may wait before it looks whether it is to stop


class FakeBroker:
    """A server of its own, empty. ``settings`` name it, and are otherwise as given."""

    def __init__(self, **settings: Any) -> None:
        self.host = f"fake-{uuid.uuid4().hex}"
        self.settings = Settings.load(broker=f"redis://{self.host}:6379/0", **settings)

    def client(self) -> "redis.Redis":
        """A client on the server, with the options of `gridmill.broker.redis_client`; answers are bytes."""
        options: dict[str, Any] = {"host": self.host, "port": 6379, "db": 0, "protocol": 2, "command_packer": Packer()}
        return redis.Redis(connection_pool=redis.ConnectionPool(connection_class=FakeRedisConnection, **options))

    def ledger(self) -> Ledger:
        """A ledger on the server."""
        return Ledger.of(self.client(), self.settings)

    def app(self) -> "Celery":
        """The Celery app of `settings` on this server; results are kept in the process's memory."""
        app = broker.make_app(self.settings)
        app.backend_cls = "cache+memory://"
        app.conf.update(
            broker_transport="gridmill.testing.broker:FakeTransport",
            # Fake sockets have no silence that a check could end.
            broker_transport_options=app.conf.broker_transport_options
            | {"health_check_interval": 0, "polling_interval": LOOK_SECONDS},
            result_backend="cache+memory://",
        )
        return app


class _Poll:
    """Stands for select.poll: a fake socket's number means nothing to the kernel, but its answers can be counted."""

    def __init__(self) -> None:
        self._sockets: dict[int, Any] = {}

    def register(self, sock: Any, flags: int) -> None:
        self._sockets[sock.fileno()] = sock

    def unregister(self, sock: Any) -> None:
        self._sockets.pop(sock if isinstance(sock, int) else sock.fileno(), None)

    def poll(self, timeout: float | None = None) -> list[tuple[int, int]]:
        """The sockets with an answer to read, after at most `LOOK_SECONDS`."""
        ready = self._ready()
        if not ready:
            time.sleep(LOOK_SECONDS)
            ready = self._ready()
        return ready

    def _ready(self) -> list[tuple[int, int]]:
        return [(number, READ) for number, sock in list(self._sockets.items()) if _has_answer(sock)]


def _has_answer(sock: Any) -> bool:
    answers = sock.responses  # None once it is closed
    return answers is None or not answers.empty()


class _Poller(transport.MultiChannelPoller):
    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.poller = _Poll()


class _Channel(inbox.Channel):
    connection_class = FakeRedisConnection


class FakeTransport(transport.Transport):
    """kombu's Redis transport on fake sockets, without an event loop: the kernel cannot wake one."""

    Channel = _Channel
    implements = transport.Transport.implements.extend(asynchronous=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[no-untyped-call]
        self.cycle = _Poller()  # type: ignore[assignment]  # the virtual transport's is of another kind

    def drain_events(self, connection: Any, timeout: float | None = None, **_: Any) -> None:
        """As its parent, but back soon, so that a worker stops when it is told to."""
        soon = min(timeout or DRAIN_SECONDS, DRAIN_SECONDS)
        super().drain_events(connection, timeout=soon)  # type: ignore[no-untyped-call]
