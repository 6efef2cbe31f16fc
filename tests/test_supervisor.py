"""The supervisor: one worker that is kept running, and no process that outlives it."""

import os
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from living import lives

from worker import nursery
from worker import supervisor as module
from worker.supervisor import Supervisor

# A worker with a child that ignores what it is told, as a pool process in native code does.
WORKER = """
import os, signal, subprocess, sys, time
deaf = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print(1, flush=True); time.sleep(600)"
child = subprocess.Popen([sys.executable, "-c", deaf], stdout=subprocess.PIPE)
child.stdout.readline()
def warm(*_):
    print("warm", file=sys.stderr, flush=True)
    if os.environ.get("STUBBORN"): return
    child.kill()
    sys.exit(0)
signal.signal(signal.SIGTERM, warm)
with open(os.environ["PIDS"], "a") as file: print(os.getpid(), child.pid, file=file, flush=True)
print("told", os.environ.get("GRIDMILL_LEASE"), file=sys.stderr, flush=True)
if os.environ.get("DIES"): sys.exit(3)
while True: time.sleep(600)
"""


class Lab:
    """A supervisor of that worker, and the processes there have been."""

    def __init__(self, folder: Path) -> None:
        self.pids_file = folder / "pids"
        self.told: list[str] = []
        self.mourned: list[tuple[int, bool]] = []
        self.supervisor = self.make()

    def make(self, **env: str) -> Supervisor:
        env = {"PIDS": str(self.pids_file), "GRIDMILL_LEASE": "7", **env}
        return Supervisor(env, 600, lambda: 0, self.told.append, self.mourn)

    def mourn(self, group: int, told: bool) -> None:
        self.mourned.append((group, told))

    @property
    def pids(self) -> list[tuple[int, int]]:
        """Main process and child of each worker that has started."""
        lines = self.pids_file.read_text().splitlines() if self.pids_file.exists() else []
        return [(int(main), int(child)) for main, child in (line.split() for line in lines)]


@pytest.fixture
def lab(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Lab]:
    monkeypatch.setattr(nursery, "PROGRAM", (sys.executable, "-c", WORKER))
    monkeypatch.setattr(module, "RESTART_WAIT", (0.01, 0.04))
    made = Lab(tmp_path)
    yield made
    made.supervisor.stop()


def test_it_starts_the_worker_with_its_settings_and_passes_its_lines_on(
    lab: Lab, wait_until: Callable[..., None]
) -> None:
    lab.supervisor.start()

    wait_until(lambda: lab.told, "a line of the worker")
    assert lab.told == ["told 7"]
    assert lab.supervisor.pid == lab.pids[0][0]


def test_stopping_at_once_leaves_no_process(lab: Lab, wait_until: Callable[..., None]) -> None:
    lab.supervisor.start()
    wait_until(lambda: lab.pids, "the worker")

    assert lab.supervisor.stop() is False

    wait_until(lambda: not any(map(lives, lab.pids[0])), "the end of both")
    assert lab.supervisor.pid is None
    assert "warm" not in lab.told


def test_a_warm_stop_lets_it_finish(lab: Lab, wait_until: Callable[..., None]) -> None:
    lab.supervisor.start()
    wait_until(lambda: lab.told, "the worker")

    assert lab.supervisor.stop(warm=60) is True

    wait_until(lambda: "warm" in lab.told, "that it was asked")
    assert not any(map(lives, lab.pids[0]))


def test_a_worker_that_does_not_finish_in_time_is_ended(lab: Lab, wait_until: Callable[..., None]) -> None:
    lab.supervisor = lab.make(STUBBORN="1")
    lab.supervisor.start()
    wait_until(lambda: lab.told, "the worker")

    assert lab.supervisor.stop(warm=0.1) is False

    wait_until(lambda: not any(map(lives, lab.pids[0])), "the end of both")


def test_a_worker_that_was_killed_is_started_again_and_its_children_ended(
    lab: Lab, wait_until: Callable[..., None]
) -> None:
    lab.supervisor.start()
    wait_until(lambda: lab.pids, "the worker")
    os.kill(lab.pids[0][0], signal.SIGKILL)

    def again() -> bool:
        lab.supervisor.watch()
        return len(lab.pids) == 2

    wait_until(again, "another worker")
    wait_until(lambda: not lives(lab.pids[0][1]), "the end of the first one's child")
    assert lab.supervisor.restarts == 1
    assert lab.mourned == [(lab.pids[0][0], False)]


def test_a_worker_that_keeps_exiting_is_started_ever_more_slowly(
    lab: Lab, wait_until: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    lab.supervisor = lab.make(DIES="1")
    waits: list[float] = []
    monkeypatch.setattr(module.log, "warning", lambda event, **values: waits.append(values["after"]))
    lab.supervisor.start()

    def often() -> bool:
        lab.supervisor.watch()
        return len(waits) >= 5

    wait_until(often, "five exits")
    assert waits == [0.01, 0.02, 0.04, 0.04, 0.04]


def test_a_worker_that_was_steady_is_started_again_soon(
    lab: Lab, wait_until: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "STEADY", 0.0)
    lab.supervisor = lab.make(DIES="1")
    lab.supervisor.start()

    def often() -> bool:
        lab.supervisor.watch()
        return lab.supervisor.restarts >= 4

    wait_until(often, "four restarts")
    assert lab.supervisor._wait == 0.02


def test_the_leash_is_held_by_nobody_else(lab: Lab, wait_until: Callable[..., None]) -> None:
    """The worker ends when its standard input does, so no process started meanwhile may hold the other end."""
    lab.supervisor.start()
    wait_until(lambda: lab.pids, "the worker")
    worker = lab.supervisor._worker
    assert worker is not None

    assert not os.get_inheritable(worker.leash)
    assert os.getpgid(worker.process.pid) == worker.process.pid


def test_stopping_what_was_not_started_is_nothing(lab: Lab) -> None:
    assert lab.supervisor.stop() is True
    assert lab.supervisor.pid is None
