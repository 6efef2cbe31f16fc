"""The whole way of a record with real processes: a server, prefork workers, the collector's child. In the middle of a
run each is killed, or wrong; the answers must be the same."""

import csv
import gzip
import io
import itertools
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from celery import Celery

from collector.intake import SENDINGS_MOST
from collector.journal import peek
from gridmill import broker, mill
from gridmill.address import Address
from gridmill.answers import FAILED_DETAIL
from gridmill.ask import Ask
from gridmill.embedded import Server
from gridmill.errors import BrokerError, FormatError
from gridmill.incidents import Incidents
from gridmill.ledger import Ledger
from gridmill.mill import Watch
from gridmill.settings import Settings
from gridmill.sitting import Summary

Puzzles = list[tuple[str, str]]
Row = dict[str, str]
Command = Callable[..., "subprocess.CompletedProcess[str]"]
Start = Callable[..., "subprocess.Popen[str]"]
Wait = Callable[..., None]

OTHERS = {
    "..3456789456789123789123456..4365897365897214897214365531642978642978531978531642": "multiple",
    ".71..4.................6...8....9........2..8.....76......81..6....6....6....38..": "none",
    "55" + "." * 79: "clash",
    "what is this?": "malformed",
}
TIMES = 300  # that the puzzles are in the long input: 10,200 records, so that much is left when something is killed
LEASE = 100.0  # seconds
STRIKE = 1  # records that are written when something is killed: early, for workers may be far ahead of the output
LIMIT = 30  # seconds for a worker's answer or its end: each takes one


@pytest.fixture
def private(monkeypatch: pytest.MonkeyPatch, session_server: Server) -> list[Server]:
    """The private servers that runs have started. (Without a server for the session, the tests are skipped.)"""
    known: list[Server] = []

    class Known(Server):
        def start(self) -> None:
            super().start()
            known.append(self)

    monkeypatch.setattr(mill, "Server", Known)
    return known


class Mill:
    """Runs of `mill.solve`, each into a file of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.input = folder / "input.txt"
        self.runs = 0

    def ask(self, lines: list[str] | bytes, chunk: int) -> Ask:
        self.input.write_bytes(lines if isinstance(lines, bytes) else text(lines))
        return Ask((str(self.input),), solver="bitmask", chunk=chunk)

    def solve(
        self,
        lines: list[str] | bytes,
        watch: Watch = lambda progress, records: None,
        *,
        chunk: int = 40,
        **options: Any,
    ) -> tuple[bytes, Summary]:
        """The answers to ``lines``, and how the run ended. ``options`` are settings."""
        self.runs += 1
        out = self.folder / f"out{self.runs}.csv"
        # A lost message is looked for sooner than by default, since some are lost here in any case.
        settings = Settings.load(**({"workers": 2, "grace": 0.3, "state_dir": self.folder / "state"} | options))
        summary = mill.solve(self.ask(lines, chunk), out, "csv", settings, watch, tell=lambda line: None)
        return out.read_bytes(), summary


def text(lines: list[str]) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode()


@pytest.fixture
def run(private: list[Server], tmp_path: Path) -> Mill:
    return Mill(tmp_path)


@pytest.fixture(scope="module")
def lines(puzzles: Puzzles) -> list[str]:
    """A long input of every kind."""
    return ([puzzle for puzzle, _ in puzzles] + list(OTHERS)) * TIMES


@pytest.fixture(scope="module")
def undisturbed(lines: list[str], session_server: Server, tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The answers to them from a run in which nothing happens."""
    return Mill(tmp_path_factory.mktemp("undisturbed")).solve(lines)[0]


def table(answers: bytes) -> list[Row]:
    return list(csv.DictReader(io.StringIO(answers.decode(), newline="")))


def test_every_record_is_answered_in_its_place_with_its_solution(
    lines: list[str], puzzles: Puzzles, undisturbed: bytes
) -> None:
    solutions = dict(puzzles)
    rows = table(undisturbed)
    assert [row["puzzle"] for row in rows] == lines
    assert [row["status"] for row in rows] == [OTHERS.get(line, "unique") for line in lines]
    assert [row["solution"] for row in rows if row["status"] == "unique"] == [
        solutions[line] for line in lines if line in solutions
    ]


def test_neither_chunks_nor_workers_change_a_byte(run: Mill, lines: list[str], undisturbed: bytes) -> None:
    assert run.solve(lines, chunk=999, workers=1)[0] == undisturbed


class Blow:
    """Kills a process in the middle of a run: a worker's child that is at a piece, the main process of that worker, or
    the private server."""

    def __init__(self, victim: str, private: list[Server]) -> None:
        self.victim, self._private = victim, private
        self.struck = False

    def __call__(self, progress: Any, _records: object) -> None:
        if self.struck or progress.written < STRIKE:
            return
        server = self._private[-1]
        # Between two pieces no worker is at one; here the output waits, and the workers go on.
        deadline = time.monotonic() + LIMIT
        while not (tokens := [entry.token for entry in started(server)]) and time.monotonic() < deadline:
            pass
        if tokens:
            _, group, child, *_ = tokens[0].split("/")
            victims = {"child": int(child), "main process": int(group), "server": server.pid}
            os.kill(victims[self.victim], signal.SIGKILL)
            self.struck = True


def started(server: Server) -> list[Any]:
    """The entries of the pieces that a worker is at."""
    ledger = Ledger.connect(Settings.load(broker=server.url))
    snapshots = [ledger.scan(job) for job in ledger.jobs()]
    return [entry for each in snapshots if each for entry in each.entries.values() if entry.state == "s"]


@pytest.mark.parametrize("victim", ["child", "main process", "server"])
def test_what_is_killed_in_the_middle_changes_no_byte(
    run: Mill, private: list[Server], lines: list[str], undisturbed: bytes, victim: str
) -> None:
    blow = Blow(victim, private)

    answers, summary = run.solve(lines, blow, lease=LEASE)

    assert blow.struck
    assert answers == undisturbed
    assert summary.restarts == (victim == "main process")
    assert summary.seconds < LEASE  # what was begun is known to be lost, and nobody waits


HANGS = """
import os, signal, sys
if "worker" in sys.orig_argv:
    from worker.solving import Solving
    Solving._take = lambda self, message: os.kill(os.getpid(), signal.SIGSTOP)
"""  # what Python runs at its start: a child stands still with each message before it has begun anything


def test_a_message_with_which_every_child_hangs_before_it_begins_is_solved_by_the_collector_in_the_end(
    run: Mill, lines: list[str], undisturbed: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No start is ever counted: what counts is how often it was sent."""
    (tmp_path / "sitecustomize.py").write_text(HANGS)
    with monkeypatch.context() as patch:
        patch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")]))
        hasty: dict[str, Any] = {"lease": 1.0, "beat": 0.5, "grace": 0.2, "grace_max": 0.2}
        answers, summary = run.solve(lines[:40], **hasty)

    assert answers == b"".join(undisturbed.splitlines(keepends=True)[:41])
    assert summary.progress.resent == SENDINGS_MOST
    assert [each.what for each in Incidents.load(tmp_path / "state", summary.job)] == ["solved here"]


def test_a_run_that_is_killed_is_gone_on_with_to_the_same_bytes(
    lines: list[str], undisturbed: bytes, tmp_path: Path, start: Start, command: Command, wait_until: Wait
) -> None:
    # Given
    (tmp_path / "input.txt").write_bytes(text(lines))
    begun = start("solve", "input.txt", "-o", "out.csv", "--solver", "bitmask", "--chunk", 40)
    wait_until(lambda: saved(tmp_path / "out.csv") > 0, "some answers are saved")
    # When
    begun.kill()
    ended = command("resume", "out.csv")
    # Then
    assert ended.returncode == 0, ended.stderr
    assert "of them by an earlier run" in ended.stderr
    assert (tmp_path / "out.csv").read_bytes() == undisturbed


def saved(out: Path) -> int:
    """How many records the journal of ``out`` speaks for."""
    known = peek(out)
    return known[1].place.record if known else 0


def test_an_input_that_breaks_off_ends_the_run_and_all_that_it_started(
    run: Mill, private: list[Server], lines: list[str]
) -> None:
    with pytest.raises(FormatError, match="truncated gzip file"):
        run.solve(gzip.compress(text(lines))[:-9])
    assert not private[-1].alive()


# Python runs a file of this name at its start.
SABOTEUR = """
import os, signal, sys
from gridmill import solvers
from gridmill.solvers.outcome import Outcome

class Saboteur(solvers.Bitmask):
    def search(self, grid, limit, budget):
        board = "".join(map("".join, grid))
        {act}
        return super().search(grid, limit, budget)

if set(sys.orig_argv) & {{"worker", "collector.child"}}:
    solvers._SOLVERS["bitmask"] = Saboteur
"""


def sabotage(patch: pytest.MonkeyPatch, folder: Path, act: str) -> None:
    """Have the solver act so first, in every process that is started now and solves."""
    (folder / "sitecustomize.py").write_text(SABOTEUR.format(act=act))
    patch.setenv("PYTHONPATH", str(folder), prepend=os.pathsep)


@pytest.fixture(scope="module")
def poisoned(
    puzzles: Puzzles, session_server: Server, tmp_path_factory: pytest.TempPathFactory
) -> tuple[list[Row], Summary]:
    """The puzzles' answers where puzzle 4 kills each worker that solves it, and puzzle 14 whatever process does."""
    folder, site = tmp_path_factory.mktemp("poisoned"), tmp_path_factory.mktemp("site")
    few, many = puzzles[4][0], puzzles[14][0]
    act = (
        f"if board == {many!r} or board == {few!r} and 'worker' in sys.orig_argv: os.kill(os.getpid(), signal.SIGKILL)"
    )
    with pytest.MonkeyPatch.context() as patch:
        sabotage(patch, site, act)
        answers, summary = Mill(folder).solve([puzzle for puzzle, _ in puzzles], chunk=3)
    return table(answers), summary


def test_a_piece_that_kills_its_worker_three_times_is_solved_by_the_collector(
    poisoned: tuple[list[Row], Summary], puzzles: Puzzles
) -> None:
    rows, summary = poisoned
    assert (rows[4]["status"], rows[4]["solution"]) == ("unique", puzzles[4][1])
    assert summary.progress.resent >= 2 * (2 + 3)  # two pieces, sent again twice each, then split into their boards


def test_a_board_that_kills_the_collectors_child_too_is_failed_and_no_other(
    poisoned: tuple[list[Row], Summary], puzzles: Puzzles
) -> None:
    rows, _ = poisoned
    assert (rows[14]["status"], rows[14]["solution"], rows[14]["detail"]) == ("failed", "", FAILED_DETAIL)
    assert [row["solution"] for row in rows if row != rows[14]] == [
        solution for number, (_, solution) in enumerate(puzzles) if number != 14
    ]


def test_solvers_that_are_wrong_in_every_process_write_no_wrong_row(
    run: Mill, puzzles: Puzzles, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lie = 'return Outcome(("123456789" * 9,), 0, False)'
    sabotage(monkeypatch, tmp_path, lie)

    answers, summary = run.solve([puzzle for puzzle, _ in puzzles], chunk=10, beat=1.0, lease=5.0)

    assert [(row["status"], row["solution"]) for row in table(answers)] == [("failed", "")] * len(puzzles)
    # Then the worker is refused, and the collector solves the rest of the three pieces.
    assert Settings.load().lies <= summary.progress.rejected <= 3 * Settings.load().lies


@pytest.fixture(scope="module")
def by_hand(session_server: Server, tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """``celery -A worker worker`` on the session's server, in a folder of its own."""
    words = [sys.executable, "-m", "celery", "-A", "worker", "worker", "--concurrency", "1", "--loglevel", "WARNING"]
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GRIDMILL_BROKER", session_server.url)
        worker = subprocess.Popen(words, cwd=tmp_path_factory.mktemp("hand"), start_new_session=True)
    yield
    worker.terminate()
    try:
        worker.wait(LIMIT)
    except subprocess.TimeoutExpired:
        os.killpg(worker.pid, signal.SIGKILL)
        raise


@pytest.fixture
def plain(server: Server) -> Celery:
    """A Celery app that knows nothing of Gridmill but what the protocol says."""
    url = Address.parse(server.url).celery
    app = Celery(broker=url, backend=url, set_as_current=False)
    keys = {"global_keyprefix": "gridmill:mq:"}
    app.conf.update(task_default_queue="gridmill", broker_transport_options=keys, result_backend_transport_options=keys)
    return app


def test_a_worker_that_was_started_by_hand_answers_plain_celery_clients(
    by_hand: None, plain: Celery, puzzles: Puzzles
) -> None:
    puzzle, solution = puzzles[0]
    results = [plain.send_task("gridmill.solve_board", args=[text]) for text in (puzzle, puzzle[:80], "", 3)]

    # (Celery takes this process for a worker's, since other tests run one in a thread of it.)
    answers = [result.get(timeout=LIMIT, disable_sync_subtasks=False) for result in results]

    assert (answers[0]["status"], answers[0]["solution"]) == ("unique", solution)
    assert [answer["status"] for answer in answers[1:]] == ["malformed"] * 3


def test_a_worker_that_was_started_by_hand_serves_jobs(
    by_hand: None, server: Server, tmp_path: Path, puzzles: Puzzles
) -> None:
    settings = Settings.load(broker=server.url)
    jobs: list[str] = []
    ask = Mill(tmp_path).ask([puzzle for puzzle, _ in puzzles], 10)

    mill.submit(ask, settings, None, jobs.append, lambda feed, records: None)
    mill.collect(jobs[0], tmp_path / "out.csv", "csv", settings, lambda progress, records: None)

    assert [row["solution"] for row in table((tmp_path / "out.csv").read_bytes())] == [each for _, each in puzzles]


def test_a_job_leaves_no_results_on_the_server(run: Mill, server: Server, puzzles: Puzzles) -> None:
    """Its record alone, what all jobs share, and Celery's own bindings of the queue."""
    run.solve([puzzle for puzzle, _ in puzzles], chunk=3, broker=server.url)

    with broker.redis_client(Settings.load(broker=server.url)) as client:
        names: Any = client.keys("*")
    left = [name.decode().rpartition(":")[2] for name in names if b":mq:_kombu.binding" not in name]
    assert sorted(left) == ["job", "jobs", "mark", "seq"]


def test_the_oldest_redis_that_is_promised_makes_no_difference(
    run: Mill, lines: list[str], undisturbed: bytes, oldest_server: Server
) -> None:
    assert run.solve(lines, broker=oldest_server.url)[0] == undisturbed


def test_a_server_whose_socket_is_removed_ends_a_run_that_nobody_could_work_for(
    lines: list[str], private: list[Server], run: Mill
) -> None:
    looks = itertools.count()

    def remove(*_: object) -> None:
        shutil.rmtree(private[0].socket.parent, ignore_errors=True)
        assert next(looks) < 1000, "it waits for ever"

    with pytest.raises(BrokerError, match="was removed while it was in use"):
        run.solve(lines, remove)
