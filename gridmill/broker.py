"""The broker: the Celery app and its settings, and connections to the server behind it.

Celery is the control plane only: a message says "piece p of job j, under sequence number s"; what is to be solved, and
who has answered, is in the ledger on the same server. So a message may be lost, doubled or late without harm, and every
setting here prefers a worker that goes on to a message that is safe.

Celery and redis-py are imported when they are first needed: each costs a command 50 to 100 ms.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from gridmill.address import Address
from gridmill.errors import BrokerError, BrokerLost
from gridmill.message import BOARD_TASK as BOARD_TASK
from gridmill.message import PIECE_TASK as PIECE_TASK
from gridmill.tls import fault as tls_fault
from gridmill.tls import require_files

if TYPE_CHECKING:
    import redis
    from celery import Celery

    from gridmill.settings import Settings

CONNECT_SECONDS = 5.0  # to open a connection: three lost SYNs on a far network
ANSWER_SECONDS = 10.0  # for an answer, twice the longest blocking call (5 s); later, the connection counts as dead
CHECK_SECONDS = 15.0  # of silence, then a connection is tried with PING before it is used: below most firewalls' 60 s
POP_SECONDS = 0.25  # that one BRPOP waits: kombu ends the last one before it closes, so a worker's stop waits too
RETRIES = 2  # of a call whose connection broke: over a quick restart. Every step is idempotent; longer is the caller's
RETRY_FIRST = 0.1  # seconds before the first retry, up to
RETRY_MOST = 1.0  # seconds before any
RESULT_SECONDS = 3600  # that an answer of BOARD_TASK is kept: its client is waiting for it
CHILD_START_SECONDS = 30.0  # for a worker's child to report; 4 by default, too short for 64 of them on a busy machine
OLDEST_SERVER = (6, 2)  # the oldest that the protocol is tried with


def make_app(settings: Settings, name: str = "") -> Celery:
    """The Celery app of these settings; it connects when first used, under ``name`` where that is given.

    Raises BrokerError for an unusable address.
    """
    address = _address(settings)
    app = _app_class()("gridmill", fixups=(), loader="celery.loaders.app:AppLoader", set_as_current=False)
    app.backend_cls = address.celery
    app.conf.update(_conf(settings, address))
    app.conf.broker_transport_options["client_name"] = name or None
    _log_our_way(settings)
    return app


def queue_key(settings: Settings) -> str:
    """The key of the Redis list that holds the queue's waiting messages."""
    return _key_prefix(settings) + settings.queue


def redis_client(settings: Settings) -> redis.Redis:
    """A client on the same server, not yet connected; answers are bytes. Raises BrokerError for an unusable address."""
    import redis
    from redis.backoff import ExponentialWithJitterBackoff
    from redis.retry import Retry

    from gridmill.bulk import BulkParser
    from gridmill.packer import Packer

    address = _address(settings)
    options: dict[str, Any] = {
        "protocol": 2,  # RESP3 gives other types for the same answers, and needs a longer handshake
        "parser_class": BulkParser,
        "command_packer": Packer(),
        "socket_timeout": ANSWER_SECONDS,
        "socket_connect_timeout": CONNECT_SECONDS,
        "health_check_interval": CHECK_SECONDS,
        # A server that does not answer in time is not asked again: redis-py's attempts at connecting and at calling
        # multiply, to minutes.
        "retry": Retry(ExponentialWithJitterBackoff(RETRY_MOST, RETRY_FIRST), RETRIES, (redis.ConnectionError,)),
        **({} if address.path else {"socket_keepalive": True}),
    }
    if not address.sentinels:
        return redis.Redis.from_url(address.redis, **options)
    # Its types are missing.
    sentinel: Any = redis.Sentinel(  # type: ignore[no-untyped-call]
        address.sentinels, socket_timeout=CONNECT_SECONDS, socket_connect_timeout=CONNECT_SECONDS
    )
    login = {"username": address.user or None, "password": address.password or None, "db": address.db}
    client: redis.Redis = sentinel.master_for(address.primary, **login, **options)
    return client


def check(client: redis.Redis, settings: Settings) -> None:
    """Talk to the server once. Raises BrokerError saying why it cannot be used."""
    with explained(settings):
        info = client.info("server")
    version = str(info.get("redis_version", "0"))
    if tuple(int(part) for part in version.split(".")[:2]) < OLDEST_SERVER:
        raise BrokerError(f"the server at {_name(settings)} is Redis {version}; Gridmill needs Redis 6.2 or Valkey")
    if "cluster" in (info.get("redis_mode"), info.get("server_mode")):  # as Redis calls it, and Valkey
        raise BrokerError(f"the server at {_name(settings)} is a cluster; Gridmill needs a single server")


@contextmanager
def explained(settings: Settings) -> Iterator[None]:
    """Turn what redis-py raises inside into a BrokerError for the person who gave the address."""
    import redis

    from gridmill import refusal

    try:
        yield
    except redis.AuthenticationError as error:
        raise BrokerError(
            f"the server at {_name(settings)} wants another password: give it in the address, "
            f"redis://:PASSWORD@HOST:6379/0 ({error})"
        ) from error
    except redis.BusyLoadingError as error:
        raise refusal.explained(error, f"the server at {_name(settings)} cannot be used yet") from error
    except (redis.ConnectionError, redis.TimeoutError) as error:
        if fault := tls_fault(str(error)):
            raise BrokerError(f"the server at {_name(settings)} is not used: {fault}") from error
        raise BrokerLost(
            f"no server answers at {_name(settings)}: {str(error).rstrip('.')}. Start one there, or give another "
            "address with --broker or GRIDMILL_BROKER"
        ) from error
    except redis.RedisError as error:
        raise refusal.explained(error, f"the server at {_name(settings)} cannot be used") from error


def _name(settings: Settings) -> str:
    return str(_address(settings))


def _address(settings: Settings) -> Address:
    if settings.broker is None:
        raise BrokerError("no broker: give its address with --broker or GRIDMILL_BROKER")
    address = Address.parse(settings.broker)
    require_files(address.tls or {})
    return address


def _key_prefix(settings: Settings) -> str:
    """What stands before each of Celery's keys: under our prefix, and none of the ledger's names."""
    return f"{settings.prefix}:mq:"


def _app_class() -> type[Celery]:
    from celery import Celery

    class App(Celery):  # type: ignore[misc]
        """Celery, but deaf to CELERY_BROKER_URL and its kin, which go before the app's own settings.

        With one of them in the environment, messages would go to another server than the ledger. And it takes no
        message on trust.
        """

        def connection_for_read(self, url: str | None = None, **options: Any) -> Any:
            from gridmill.inbox import guarded

            return guarded(super().connection_for_read(url or self.conf.get("broker_url"), **options))

        def connection_for_write(self, url: str | None = None, **options: Any) -> Any:
            return super().connection_for_write(url or self.conf.get("broker_url"), **options)

    return App


def _log_our_way(settings: Settings) -> None:
    """Have Celery leave logging to `gridmill.logs`, in whatever process its worker starts."""
    from celery.signals import setup_logging

    def configure(**_: Any) -> None:
        from gridmill import logs

        logs.configure(settings)

    setup_logging.connect(configure, weak=False, dispatch_uid="gridmill.logs")


def _conf(settings: Settings, address: Address) -> dict[str, Any]:
    return _server_conf(settings, address) | _message_conf(settings) | _worker_conf(settings)


def _server_conf(settings: Settings, address: Address) -> dict[str, Any]:
    timeouts = {"socket_timeout": ANSWER_SECONDS, "socket_connect_timeout": CONNECT_SECONDS}
    keepalive = {} if address.path else {"socket_keepalive": True}  # a local socket has none and refuses it
    primary = {"master_name": address.primary} if address.sentinels else {}
    return {
        "broker_url": address.celery,
        "broker_connection_timeout": CONNECT_SECONDS,
        "broker_connection_retry_on_startup": True,
        "broker_connection_max_retries": None,  # a worker outlives any outage
        "broker_transport_options": {
            # The ledger knows what is lost. Emulated acks cost 470 µs a message in the worker's main process, and
            # with them a worker hung for ever after its broker was killed.
            "ack_emulation": False,
            "global_keyprefix": _key_prefix(settings),
            "polling_interval": POP_SECONDS,
            "priority_steps": [0],  # no priorities, so one key a queue instead of four
            "health_check_interval": int(CHECK_SECONDS),
            **timeouts,
            **keepalive,
            **primary,
        },
        "result_backend": address.celery,
        "result_backend_transport_options": {"global_keyprefix": _key_prefix(settings), **primary},
        "result_expires": RESULT_SECONDS,
        "redis_backend_health_check_interval": int(CHECK_SECONDS),
        **{f"redis_{name}": value for name, value in (timeouts | keepalive).items()},
    }


def _message_conf(settings: Settings) -> dict[str, Any]:
    return {
        "task_default_queue": settings.queue,  # exchange and routing key take its name too
        "task_serializer": "json",
        "result_serializer": "json",
        "accept_content": ["json"],  # never pickle: whoever can write to the queue could run code
        "task_compression": None,  # a message is 500 bytes; zlib would cost more than it saves
        "result_compression": None,
        "task_ignore_result": True,  # BOARD_TASK alone returns something, and says so itself
        "task_send_sent_event": False,
        "task_track_started": False,
    }


def _worker_conf(settings: Settings) -> dict[str, Any]:
    return {
        "worker_concurrency": settings.workers,
        # KiB, beyond which a child is replaced between two tasks: a leak is gone before it meets the limit in one.
        "worker_max_memory_per_child": settings.child_memory // 2048,
        "worker_prefetch_multiplier": 1,  # what waits in a worker is lost with it until the lease ends
        "task_acks_late": False,  # redelivery is not to be trusted: late by an hour, or again and again
        "task_reject_on_worker_lost": False,  # True runs a poisonous piece for ever: there is no delivery count
        "worker_cancel_long_running_tasks_on_connection_loss": False,  # True loses them all
        "worker_enable_remote_control": False,  # three more connections and a second of start-up, unused
        "worker_send_task_events": False,
        "worker_detect_quorum_queues": False,  # RabbitMQ's
        "worker_hijack_root_logger": False,  # `gridmill.logs` has it
        "worker_proc_alive_timeout": CHILD_START_SECONDS,
    }
