"""For tests: a broker inside the process, on fakeredis, and a Celery worker in a thread of it.

kombu's genuine Redis transport runs here, its keys, its BRPOP and its messages included; only the sockets are fake.
What needs worker processes, or something to be killed, needs the private server (`gridmill.embedded`) instead.

    fake = FakeBroker()
    app = fake.app()                    # as `gridmill.broker.make_app` makes it
    with fake_worker(app):
        app.send_task(...)
    fake.client()                       # a redis client on the same data, for the ledger

Needs the packages of ``gridmill[test]``.
"""

import threading
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import redis
from kombu.transport import redis as transport
from kombu.utils.eventio import READ

from gridmill import broker, inbox
from gridmill.errors import BrokerError
from gridmill.settings import Settings

try:
    from fakeredis import FakeRedisConnection
except ImportError as error:
    raise BrokerError("a broker inside the process needs fakeredis: pip install 'gridmill[test]'") from error

if TYPE_CHECKING:
    from celery import Celery

LOOK_SECONDS = 0.002  # between two looks for a message: a BRPOP on fakeredis blocks its thread for so long
DRAIN_SECONDS = 0.1  # that the worker's loop may wait before it looks whether it is to stop
START_SECONDS = 10.0  # for the worker to be ready: it takes 0.1 s
STOP_SECONDS = 20.0  # for its last task and its own clearing up


class FakeBroker:
    """A server of its own, empty. ``settings`` name it, and are otherwise as given."""

    def __init__(self, **settings: Any) -> None:
        self.host = f"fake-{uuid.uuid4().hex}"
        self.settings = Settings.load(broker=f"redis://{self.host}:6379/0", **settings)

    def client(self) -> "redis.Redis":
        """A client on the server, with the options of `gridmill.broker.redis_client`; answers are bytes."""
        pool = redis.ConnectionPool(connection_class=FakeRedisConnection, host=self.host, port=6379, db=0, protocol=2)
        return redis.Redis(connection_pool=pool)

    def app(self) -> "Celery":
        """The Celery app of `settings` on this server; results are kept in the process's memory."""
        app = broker.make_app(self.settings)
        app.backend_cls = "cache+memory://"
        app.conf.update(
            broker_transport="gridmill.testing:FakeTransport",
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


@contextmanager
def fake_worker(app: "Celery", *, pool: str = "solo", concurrency: int = 1) -> Iterator[None]:
    """Run a Celery worker of ``app`` in a thread; ``pool`` is solo or threads. One at a time in a process.

    Makes ``app`` the process's default app, and leaves it so.
    """
    from celery import _state

    app.set_default()  # a task finds its app, and so its result backend, through the thread's current or default one
    ready = threading.Event()
    worker = app.WorkController(
        app=app,
        pool=pool,
        concurrency=concurrency,
        ready_callback=lambda _consumer: ready.set(),
        without_heartbeat=True,
        without_gossip=True,
        without_mingle=True,
    )
    thread = threading.Thread(target=worker.start, name="fake-worker", daemon=True)
    thread.start()
    try:
        if not ready.wait(START_SECONDS):
            raise BrokerError(f"the worker in this process was not ready within {START_SECONDS:g} s")
        yield
    finally:
        worker.state.should_stop = 0  # the exit code; its loop looks for it
        thread.join(STOP_SECONDS)
        worker.state.should_stop = None
        # A pool inside the process has said that nobody here may wait for a result, as in a task.
        _state._set_task_join_will_block(False)
        if thread.is_alive():
            raise BrokerError(f"the worker in this process did not stop within {STOP_SECONDS:g} s")
