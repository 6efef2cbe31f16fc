"""``gridmill report`` and ``--report``."""

import re
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from gridmill.embedded import Server
from gridmill.settings import Settings
from gridmill.track import Tracks

Command = Callable[..., "subprocess.CompletedProcess[str]"]
Start = Callable[..., "subprocess.Popen[str]"]


@pytest.fixture
def file(tmp_path: Path, puzzles: list[tuple[str, str]]) -> Path:
    path = tmp_path / "puzzles.txt"
    path.write_text("".join(f"{puzzle}\n" for puzzle, _ in puzzles))
    return path


def headings(page: Path) -> list[str]:
    return re.findall("<h2[^>]*>(.*?)</h2>", page.read_text("utf-8"))


def test_a_run_makes_its_report(file: Path, tmp_path: Path, command: Command) -> None:
    ended = command("solve", file, "-o", "answers.csv", "--report", "report.html")
    assert ended.returncode == 0
    assert headings(tmp_path / "report.html")[:2] == ["Totals", "Rate over time"]
    assert "30 records" in (tmp_path / "report.html").read_text("utf-8")


def test_a_report_made_later_knows_how_fast_the_run_was(file: Path, tmp_path: Path, command: Command) -> None:
    command("solve", file, "-o", "answers.csv")
    ended = command("report", "answers.csv", "-o", "report.html")
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "", "")
    assert headings(tmp_path / "report.html")[:2] == ["Totals", "Rate over time"]


def test_a_report_goes_to_standard_output_where_no_file_is_named(file: Path, command: Command) -> None:
    command("solve", file, "-o", "answers.csv")
    assert command("report", "answers.csv").stdout.startswith("<!doctype html>\n<html")


def test_a_run_that_was_killed_has_its_report_when_it_has_gone_on(
    tmp_path: Path, puzzles: list[tuple[str, str]], command: Command, start: Start, wait_until: Callable[..., None]
) -> None:
    # Given a run that was killed in the midst of its input
    lines = "".join(f"{puzzle}\n" for puzzle, _ in puzzles) * 10
    run = start("solve", "-", "-o", "answers.csv", "--report", "report.html", "--chunk", "10")
    assert run.stdin
    run.stdin.write(lines)
    run.stdin.flush()
    tracks = Tracks(Settings.load().state_dir)
    wait_until(lambda: (track := tracks.of_output(tmp_path / "answers.csv")) and track.written, "something is written")
    run.send_signal(signal.SIGKILL)
    run.wait(20)
    assert not (tmp_path / "report.html").exists()
    # When it goes on
    ended = command("resume", "answers.csv", "--report", "report.html", input=lines)
    # Then
    assert ended.returncode == 0, ended.stderr
    page = (tmp_path / "report.html").read_text("utf-8")
    assert "300 records" in page
    assert page.count('class="break"') == 1


def test_a_report_about_a_run_that_leaves_too_much_out_is_refused_before_it_goes_on(
    tmp_path: Path, puzzles: list[tuple[str, str]], command: Command, start: Start, wait_until: Callable[..., None]
) -> None:
    run = start("solve", "-", "-o", "answers.txt", "--chunk", "10")
    assert run.stdin
    run.stdin.write("".join(f"{puzzle}\n" for puzzle, _ in puzzles) * 10)
    run.stdin.flush()
    part = tmp_path / "answers.txt.part"
    wait_until(lambda: part.exists() and part.stat().st_size > 0, "some answers are written")
    run.kill()
    run.communicate(timeout=20)

    ended = command("resume", "answers.txt", "--report", "report.html")

    assert (ended.returncode, "there is no report about lines" in ended.stderr) == (2, True), ended.stderr
    assert not (tmp_path / "answers.txt").exists()


def test_what_was_collected_has_a_report(
    server: Server, file: Path, tmp_path: Path, command: Command, start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GRIDMILL_BROKER", server.url)
    start("work", "--workers", "1", stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    job = command("submit", file).stdout.strip()
    ended = command("collect", job, "-o", "answers.jsonl", "--report", "report.html")
    assert ended.returncode == 0, ended.stderr
    assert job in (tmp_path / "report.html").read_text("utf-8")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--report", "report.html"], "say -o OUT"),
        (["--report", "report.html", "-o", "answers.txt"], "there is no report about lines"),
        (["--report", "answers.csv", "-o", "answers.csv"], "is where the answers go"),
        (["--report", "puzzles.txt", "-o", "answers.csv"], "puzzles.txt exists"),
        (["--report", "nowhere/report.html", "-o", "answers.csv"], "there is no folder"),
    ],
)
def test_a_report_that_cannot_be_is_refused_before_anything_is_solved(
    words: list[str], said: str, file: Path, tmp_path: Path, refused: Callable[..., str]
) -> None:
    assert said in refused("solve", file, *words)
    assert [path.name for path in tmp_path.iterdir()] == ["puzzles.txt"]


def test_what_is_no_answers_file_is_refused(file: Path, command: Command) -> None:
    ended = command("report", file)
    assert (ended.returncode, ended.stdout) == (2, "")
    assert "has no column record" in ended.stderr
