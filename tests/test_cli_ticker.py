"""Progress for programs: JSON lines on standard error."""

import json
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import pytest

from gridmill.cli.exit import guarded
from gridmill.cli.screen import open_screen
from gridmill.cli.ticker import Ticker
from gridmill.embedded import Server
from gridmill.errors import SettingsError
from gridmill.settings import Settings

Command = Callable[..., "subprocess.CompletedProcess[str]"]
Start = Callable[..., "subprocess.Popen[str]"]
Line = dict[str, Any]

FIGURES = {"job", "seconds", "written", "enqueued", "total", "estimate", "in_flight", "rate", "eta", "counts"}
TOTALS = {"output", "earlier", "skipped", "rejected", "resent", "restarts"}
END = {"progress", "exit", "reason"}


@pytest.fixture
def file(tmp_path: Path, puzzles: list[tuple[str, str]]) -> Path:
    path = tmp_path / "puzzles.txt"
    path.write_text("".join(f"{puzzle}\n" for puzzle, _ in puzzles) + "55" + "." * 79)
    return path


def parsed(text: str) -> list[Line]:
    """All lines, which have to be JSON, but those of the log."""
    lines: list[Line] = [json.loads(line) for line in text.splitlines()]
    assert all(("progress" in line) != ("event" in line) for line in lines)
    return [line for line in lines if "progress" in line]


def said_by(command: Callable[[Ticker], int | None], capsys: pytest.CaptureFixture[str]) -> list[Line]:
    """What comes to standard error when ``command`` has ended as a command does."""
    with pytest.raises(click.exceptions.Exit):
        guarded(lambda ticker: command(ticker))(ticker=Ticker())
    return parsed(capsys.readouterr().err)


def running(ticker: Ticker) -> None:
    with ticker:
        ticker.show(10, 40, None, None, {"unique": 9, "none": 1, "failed": 0})


def test_the_first_figures_come_at_once(capsys: pytest.CaptureFixture[str]) -> None:
    starting, figures, _ = said_by(running, capsys)
    assert starting == {"progress": "starting"}
    assert figures.pop("seconds") < 60
    assert figures == {
        "progress": "running", "job": None, "written": 10, "enqueued": 40, "total": None, "estimate": None,
        "in_flight": 30, "rate": 0, "eta": None, "counts": {"unique": 9, "none": 1},
    }  # fmt: skip


def test_looks_that_come_fast_are_not_all_told(capsys: pytest.CaptureFixture[str]) -> None:
    def command(ticker: Ticker) -> None:
        for done in range(3):
            ticker.show(done, 3, 3, None)

    first, last = said_by(command, capsys)
    assert (first["progress"], first["written"]) == ("running", 0)
    assert (last["progress"], last["written"], last["total"]) == ("done", 2, 3)


@pytest.mark.parametrize(("code", "state"), [(0, "done"), (1, "done"), (2, "failed"), (3, "failed"), (130, "stopped")])
def test_the_last_line_has_the_exit_code(code: int, state: str, capsys: pytest.CaptureFixture[str]) -> None:
    (last,) = said_by(lambda _: code, capsys)
    assert (last["progress"], last["exit"], last["reason"]) == (state, code, None)
    assert set(last) == END | FIGURES


def test_a_state_that_was_said_goes_before_the_code(capsys: pytest.CaptureFixture[str]) -> None:
    def command(ticker: Ticker) -> int:
        ticker.ended("done")
        return 3

    (last,) = said_by(command, capsys)
    assert (last["progress"], last["exit"]) == ("done", 3)


def test_an_error_after_the_end_is_a_failure(capsys: pytest.CaptureFixture[str]) -> None:
    def command(ticker: Ticker) -> None:
        running(ticker)
        ticker.ended("done")
        raise SettingsError("no room at redis://user:secret@host")

    *_, last = said_by(command, capsys)
    assert (last["progress"], last["exit"], last["written"]) == ("failed", 2, 10)
    assert last["reason"] == "no room at redis://***@host"


def test_ctrl_c_is_the_last_line_too(capsys: pytest.CaptureFixture[str]) -> None:
    def command(_: Ticker) -> None:
        raise KeyboardInterrupt

    (last,) = said_by(command, capsys)
    assert (last["progress"], last["exit"], last["reason"]) == ("stopped", 130, "stopped")


def test_a_fault_of_ours_has_its_traceback(capsys: pytest.CaptureFixture[str]) -> None:
    def command(_: Ticker) -> None:
        raise KeyError("oops")

    (last,) = said_by(command, capsys)
    assert (last["progress"], last["exit"]) == ("failed", 3)
    assert "a fault in Gridmill" in last["reason"]
    assert "KeyError: 'oops'" in last["traceback"]


def test_what_people_are_told_is_a_note(capsys: pytest.CaptureFixture[str]) -> None:
    with open_screen(Settings.load(), quiet=False, ticker=Ticker()) as screen:
        screen.say("waiting\x1b[2J")
    assert parsed(capsys.readouterr().err)[-1] == {"progress": "note", "text": "waiting\\x1b[2J"}


def test_a_run_tells_how_far_it_is_and_ends_with_its_totals(file: Path, tmp_path: Path, command: Command) -> None:
    ended = command("solve", file, "-o", "answers.csv", "--json-progress", "--log-level", "debug")
    lines = parsed(ended.stderr)
    assert ended.stdout == ""
    assert lines[0] == {"progress": "starting"}
    assert {line["progress"] for line in lines[1:-1]} == {"running"}
    last = lines[-1]
    assert set(last) == END | FIGURES | TOTALS
    assert (last["progress"], last["exit"], last["written"], last["total"]) == ("done", 0, 31, 31)
    assert (last["counts"], last["output"]) == ({"unique": 30, "clash": 1}, str(tmp_path / "answers.csv"))
    assert (last["skipped"], last["earlier"], last["in_flight"]) == (0, 0, 0)


def test_a_run_that_is_stopped_says_so_and_one_that_goes_on_too(
    tmp_path: Path, puzzles: list[tuple[str, str]], start: Start, command: Command, wait_until: Callable[..., None]
) -> None:
    # Given a long run that was stopped when some answers were written
    (tmp_path / "many.txt").write_text("".join(f"{puzzle}\n" for puzzle, _ in puzzles) * 400)
    process = start("solve", "many.txt", "-o", "a.txt", "--json-progress", "--solver", "bitmask", "--chunk", "200")
    part = tmp_path / "a.txt.part"
    wait_until(lambda: part.exists() and part.stat().st_size > 0, "some answers are written")
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=20)
    stopped = parsed(said)[-1]
    assert (process.returncode, stopped["progress"], stopped["exit"]) == (130, "stopped", 130)
    assert "gridmill resume a.txt" in stopped["reason"]
    # When it goes on
    done = parsed(command("resume", "--json-progress").stderr)[-1]
    # Then
    assert (done["progress"], done["job"], done["written"]) == ("done", stopped["job"], 12_000)
    assert done["earlier"] == stopped["written"]


def test_a_submit_has_written_nothing(server: Server, file: Path, command: Command) -> None:
    ended = command("submit", file, "--json-progress", "--broker", server.url)
    last = parsed(ended.stderr)[-1]
    assert (last["progress"], last["enqueued"], last["total"], last["written"]) == ("done", 31, 31, None)
    assert ended.stdout == f"{last['job']}\n"


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("nowhere.txt",), "nowhere.txt cannot be read"),
        (("nowhere.txt", "--quiet"), "--json-progress says how far it is, and --quiet"),
        (("nowhere.txt", "--lease", "soon"), "--lease is 'soon'"),
        (("nowhere.txt", "--sovler", "lanes"), "No such option"),
        ((), "Missing"),
    ],
)
def test_what_cannot_be_used_is_said_in_the_last_line(words: tuple[str, ...], reason: str, command: Command) -> None:
    ended = command("solve", *words, "--json-progress", "--log-format", "console")
    last = parsed(ended.stderr)[-1]
    assert (ended.returncode, last["progress"], last["exit"]) == (2, "failed", 2)
    assert reason in last["reason"]


def test_who_reads_no_more_ends_it(start: Start, tmp_path: Path, puzzles: list[tuple[str, str]]) -> None:
    (tmp_path / "many.txt").write_text("".join(f"{puzzle}\n" for puzzle, _ in puzzles) * 2000)
    process = start("solve", "many.txt", "-o", "a.csv", "--json-progress", "--solver", "bitmask", "--chunk", "200")
    assert process.stderr
    assert json.loads(process.stderr.readline()) == {"progress": "starting"}
    process.stderr.close()
    assert process.wait(30) == 141
