"""Real workers that hang, are stopped, or eat memory: each costs what it has at hand, and nothing stands still."""

import csv
import os
import signal
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from gridmill import broker
from gridmill.embedded import Server
from gridmill.ledger import Ledger
from gridmill.settings import Settings
from worker import health
from worker.supervisor import Supervisor

Puzzles = list[tuple[str, str]]
Command = Callable[..., "subprocess.CompletedProcess[str]"]
Wait = Callable[..., None]

LIMIT = 2.0  # seconds without a sign of life
BEAT = 0.2  # seconds
AT = 4  # the puzzle on which a worker's child does what it should not

# Python runs a file of this name at its start. Every worker's child acts so at one board.
SABOTEUR = """
import os, re, signal, sys
from gridmill import solvers

class Saboteur(solvers.Bitmask):
    def search(self, grid, limit, budget):
        if "worker.tasks" in sys.modules and "".join(map("".join, grid)) == {board!r}:
            {act}
        return super().search(grid, limit, budget)

solvers._SOLVERS["bitmask"] = Saboteur
"""
HANGS = 're.match("(a+)+$", "a" * 100 + "b")'  # for ages, in C code that lets no other thread run
EATS = "bytearray(4_000_000_000)"
DIES = "os.kill(os.getpid(), signal.SIGKILL)"


@pytest.fixture
def solve(puzzles: Puzzles, command: Command, tmp_path: Path) -> Command:
    """Solve the puzzles with workers that act so at one of them; it is sent to one, then the collector solves it."""

    def run(act: str, *options: str) -> "subprocess.CompletedProcess[str]":
        site = tmp_path / "site"
        site.mkdir()
        (site / "sitecustomize.py").write_text(SABOTEUR.format(act=act, board=puzzles[AT][0]))
        path = os.pathsep.join(filter(None, [str(site), os.environ.get("PYTHONPATH", "")]))
        settings = {"GRIDMILL_LEASE": str(LIMIT), "GRIDMILL_BEAT": str(BEAT), "GRIDMILL_TRIES": "1"}
        (tmp_path / "in.txt").write_text("".join(f"{puzzle}\n" for puzzle, _ in puzzles))
        words = ("solve", "in.txt", "-o", "out.csv", "--solver", "bitmask", "--chunk", 3, "--workers", 2, *options)
        return command(*words, env={**os.environ, **settings, "PYTHONPATH": path})

    return run


def solutions(out: Path) -> list[str]:
    with out.open(newline="") as file:
        return [row["solution"] for row in csv.DictReader(file)]


def test_a_child_that_hangs_in_c_code_is_killed_alone(solve: Command, puzzles: Puzzles, tmp_path: Path) -> None:
    ended = solve(HANGS)

    assert ended.returncode == 0, ended.stderr
    assert "a child gives no sign of life and is killed" in ended.stderr
    assert "the worker is started again" not in ended.stderr
    assert solutions(tmp_path / "out.csv") == [solution for _, solution in puzzles]


def test_a_board_that_eats_memory_is_stopped_at_the_limit(solve: Command, puzzles: Puzzles, tmp_path: Path) -> None:
    ended = solve(EATS)

    assert ended.returncode == 0, ended.stderr
    assert "MemoryError" in ended.stderr
    assert solutions(tmp_path / "out.csv") == [solution for _, solution in puzzles]


def test_of_a_child_that_dies_quiet_says_nothing(solve: Command, puzzles: Puzzles, tmp_path: Path) -> None:
    ended = solve(DIES, "--quiet")

    assert (ended.returncode, ended.stderr) == (0, "")
    assert solutions(tmp_path / "out.csv") == [solution for _, solution in puzzles]


def test_of_a_child_that_dies_others_are_told_without_a_traceback(solve: Command) -> None:
    ended = solve(DIES)

    assert "exited with 'signal 9 (SIGKILL)'" in ended.stderr
    assert "child lost" in ended.stderr
    assert "Traceback" not in ended.stderr


class Lab:
    """A supervised worker with two children on a server of its own."""

    def __init__(self, server: Server, wait_until: Wait) -> None:
        settings = Settings.load(broker=server.url, workers=2, beat=BEAT)
        self._app, self._wait_until = broker.make_app(settings), wait_until
        self._ledger = Ledger.connect(settings)
        self.pretended = self.looks = 0
        self.supervisor = Supervisor(settings.variables(), LIMIT, self._waiting, lambda line: None)

    def _waiting(self) -> int:
        self.looks += 1
        return self.pretended or self._ledger.waiting()

    @property
    def main(self) -> int | None:
        return self.supervisor.pid

    @property
    def children(self) -> set[int]:
        return set(self.supervisor._vigil._children)

    def until(self, true: Callable[[], object], what: str) -> None:
        def look() -> object:
            self.supervisor.watch()
            return true()

        self._wait_until(look, what, 60.0)

    def serves(self) -> bool:
        return health.ask(self._app, 0.5) is not None


@pytest.fixture
def lab(server: Server, wait_until: Wait) -> Iterator[Lab]:
    made = Lab(server, wait_until)
    made.supervisor.start()
    try:
        made.until(lambda: made.serves() and len(made.children) == 2, "a worker with two children that answers")
        yield made
    finally:
        made.supervisor.stop()


def test_a_child_that_is_stopped_is_replaced_alone(lab: Lab) -> None:
    main, (victim, other) = lab.main, lab.children
    os.kill(victim, signal.SIGSTOP)

    lab.until(lambda: victim not in lab.children and len(lab.children) == 2, "another child")

    assert lab.main == main
    assert other in lab.children
    lab.until(lab.serves, "an answer")


def test_when_all_children_are_stopped_others_answer(lab: Lab) -> None:
    """Theirs are killed; and where Celery does not get over that, so is its main process, for something waits then."""
    for child in lab.children:
        os.kill(child, signal.SIGSTOP)

    lab.until(lab.serves, "an answer")


def test_a_main_process_that_is_stopped_is_replaced(lab: Lab) -> None:
    victim = lab.main
    assert victim is not None
    os.kill(victim, signal.SIGSTOP)

    lab.until(lambda: lab.supervisor.restarts == 1 and lab.serves(), "an answer of another worker")

    assert lab.main != victim


def test_a_worker_that_takes_nothing_though_something_waits_is_replaced(lab: Lab) -> None:
    """It is alive, connected and idle, as kombu leaves one after some losses of a broker."""
    lab.pretended = 1

    lab.until(lambda: lab.supervisor.restarts == 1, "another worker")


def test_an_idle_worker_is_left_alone(lab: Lab) -> None:
    before = lab.looks

    lab.until(lambda: lab.looks > before + 3, "some looks at the queue, which come when the worker is idle")

    assert lab.supervisor.restarts == 0
