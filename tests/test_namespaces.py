"""benchmarks/namespaces.py, and workers in them: who is inside reaches this machine alone, and nothing stays behind."""

import os
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from gridmill.generate import generate

SCRIPTS = Path(__file__).parent.parent / "benchmarks"
LIMIT_SECONDS = 100.0
CONNECT = "import socket, sys; socket.create_connection((sys.argv[1], int(sys.argv[2])), 5).sendall(b'here')"


def ip(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["ip", *words], capture_output=True, text=True, timeout=LIMIT_SECONDS)


def may_make_them() -> bool:
    name, link = f"gridmill-may-{os.getpid()}", f"gm{os.getpid()}may"
    if shutil.which("ip") is None or ip("netns", "add", name).returncode:
        return False
    paired = ip("link", "add", link, "type", "veth", "peer", "name", "out", "netns", name).returncode == 0
    return ip("netns", "delete", name).returncode == 0 and paired


pytestmark = pytest.mark.skipif(not may_make_them(), reason="this user may not make network namespaces here")


@contextmanager
def keeping(number: int) -> Iterator[tuple[subprocess.Popen[str], list[list[str]]]]:
    command = [sys.executable, "-P", str(SCRIPTS / "namespaces.py"), str(number)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as keeper:
        assert keeper.stdout is not None
        yield keeper, [keeper.stdout.readline().split() for _ in range(number)]


def left(pid: int) -> list[str]:
    """What is still there of what a keeper made."""
    everything = ip("netns", "list").stdout + ip("-brief", "link").stdout
    return [line for line in everything.splitlines() if line.startswith((f"gridmill-{pid}-", f"gm{pid}-"))]


def test_who_is_inside_reaches_this_machine_and_nobody_else() -> None:
    with keeping(2) as (_, made):
        for name, address in made:
            with socket.create_server((address, 0)) as server:
                server.settimeout(LIMIT_SECONDS)
                port = str(server.getsockname()[1])
                inside = ["ip", "netns", "exec", name, sys.executable, "-c", CONNECT, address, port]
                subprocess.run(inside, check=True, timeout=LIMIT_SECONDS)
                with server.accept()[0] as caller:
                    assert caller.recv(4) == b"here"
            routes = ip("-n", name, "route").stdout.splitlines()
            assert [line.split()[1:3] for line in routes] == [["dev", "out"]]


def test_they_go_with_the_one_who_asked_for_them() -> None:
    with keeping(2) as (keeper, made):
        assert len(left(keeper.pid)) == 2 * len(made)
        assert keeper.stdin is not None

        keeper.stdin.close()

        assert keeper.wait(LIMIT_SECONDS) == 0
        assert left(keeper.pid) == []


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_they_go_when_their_keeper_is_told_to_stop(number: signal.Signals) -> None:
    with keeping(1) as (keeper, _):
        keeper.send_signal(number)

        assert keeper.wait(LIMIT_SECONDS) != 0
        assert left(keeper.pid) == []


def test_a_second_run_is_refused_the_same_addresses() -> None:
    with keeping(1):
        command = [sys.executable, "-P", str(SCRIPTS / "namespaces.py"), "1"]
        second = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=LIMIT_SECONDS
        )

    assert second.returncode == 1
    assert second.stderr.startswith("addresses in 10.213.0.0/16 are in use here")


def test_workers_in_namespaces_solve(tmp_path: Path) -> None:
    file = tmp_path / "boards.txt"
    file.write_text("".join(f"{board}\n" for board, _ in generate(40, seed=1)) * 50)
    command = [sys.executable, "-P", str(SCRIPTS / "scaling.py"), str(file), "--namespaces", "--repetitions", "1"]

    for more in (["--groups", "2"], ["--alone"]):
        ran = subprocess.run(
            [*command, "--solver", "bitmask", *more], check=True, timeout=LIMIT_SECONDS, capture_output=True
        )
        assert ran.stdout.startswith(b"| ")
