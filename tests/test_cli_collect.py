"""``gridmill collect`` and ``gridmill work``: the other two roles, as processes on a server."""

import json
import os
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path

from gridmill import broker
from gridmill.embedded import Server
from gridmill.entry import Place
from gridmill.job import WIRE, Spec
from gridmill.ledger import Ledger
from gridmill.settings import Settings

Command = Callable[..., "subprocess.CompletedProcess[str]"]
Start = Callable[..., "subprocess.Popen[str]"]
Puzzles = list[tuple[str, str]]


def test_what_was_submitted_comes_back_solved(
    job: str, tmp_path: Path, puzzles: Puzzles, start: Start, command: Command
) -> None:
    start("work", "--workers", "1")
    ended = command("collect", job, "-o", "answers.txt")
    assert ended.returncode == 0, ended.stderr
    assert (tmp_path / "answers.txt").read_text() == "".join(f"{solution}\n" for _, solution in puzzles)


def test_a_collector_of_another_version_refuses_for_its_answers_would_be_others(
    server: Server, tmp_path: Path, command: Command
) -> None:
    spec = Spec(WIRE, "bitmask", 99, False, 1000, 10, "", (), ())
    Ledger.connect(Settings.load(broker=server.url)).create("abcdefghjk", "producer", spec.encode(), Place())

    ended = command("collect", "abcdefghjk", "-o", "answers.csv", "--broker", server.url)

    assert ended.returncode == 3
    assert "was begun with bitmask version 99, and here is version" in ended.stderr


def test_a_collect_without_workers_waits_until_it_is_stopped(
    job: str, tmp_path: Path, start: Start, wait_until: Callable[..., None]
) -> None:
    process = start("collect", job, "-o", "answers.csv")
    wait_until(lambda: (tmp_path / "answers.csv.gridmill").exists(), "it has begun")
    process.send_signal(signal.SIGTERM)
    assert process.wait(20) == 143
    assert [path.name for path in tmp_path.iterdir()] == []


def test_that_workers_only_decline_is_said_until_one_comes_that_does_not(
    job: str, tmp_path: Path, puzzles: Puzzles, start: Start, wait_until: Callable[..., None]
) -> None:
    (tmp_path / "sitecustomize.py").write_text("from gridmill.solvers.lanes import Lanes\nLanes.version = 99\n")
    path = os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])
    other = start("work", "--workers", "1", stderr=subprocess.DEVNULL, env={**os.environ, "PYTHONPATH": path})
    hasty = {f"GRIDMILL_{name}": "1" for name in ("LEASE", "BEAT", "GRACE")}
    with (tmp_path / "log").open("w") as said:
        process = start("collect", job, "-o", "answers.txt", stderr=said, env=os.environ | hasty)
    again = "nobody begins: workers decline, and no other comes"
    wait_until(lambda: (tmp_path / "log").read_text().count(again) >= 2, "it is said again")
    assert "this worker has 99" in (tmp_path / "log").read_text()

    other.terminate()
    other.wait(20)
    start("work", "--workers", "1", stderr=subprocess.DEVNULL)

    assert process.wait(40) == 0
    assert (tmp_path / "answers.txt").read_text() == "".join(f"{solution}\n" for _, solution in puzzles)


def test_a_job_that_nobody_knows_is_an_error_and_no_empty_answer(
    server: Server, tmp_path: Path, command: Command
) -> None:
    ended = command("collect", "abcdefghjk", "-o", "answers.csv", "--broker", server.url)
    assert ended.returncode == 2
    assert list(tmp_path.iterdir()) == []


def test_a_job_that_has_ended_is_not_collected_again(job: str, tmp_path: Path, command: Command) -> None:
    command("cancel", job)
    ended = command("collect", job, "-o", "answers.csv")
    assert ended.returncode == 2
    assert f"job {job} is cancelled" in ended.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_worker_that_is_told_to_stop_has_done_well(
    server: Server, start: Start, wait_until: Callable[..., None]
) -> None:
    process = start("work", "--broker", server.url, "--workers", "1")
    with broker.redis_client(Settings.load(broker=server.url)) as client:
        wait_until(lambda: client.keys("gridmill:mq:_kombu*"), "it listens")
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=20)
    assert process.returncode == 0
    assert '"event": "stopped"' in said


def test_a_worker_s_log_is_json_to_the_end_and_says_of_every_piece_what_it_did(
    job: str, server: Server, start: Start, command: Command
) -> None:
    # Given a worker that has done a job and is then told to stop
    process = start("work", "--workers", "1")
    assert command("collect", job, "-o", "answers.csv").returncode == 0
    process.send_signal(signal.SIGTERM)
    printed, said = process.communicate(timeout=20)
    # Then
    lines = [json.loads(line) for line in said.splitlines()]
    pieces = [line for line in lines if line["event"] == "piece finished"]
    assert [(line["job"], line["records"], line["level"]) for line in pieces] == [(job, 30, "info")]
    assert not [line for line in lines if line["event"].startswith("Task ")]
    assert printed == ""


def test_work_needs_a_server(command: Command) -> None:
    assert command("work").returncode == 2
