"""``gridmill status`` and ``gridmill cancel``."""

import json
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from collector.journal import Head, Journal
from gridmill import broker, solvers
from gridmill.embedded import Server
from gridmill.entry import Place
from gridmill.job import WIRE, Spec
from gridmill.ledger import Ledger
from gridmill.runs import Runs
from gridmill.settings import Settings

Command = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def run(tmp_path: Path) -> str:
    """The job of an unfinished run on this machine, of which 20 records are written."""
    spec = Spec(WIRE, "bitmask", 1, False, 9, 9, "", (), ("puzzles.txt",))
    journal = Journal.open(tmp_path / "answers.csv", Head("abcdefghjk", spec.encode(), "csv"))
    journal.write(Place(1, 20), 100, {"unique": 19, "clash": 1})
    journal.close()
    Runs(Settings.load().state_dir).add("abcdefghjk", tmp_path / "answers.csv")
    return "abcdefghjk"


def test_every_job_has_a_line(job: str, command: Command) -> None:
    head, line = command("status").stdout.splitlines()
    assert head.split() == ["job", "state", "written", "enqueued", "total", "age", "output"]
    assert re.fullmatch(rf"{job}  open +0 +30 +30  \d+ s", line)


def test_one_job_in_detail(job: str, command: Command) -> None:
    lines = command("status", job).stdout.splitlines()
    said = dict(re.split(r"  +", line, maxsplit=1) for line in lines)
    assert said["state"] == "open"
    assert said["solver"] == solvers.DEFAULT
    assert said["pieces waiting"] == "1"
    assert "output" not in said


def test_a_worker_that_lied_is_named(job: str, server: Server, command: Command) -> None:
    with broker.redis_client(Settings.load(broker=server.url)) as client:
        client.hset(f"gridmill:{{{job}}}:job", "refused:0123456789abcdef", "host/12")

    lines = command("status", job).stdout.splitlines()
    assert re.split("  +", lines[-1]) == ["refused workers", "host/12 (worker 0123456789abcdef)"]


def test_json_is_for_programs(job: str, command: Command) -> None:
    (described,) = json.loads(command("status", "--json").stdout)
    assert described == json.loads(command("status", job, "--json").stdout) | {"age": described["age"]}
    assert (described["job"], described["enqueued"], described["written"]) == (job, 30, 0)


def test_a_job_of_another_release_hides_no_other(job: str, server: Server, command: Command) -> None:
    """There its answers were a stream, and the ledger had other entries."""
    old, key = "abcdefghjk", "gridmill:{abcdefghjk}:"
    with broker.redis_client(Settings.load(broker=server.url)) as client:
        record = client.hgetall(f"gridmill:{{{job}}}:job")
        record[b"spec"] = Spec(WIRE - 1, "bitmask", 1, False, 9, 9, "", (), ("puzzles.txt",)).encode()
        client.hset(f"{key}job", mapping=record)
        client.hset(f"{key}led", "0:0:30", "q 1 0 0 0 0 - -")
        client.xadd(f"{key}answers", {"reply": b""})
        client.hset("gridmill:jobs", old, 0)

    lines = command("status").stdout.splitlines()[1:]
    assert [line.split()[:4] for line in lines] == [[name, "open", "0", "30"] for name in (old, job)]
    detail = dict(re.split(r"  +", line, maxsplit=1) for line in command("status", old).stdout.splitlines())
    assert detail["enqueued"] == "30"
    assert f"wire version {WIRE - 1}, this is version {WIRE}" in detail["unread"]
    assert "pieces waiting" not in detail
    assert command("cancel", old).returncode == 0
    with broker.redis_client(Settings.load(broker=server.url)) as client:
        assert client.keys(f"{key}*") == [f"{key}job".encode()]


def test_answers_that_nobody_has_collected_are_told_with_what_to_do(job: str, server: Server, command: Command) -> None:
    # Given a job with answers for all its 30 records on the server
    ledger = Ledger.connect(Settings.load(broker=server.url))
    snapshot = ledger.scan(job)
    assert snapshot is not None
    for piece, entry in snapshot.entries.items():
        ledger.begin(job, piece, entry.seq, "worker")
        assert ledger.finish(job, piece, "worker", b"hash", b"reply") == "ok"
    # When
    described = json.loads(command("status", job, "--json").stdout)
    # Then
    assert (described["pieces_waiting"], described["pieces_answered"]) == (0, 1)
    assert described["to_do"] == f"30 records are answered and wait to be collected: gridmill collect {job} -o OUT"
    assert f"gridmill collect {job} -o OUT" in command("status", job).stdout


def test_a_job_that_nobody_knows_is_an_error(server: Server, command: Command) -> None:
    ended = command("status", "abcdefghjk", "--broker", server.url)
    assert (ended.returncode, ended.stdout) == (2, "")
    assert "knows no job abcdefghjk" in ended.stderr


def test_what_cannot_be_a_job_is_an_error(server: Server, command: Command) -> None:
    assert command("status", "*", "--broker", server.url).returncode == 2


def test_an_empty_server_has_no_jobs(server: Server, command: Command) -> None:
    ended = command("status", "--broker", server.url)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "", "no jobs\n")


def test_without_a_server_the_unfinished_runs_are_shown(run: str, tmp_path: Path, command: Command) -> None:
    _, line = command("status").stdout.splitlines()
    assert line.split() == [run, "unfinished", "20", str(tmp_path / "answers.csv")]


def test_a_run_that_was_begun_anew_is_listed_once(run: str, tmp_path: Path, command: Command) -> None:
    Runs(Settings.load().state_dir).add(
        "kjhgfedcba", tmp_path / "answers.csv"
    )  # what `solve --force` took the place of
    assert [line.split()[0] for line in command("status").stdout.splitlines()] == ["job", run]


def test_a_run_in_detail(run: str, command: Command) -> None:
    described = json.loads(command("status", run, "--json").stdout)
    assert described["counts"] == {"unique": 19, "clash": 1}
    assert described["inputs"] == ["puzzles.txt"]


@pytest.fixture
def other(tmp_path: Path) -> Path:
    """The output of an unfinished run of another release."""
    spec = msgspec.msgpack.encode({"wire": WIRE - 1, "solver": "bitmask", "what": "nobody knows here"})
    journal = Journal.open(tmp_path / "other.csv", Head("bcdefghjkm", spec, "csv"))
    journal.write(Place(1, 20), 100, {"unique": 20})
    journal.close()
    Runs(Settings.load().state_dir).add("bcdefghjkm", tmp_path / "other.csv")
    return tmp_path / "other.csv"


RELEASE = f"another release made the job (wire version {WIRE - 1}, this is version {WIRE})"


def test_a_run_of_another_release_is_listed_with_what_can_be_done(run: str, other: Path, command: Command) -> None:
    ended = command("status")
    assert [line.split()[0] for line in ended.stdout.splitlines()[1:]] == [run, "bcdefghjkm"]
    to_do = f"that release goes on with it (resume {other}), and this one starts anew (solve --force)"
    assert ended.stderr == f"gridmill: bcdefghjkm: {RELEASE}; {to_do}\n"
    described = json.loads(command("status", "bcdefghjkm", "--json").stdout)
    assert (described["written"], described["unread"], described["to_do"]) == (20, RELEASE, to_do)


def test_a_run_of_another_release_is_not_the_one_that_is_resumed(other: Path, command: Command) -> None:
    for words in ((), ("bcdefghjkm",), (str(other),)):
        ended = command("resume", *words)
        assert (ended.returncode != 0, RELEASE in ended.stderr) == (True, True)
        assert str(other) in ended.stderr


def test_solving_into_the_output_of_another_release_is_refused_for_that(
    tmp_path: Path, other: Path, command: Command
) -> None:
    (tmp_path / "puzzles.txt").write_text("." * 81 + "\n")
    ended = command("solve", "puzzles.txt", "-o", str(other))
    assert ended.returncode == 2
    assert RELEASE in ended.stderr
    assert "--force to start anew" in ended.stderr
    assert "other options" not in ended.stderr


def test_solving_into_the_output_of_another_version_of_the_solver_is_refused_for_that(
    tmp_path: Path, command: Command
) -> None:
    spec = Spec(WIRE, "bitmask", 99, False, 9, 9, "", (), (str(tmp_path / "puzzles.txt"),))
    Journal.open(tmp_path / "answers.csv", Head("abcdefghjk", spec.encode(), "csv")).close()
    (tmp_path / "puzzles.txt").write_text("." * 81 + "\n")
    ended = command("solve", "puzzles.txt", "-o", "answers.csv", "--solver", "bitmask")
    assert ended.returncode == 2
    assert "its solver bitmask has version 99, this one's 1" in ended.stderr


def test_a_run_is_known_by_its_output_too(other: Path, command: Command) -> None:
    by_output = json.loads(command("status", str(other), "--json").stdout)
    assert by_output["output"] == str(other)
    assert json.loads(command("status", by_output["job"], "--json").stdout) == by_output


def test_a_run_that_is_not_there_is_an_error(command: Command) -> None:
    assert command("status", "abcdefghjk").returncode == 2


def test_a_cancelled_job_says_so(job: str, command: Command) -> None:
    assert command("cancel", job).returncode == 0
    assert json.loads(command("status", job, "--json").stdout)["state"] == "cancelled"


def test_cancelling_a_job_that_has_ended_is_no_error_and_says_so(job: str, server: Server, command: Command) -> None:
    Ledger.connect(Settings.load(broker=server.url)).final(job, "done")
    ended = command("cancel", job)
    assert (ended.returncode, ended.stdout) == (0, f"job {job} was done already\n")


def test_cancelling_a_job_that_nobody_knows_is_an_error(server: Server, command: Command) -> None:
    assert command("cancel", "abcdefghjk", "--broker", server.url).returncode == 2
