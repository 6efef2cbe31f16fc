"""``gridmill watch``, as a process beside the job."""

import json
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from dying import died_with

from collector.journal import Head, Journal
from gridmill import mill
from gridmill.embedded import Server
from gridmill.job import WIRE, Spec
from gridmill.ledger import Ledger
from gridmill.settings import Settings
from gridmill.track import Track, Tracks

Command = Callable[..., "subprocess.CompletedProcess[str]"]
Start = Callable[..., "subprocess.Popen[str]"]
Puzzles = list[tuple[str, str]]


@pytest.fixture
def ledger(server: Server) -> Ledger:
    return Ledger.connect(Settings.load(broker=server.url))


def lines(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def running(process: "subprocess.Popen[str]") -> dict[str, Any]:
    """The first figures of a watch for programs, which has begun then."""
    assert process.stderr
    assert json.loads(process.stderr.readline()) == {"progress": "starting"}
    first: dict[str, Any] = json.loads(process.stderr.readline())
    return first


def test_a_job_is_followed_to_its_end(job: str, ledger: Ledger, start: Start) -> None:
    # Given
    process = start("watch", job, "--json-progress")
    first = running(process)
    assert (first["progress"], first["job"], first["written"], first["total"]) == ("running", job, 0, 30)
    # When
    ledger.final(job, "done", (30, b'{"unique":29,"clash":1}'))
    # Then
    stdout, stderr = process.communicate(timeout=20)
    last = lines(stderr)[-1]
    assert (process.returncode, stdout) == (0, "")
    assert (last["progress"], last["exit"], last["counts"]) == ("done", 0, {"unique": 29, "clash": 1})


def test_a_job_that_is_done_says_what_came_of_it(job: str, ledger: Ledger, command: Command) -> None:
    ledger.final(job, "done", (30, b'{"unique":9,"multiple":8,"none":7,"clash":5,"malformed":1}'))
    ended = command("watch", job)
    assert (ended.returncode, ended.stdout) == (0, "")
    counts = "1 malformed, 5 clash, 7 none, 8 multiple, 9 unique"
    assert ended.stderr == f"gridmill: job {job} is done: 30 records, {counts}\n"  # all of them, however long


@pytest.mark.parametrize("status", ["failed", "undecided"])
def test_a_job_with_records_that_are_not_decided_is_incomplete(
    job: str, status: str, ledger: Ledger, command: Command
) -> None:
    ledger.final(job, "done", (30, f'{{"unique":29,"{status}":1}}'.encode()))
    ended = command("watch", job, "--quiet")
    assert (ended.returncode, ended.stderr) == (3, "")


def test_a_job_that_is_cancelled_is_incomplete(job: str, start: Start, command: Command) -> None:
    process = start("watch", job, "--json-progress")
    running(process)
    command("cancel", job)
    last = lines(process.communicate(timeout=20)[1])[-1]
    assert (process.returncode, last["progress"], last["exit"]) == (3, "cancelled", 3)
    assert f"job {job} was cancelled" in last["reason"]


def test_ctrl_c_ends_the_watching_alone(job: str, ledger: Ledger, start: Start) -> None:
    process = start("watch", job, "--json-progress")
    running(process)
    process.send_signal(signal.SIGINT)
    last = lines(process.communicate(timeout=20)[1])[-1]
    assert (process.returncode, last["progress"], last["exit"]) == (130, "stopped", 130)
    assert ledger.view(job).state == "open"


def test_a_job_that_the_server_does_not_know_is_an_error(server: Server, command: Command) -> None:
    ended = command("watch", "abcdefghjk", "--broker", server.url)
    assert ended.returncode == 2
    assert "knows no job abcdefghjk" in ended.stderr


def test_a_server_that_does_not_answer_at_the_start_is_an_error(tmp_path: Path, command: Command) -> None:
    ended = command("watch", "abcdefghjk", "--broker", f"unix://{tmp_path}/nowhere")
    assert ended.returncode == 3
    assert "no server answers" in ended.stderr


@pytest.mark.parametrize(
    ("name", "reason"), [("abcdefghjk", "no run on this machine is job"), ("a.csv", "no run on this machine goes to")]
)
def test_a_run_that_is_not_there_is_an_error(name: str, reason: str, command: Command) -> None:
    ended = command("watch", name)
    assert (ended.returncode, ended.stderr.count("\n")) == (2, 1)
    assert reason in ended.stderr


@pytest.fixture
def solve(tmp_path: Path, puzzles: Puzzles, start: Start, wait_until: Callable[..., None]) -> "subprocess.Popen[str]":
    """A run with a private server into answers.csv that has begun, and waits for the rest of its input."""
    process = start("solve", "-", "-o", "answers.csv", "--chunk", "10")
    assert process.stdin
    process.stdin.write("".join(f"{puzzle}\n" for puzzle, _ in 10 * puzzles))
    process.stdin.flush()
    tracks = Tracks(Settings.load().state_dir)
    wait_until(lambda: tracks.of_output(tmp_path / "answers.csv"), "it has begun")
    return process


def test_a_run_with_a_private_server_is_followed_by_its_output(
    solve: "subprocess.Popen[str]", start: Start, command: Command
) -> None:
    # Given
    process = start("watch", "answers.csv", "--json-progress")
    first = running(process)
    assert (first["progress"], first["total"]) == ("running", None)
    # When its input comes to its end
    solve.communicate("." * 81, timeout=30)
    # Then
    last = lines(process.communicate(timeout=20)[1])[-1]
    assert (process.returncode, last["progress"], last["written"], last["total"]) == (0, "done", 301, 301)
    assert last["counts"] == {"unique": 300, "multiple": 1}
    assert command("watch", last["job"], "--quiet").returncode == 0


def test_of_two_runs_into_an_output_the_one_that_has_its_journal_is_meant(tmp_path: Path) -> None:
    # Given a run that was killed, and another that ended later and went to the same output before
    out, settings = tmp_path / "answers.csv", Settings.load()
    spec = Spec(WIRE, "bitmask", 1, False, 9, 9, "", (), ("puzzles.txt",))
    Journal.open(out, Head("abcdefghjk", spec.encode(), "csv")).close()
    tracks = Tracks(settings.state_dir)
    died_with(tracks, Track("abcdefghjk", str(out)))
    tracks.save(Track("kjhgfedcba", str(out), state="done"))
    # When
    last = mill.follow(str(out), settings, lambda _: None, pytest.fail)
    # Then
    assert (last.job, last.state) == ("abcdefghjk", "unfinished")


def test_a_run_that_is_stopped_says_what_goes_on(solve: "subprocess.Popen[str]", start: Start) -> None:
    process = start("watch", "answers.csv", "--json-progress")
    running(process)
    solve.send_signal(signal.SIGINT)
    last = lines(process.communicate(timeout=20)[1])[-1]
    assert (process.returncode, last["progress"]) == (3, "unfinished")
    said = f"job {last['job']} was stopped with {last['written']} records written"
    assert last["reason"] == f"{said}; the command that began it, given again, goes on"


def test_a_run_that_has_its_input_may_be_resumed(tmp_path: Path, command: Command) -> None:
    out = tmp_path / "an swers.csv"
    died_with(Tracks(Settings.load().state_dir), Track("abcdefghjk", str(out), written=7, size=100, position=50))
    ended = command("watch", "abcdefghjk")
    assert ended.returncode == 3
    said = "job abcdefghjk was stopped with 7 records written; the command that began it, given again, goes on"
    assert f"{said}, and so does gridmill resume '{out}'\n" in ended.stderr


def test_a_run_of_another_release_is_not_said_to_go_on_here(tmp_path: Path, command: Command) -> None:
    out = tmp_path / "answers.csv"
    spec = Spec(WIRE - 1, "bitmask", 1, False, 9, 9, "", (), ("puzzles.txt",))
    Journal.open(out, Head("abcdefghjk", spec.encode(), "csv")).close()
    died_with(Tracks(Settings.load().state_dir), Track("abcdefghjk", str(out), written=7, size=100, position=50))
    ended = command("watch", "answers.csv")
    assert ended.returncode == 3
    assert "another release made the job" in ended.stderr
    assert "this one starts anew (solve --force)" in ended.stderr
    assert "gridmill resume" not in ended.stderr


def test_on_a_terminal_there_is_a_bar(job: str, ledger: Ledger, on_terminal: Callable[..., str]) -> None:
    ledger.final(job, "done", (30, b'{"unique":29,"clash":1}'))
    shown = on_terminal("stderr", "watch", job)
    assert "━" in shown
    assert "30 of 30 records" in shown
    assert "1 clash  29 unique" in shown
