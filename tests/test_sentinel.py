"""A primary that sentinels know: found, and found again when another has taken its place in the middle of a job."""

import csv
import os
import signal
import socket
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import redis

from gridmill import broker
from gridmill.embedded import find
from gridmill.errors import BrokerError
from gridmill.generate import generate
from gridmill.ledger import Ledger
from gridmill.piece import Piece
from gridmill.settings import Settings

NAME = "mill"
PASSWORD = "p#/@:w%"
LIMIT = 60  # seconds for a fail-over and the rest of a job: it takes five
DOWN = 1000  # ms of silence, then a sentinel takes a server for dead
PUZZLES = list(generate(400, seed=3))


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
        return port


class Group:
    """A primary, a replica, and the sentinel that watches them."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._program = folder, str(find())
        self.ports, self.port = (free_port(), free_port()), free_port()
        self.processes: list[subprocess.Popen[bytes]] = []

    @property
    def url(self) -> str:
        return f"sentinel://:p%23%2F%40%3Aw%25@127.0.0.1:{self.port}/{NAME}"

    def start(self) -> None:
        """The two servers."""
        first, second = self.ports
        login = ["--requirepass", PASSWORD, "--masterauth", PASSWORD]
        self._run("first", "--port", str(first), *login, "--repl-diskless-sync-delay", "0")
        self._run("second", "--port", str(second), *login, "--replicaof", "127.0.0.1", str(first))

    def watch(self) -> None:
        """The sentinel. It asks at its start who the replicas are, and then only every ten seconds."""
        (self._folder / "sentinel.conf").write_text(
            f"port {self.port}\nsentinel monitor {NAME} 127.0.0.1 {self.ports[0]} 1\n"
            f"sentinel auth-pass {NAME} {PASSWORD}\nsentinel down-after-milliseconds {NAME} {DOWN}\n"
            f"sentinel failover-timeout {NAME} 5000\n"
        )
        self._run("sentinel", str(self._folder / "sentinel.conf"), "--sentinel")

    def stop(self) -> None:
        for process in self.processes:
            process.kill()
            process.wait()

    def client(self, port: int) -> Any:
        return redis.Redis(port=port, password=None if port == self.port else PASSWORD, protocol=2)

    def replicates(self) -> bool:
        """Whether the replica has all, as both servers say."""
        try:
            first, second = (self.client(port).info("replication") for port in self.ports)
        except redis.RedisError:
            return False
        return bool(first.get("slave0", {}).get("state") == "online" and second["master_link_status"] == "up")

    def is_watched(self) -> bool:
        """Whether the sentinel knows the replica."""
        try:
            return bool(self.client(self.port).execute_command("SENTINEL", "REPLICAS", NAME))
        except redis.RedisError:
            return False

    def _run(self, name: str, *words: str) -> None:
        folder = self._folder / name
        folder.mkdir()
        command = [self._program, *words, *(() if name == "sentinel" else ("--bind", "127.0.0.1", "--save", ""))]
        self.processes.append(subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL))


@pytest.fixture
def group(tmp_path: Path, wait_until: Callable[..., None]) -> Iterator[Group]:
    try:
        group = Group(tmp_path)
    except BrokerError as error:
        (pytest.fail if "GRIDMILL_CI" in os.environ else pytest.skip)(str(error))
    try:
        group.start()
        wait_until(group.replicates, "the replica has all", seconds=LIMIT)
        group.watch()
        wait_until(group.is_watched, "the replica is known", seconds=LIMIT)
        yield group
    finally:
        group.stop()


def test_ledger_and_queue_are_on_the_primary(group: Group) -> None:
    settings = Settings.load(broker=group.url)
    with broker.redis_client(settings) as client:
        broker.check(client, settings)
        Ledger.of(client, settings).send("j1", Piece(0, 0, 1), 1)
        assert client.llen(broker.queue_key(settings)) == 1
    assert group.client(group.ports[0]).llen(broker.queue_key(settings)) == 1


def test_a_name_that_the_sentinels_do_not_know_is_told(group: Group) -> None:
    settings = Settings.load(broker=group.url.replace(NAME, "other"))
    with broker.redis_client(settings) as client, pytest.raises(BrokerError, match="other") as caught:
        broker.check(client, settings)
    assert "p#" not in str(caught.value)


def test_a_job_goes_on_when_another_server_has_become_the_primary(
    group: Group, start: Any, tmp_path: Path, wait_until: Callable[..., None]
) -> None:
    (tmp_path / "in.txt").write_text("".join(f"{puzzle}\n" for puzzle, _ in PUZZLES))
    words = ("--solver", "bitmask", "--chunk", "4", "--workers", "1", "--in-flight", "5000", "--grace", "1")
    solve = start("solve", "in.txt", "-o", "out.csv", "--broker", group.url, "--beat", "1", "--lease", "3", *words)
    part = tmp_path / "out.csv.part"
    wait_until(lambda: part.exists() and part.stat().st_size > 10_000, "the first answers are written", seconds=LIMIT)
    os.kill(group.processes[0].pid, signal.SIGKILL)
    _, said = solve.communicate(timeout=LIMIT)
    assert solve.returncode == 0, said
    assert group.client(group.ports[1]).info("replication")["role"] == "master"
    with (tmp_path / "out.csv").open(newline="") as file:
        assert [(row["puzzle"], row["solution"]) for row in csv.DictReader(file)] == PUZZLES
    assert "p#" not in said
    assert "p%23" not in said
