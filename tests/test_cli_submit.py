"""``gridmill submit``: the id first, then everything else."""

import re
import signal
import subprocess
from collections.abc import Callable

import pytest

from gridmill.cli import submit
from gridmill.cli.screen import Screen
from gridmill.embedded import Server
from gridmill.ledger import Ledger
from gridmill.settings import Settings

Command = Callable[..., "subprocess.CompletedProcess[str]"]
Start = Callable[..., "subprocess.Popen[str]"]


@pytest.fixture
def lines(puzzles: list[tuple[str, str]]) -> str:
    return "".join(f"{puzzle}\n" for puzzle, _ in puzzles)


def test_the_job_s_id_is_alone_on_standard_output(server: Server, lines: str, command: Command) -> None:
    ended = command("submit", "-", "--broker", server.url, input=lines)
    assert ended.returncode == 0, ended.stderr
    assert re.fullmatch(r"[0-9a-z]{10}\n", ended.stdout)


def test_everything_is_on_the_server(server: Server, lines: str, command: Command) -> None:
    job = command("submit", "-", "--broker", server.url, "--chunk", "7", input=lines).stdout.strip()
    view = Ledger.connect(Settings.load(broker=server.url)).view(job)
    assert (view.place.record, view.total) == (30, 5)


def test_a_server_that_forgets_is_not_praised(server: Server, lines: str, command: Command) -> None:
    ended = command("submit", "-", "--broker", server.url, input=lines)
    assert "does not promise" in ended.stderr  # the private server has no append-only file


def test_a_submit_needs_a_server(command: Command) -> None:
    ended = command("submit", "-")
    assert ended.returncode == 2
    assert "GRIDMILL_BROKER" in ended.stderr


def test_a_job_that_nobody_knows_is_not_begun_by_its_id(server: Server, lines: str, command: Command) -> None:
    ended = command("submit", "-", "--broker", server.url, "--job", "abcdefghjk", input=lines)
    assert (ended.returncode, ended.stdout) == (2, "")


def test_a_submit_that_was_stopped_goes_on(server: Server, lines: str, start: Start, command: Command) -> None:
    # Given a submit that cannot come to its end, since the server may hold only some of it
    process = start("submit", "-", "--broker", server.url, "--chunk", "7", "--in-flight", "1000")
    assert process.stdin
    assert process.stdout
    process.stdin.write(lines)
    process.stdin.close()
    job = process.stdout.readline().strip()
    # When
    process.send_signal(signal.SIGINT)
    # Then
    assert process.wait(20) == 130
    again = command("submit", "-", "--broker", server.url, "--chunk", "7", "--job", job, input=lines)
    assert (again.returncode, again.stdout) == (0, f"{job}\n")
    assert Ledger.connect(Settings.load(broker=server.url)).view(job).place.record == 30


def test_what_it_waits_for_is_said_once(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(submit, "WAIT_SECONDS", -1.0)
    watch = submit.Watch(Screen(period=None))
    for _ in range(3):
        watch.look(7, None, closed=False, full=True)
    assert capsys.readouterr().err.count("waiting: the server holds as much of this job as it may") == 1


def test_a_server_with_room_is_not_waited_for(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(submit, "WAIT_SECONDS", -1.0)
    watch = submit.Watch(Screen(period=None))
    for _ in range(3):
        watch.look(7, None, closed=False, full=False)
    assert capsys.readouterr().err == ""
