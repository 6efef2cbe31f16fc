"""The server of a chaos run: the private one, which can come back with older data or none."""

import contextlib
import os
import shutil
import signal
from pathlib import Path

import redis

from gridmill import broker
from gridmill.embedded import Server
from gridmill.errors import BrokerError
from gridmill.settings import Settings

DUMP = "dump.rdb"  # Redis's own name for it; it is read at a start


class Store:
    """A server in ``folder``."""

    def __init__(self, folder: Path) -> None:
        self._server = Server(folder)
        self._dump, self._old = folder / DUMP, folder / "old.rdb"
        self._server.start()
        self._client = broker.redis_client(Settings.load(broker=self._server.url))

    @property
    def socket(self) -> Path:
        """Where it listens."""
        return self._server.socket

    @property
    def pid(self) -> int:
        """Its process."""
        return self._server.pid

    @property
    def client(self) -> "redis.Redis":
        """A client of the run's own."""
        return self._client

    def remember(self) -> None:
        """Keep what it holds now, as the older data."""
        with contextlib.suppress(redis.RedisError):
            self._client.execute_command("SAVE")  # type: ignore[no-untyped-call]
            shutil.copy(self._dump, self._old)

    def keep(self) -> None:
        """Have it come back as it is now."""
        with contextlib.suppress(redis.RedisError):
            self._client.execute_command("SAVE")  # type: ignore[no-untyped-call]

    def age(self) -> None:
        """Have it come back as it was when last remembered."""
        if self._old.exists():
            shutil.copy(self._old, self._dump)

    def empty(self) -> None:
        """Have it come back without anything."""
        self._dump.unlink(missing_ok=True)

    def down(self, number: signal.Signals) -> None:
        """Send its process a signal."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(self._server.pid, number)

    def up(self) -> None:
        """Start it again."""
        with contextlib.suppress(BrokerError):
            self._server.restart()

    def alive(self) -> bool:
        """Whether it is there."""
        return self._server.alive()

    def close(self) -> None:
        """End it."""
        self._client.close()
        self._server.stop()
