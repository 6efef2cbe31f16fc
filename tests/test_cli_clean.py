"""``gridmill clean``."""

import subprocess
from collections.abc import Callable
from pathlib import Path

from gridmill.embedded import Server
from gridmill.entry import Place
from gridmill.ledger import Ledger
from gridmill.runs import Runs
from gridmill.settings import Settings

Command = Callable[..., "subprocess.CompletedProcess[str]"]


def test_there_may_be_nothing_to_remove(command: Command) -> None:
    assert command("clean").stdout == "nothing to remove\n"


def test_a_run_without_journal_is_forgotten(tmp_path: Path, command: Command) -> None:
    runs = Runs(Settings.load().state_dir)
    runs.add("abcdefghjk", tmp_path / "gone.csv")
    assert command("clean").stdout.startswith("removed the record of run abcdefghjk")
    assert runs.unfinished() == {}


def test_a_dry_run_removes_nothing(tmp_path: Path, command: Command) -> None:
    runs = Runs(Settings.load().state_dir)
    runs.add("abcdefghjk", tmp_path / "gone.csv")
    assert command("clean", "--dry-run").stdout.startswith("would remove the record of run abcdefghjk")
    assert list(runs.unfinished()) == ["abcdefghjk"]


def test_jobs_that_have_ended_are_forgotten(server: Server, command: Command) -> None:
    ledger = Ledger.connect(Settings.load(broker=server.url))
    for job in ("abcdefghjk", "bbbbbbbbbb"):
        ledger.create(job, "token", b"spec", Place())
    ledger.final("bbbbbbbbbb", "cancelled")
    ended = command("clean", "--broker", server.url)
    assert ended.stdout == "removed the record of job bbbbbbbbbb, which is cancelled\n"
    assert ledger.jobs() == ["abcdefghjk"]
