"""``gridmill dead`` and ``gridmill retry``, as processes: a job with a record that failed, until it has an answer."""

import csv
import json
import os
import re
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from gridmill.incidents import About, Incident, Incidents
from gridmill.settings import Settings

Command = Callable[..., "subprocess.CompletedProcess[str]"]

UNIQUE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
NONE = ".71..4.................6...8....9........2..8.....76......81..6....6....6....38.."
TABLE = f'id,puzzle,note\n1,{UNIQUE},a\n2,{NONE},"b, ""failed"""\n3,{UNIQUE},c\n'


@pytest.fixture
def solve(tmp_path: Path, command: Command) -> Callable[..., "subprocess.CompletedProcess[str]"]:
    """Solve a file of which one record needs the collector's child."""
    (tmp_path / "puzzles.csv").write_text(TABLE)
    return lambda *options: command("solve", "puzzles.csv", "--solver", "bitmask", "--budget", "1", *options)


@pytest.fixture
def job(solve: Command) -> str:
    """A finished job in which that child had no time."""
    ended = solve("-o", "out.csv", "--child-seconds", "0.000001")
    assert ended.returncode == 3, ended.stderr
    said = re.search(r"records that failed: 1\. gridmill dead (\w+) says why, gridmill retry (\w+) tries", ended.stderr)
    assert said is not None, ended.stderr
    assert said[1] == said[2]
    return said[1]


def statuses(out: Path) -> list[str]:
    with out.open(newline="") as file:
        return [row["status"] for row in csv.DictReader(file)]


def test_a_record_that_failed_is_shown_with_its_cause_long_after_the_job(job: str, command: Command) -> None:
    overview, detail = command("dead"), command("dead", job)

    assert re.search(rf"^{job} +1 +1 +/.*/out.csv$", overview.stdout, re.MULTILINE)
    assert re.search(r"^time +what +records +cause", detail.stdout)
    assert re.search(r" failed +2 +", detail.stdout)
    assert "no answer in" in detail.stdout
    assert NONE in detail.stdout


def test_whose_attempt_it_was_is_a_process_on_a_machine(command: Command) -> None:
    incidents = Incidents(Settings.load().state_dir, "2345678923", About("", "csv", b""))
    incidents.note(Incident("lost", "start 1: its process died", 1, 2000, "host/7/9/name/random"))
    incidents.note(Incident("refused", "answers were false", worker="host/7 (worker name)"))

    lost, refused = command("dead", "2345678923").stdout.splitlines()[1:]

    assert "lost     1 to 2,000  start 1: its process died  host, process 9" in lost
    assert refused.endswith("host/7 (worker name)")


def test_json_is_for_programs(job: str, command: Command) -> None:
    (incident,) = json.loads(command("dead", job, "--json").stdout)

    assert (incident["what"], incident["first"], incident["last"], incident["puzzle"]) == ("failed", 2, 2, NONE)
    assert [each["job"] for each in json.loads(command("dead", "--json").stdout)] == [job]


def test_where_nothing_went_wrong_there_is_nothing_to_show(solve: Command, command: Command) -> None:
    assert solve("-o", "out.csv").returncode == 0

    assert command("dead").stdout == ""
    unknown = command("dead", "2345678923")
    assert (unknown.returncode, unknown.stdout) == (2, "")
    assert "nothing is known here" in unknown.stderr


def test_what_failed_is_solved_again_and_the_output_is_as_if_it_had_not(
    job: str, solve: Command, command: Command, tmp_path: Path
) -> None:
    assert statuses(tmp_path / "out.csv") == ["unique", "failed", "unique"]
    assert solve("-o", "right.csv").returncode == 0

    ended = command("retry", job)

    assert ended.returncode == 0, ended.stderr
    assert (tmp_path / "out.csv").read_bytes() == (tmp_path / "right.csv").read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out.csv", "puzzles.csv", "right.csv"]
    assert "1 of 1 have an answer now" in command("dead", job).stdout
    again = command("retry", job)
    assert (again.returncode, "is failed" in again.stderr) == (0, True)
    assert [each["failed"] for each in json.loads(command("dead", "--json").stdout)] == [0]


# Python runs a file of this name at its start: the process is killed when it begins to tidy up.
KILLED = """
import os, pathlib, signal

unlink = pathlib.Path.unlink

def killed(self, *args, **options):
    if self.name.endswith(".retry.txt"):
        os.kill(os.getpid(), signal.SIGKILL)
    return unlink(self, *args, **options)

pathlib.Path.unlink = killed
"""


def test_a_retry_that_was_killed_before_it_tidied_up_is_tidied_up_by_the_next(
    job: str, command: Command, tmp_path: Path
) -> None:
    site = tmp_path / "site"
    site.mkdir()
    (site / "sitecustomize.py").write_text(KILLED)
    path = os.pathsep.join(filter(None, [str(site), os.environ.get("PYTHONPATH", "")]))
    assert command("retry", job, env={**os.environ, "PYTHONPATH": path}).returncode == -signal.SIGKILL
    assert statuses(tmp_path / "out.csv") == ["unique", "none", "unique"]
    assert sorted(path.name for path in tmp_path.glob("*.retry.*")) == ["out.csv.retry.jsonl", "out.csv.retry.txt"]

    assert command("retry", job).returncode == 0

    assert list(tmp_path.glob("*.retry.*")) == []


def test_what_fails_again_is_said_and_the_output_stays(job: str, command: Command, tmp_path: Path) -> None:
    before = (tmp_path / "out.csv").read_bytes()

    ended = command("retry", job, "--child-seconds", "0.000001")

    assert ended.returncode == 3
    assert f"gridmill retry {job} tries again" in ended.stderr
    assert (tmp_path / "out.csv").read_bytes() == before
    whats = [each["what"] for each in json.loads(command("dead", job, "--json").stdout)]
    assert whats == ["failed", "retried", "failed"]
    assert [each["failed"] for each in json.loads(command("dead", "--json").stdout)] == [1]


def test_a_job_whose_output_is_gone_cannot_be_retried(job: str, command: Command, tmp_path: Path) -> None:
    (tmp_path / "out.csv").unlink()

    ended = command("retry", job)

    assert ended.returncode == 2
    assert "no longer there" in ended.stderr


@pytest.mark.parametrize("form", ["lines", "counts"])
def test_a_form_without_the_puzzles_cannot_be_amended(solve: Command, command: Command, form: str) -> None:
    failed = solve("-o", "out.txt", "--format", form, "--child-seconds", "0.000001")
    said = re.search(r"gridmill retry (\w+)", failed.stderr)
    assert said is not None

    ended = command("retry", said[1])

    assert ended.returncode == 3
    assert "only csv and jsonl can be amended" in ended.stderr
