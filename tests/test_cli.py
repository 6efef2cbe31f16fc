"""The command as a whole: how it begins, and what surroundings it bears."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from gridmill import __version__, cli, kernel
from gridmill.cli import app
from gridmill.cli.examples import EXAMPLES
from gridmill.cli.interrupt import Terminated

Command = Callable[..., "subprocess.CompletedProcess[str]"]
Start = Callable[..., "subprocess.Popen[str]"]
COMMANDS = app.list_commands()


def test_the_version_names_the_kernel(command: Command) -> None:
    ended = command("--version")
    assert (ended.returncode, ended.stdout) == (0, f"gridmill {__version__} ({kernel.name()} kernel)\n")


def test_an_unknown_kernel_is_told_beside_the_version(command: Command) -> None:
    ended = command("--version", env={**os.environ, "GRIDMILL_KERNEL": "avx1024"})
    assert (ended.returncode, ended.stdout) == (2, f"gridmill {__version__}\n")
    assert "GRIDMILL_KERNEL is 'avx1024'" in ended.stderr


def test_help_lists_every_command_and_the_exit_codes(command: Command) -> None:
    text = command("--help").stdout
    assert [name for name in COMMANDS if f" {name} " not in text] == []
    assert "Exit codes: 0" in text


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_shows_examples_of_itself(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run([name, "--help"]) == 0
    text = capsys.readouterr().out.partition("Examples:")[2]
    assert all(f"gridmill {name}" in example for example in EXAMPLES[name])
    assert text.count(f"gridmill {name}") == len(EXAMPLES[name])


def test_an_unknown_command_is_a_usage_error(command: Command) -> None:
    ended = command("sovle")
    assert ended.returncode == 2
    assert "No such command 'sovle'. Did you mean 'solve'?" in ended.stderr


@pytest.mark.parametrize("words", [("solve", ""), ("solve", "a.txt", "-o", ""), ("verify", ""), ("resume", "")])
def test_an_empty_name_is_said_to_be_empty(refused: Callable[..., str], words: tuple[str, ...]) -> None:
    assert "it is empty; is a variable of the shell not set?" in refused(*words)


def test_ctrl_c_while_the_command_is_imported_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "click.py").write_text("raise KeyboardInterrupt\n")
    words = [sys.executable, "-c", "from gridmill.__main__ import main; main()"]
    path = os.pathsep.join((str(tmp_path), os.environ.get("PYTHONPATH", "")))

    ended = subprocess.run(words, env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True, timeout=60)

    assert (ended.returncode, ended.stdout, ended.stderr) == (130, "", "gridmill: stopped\n")


@pytest.mark.parametrize(("stopped", "code"), [(KeyboardInterrupt, 130), (Terminated, 143)])
def test_who_is_told_to_stop_before_a_command_has_begun_says_a_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], stopped: type[BaseException], code: int
) -> None:
    def interrupted(*_: object) -> None:
        raise stopped

    monkeypatch.setattr(cli.app, "load", interrupted)

    assert cli.run(["solve"]) == code
    assert capsys.readouterr().err.strip() == "gridmill: stopped"


def test_a_file_that_is_not_there_is_told_in_words(command: Command) -> None:
    ended = command("solve", "nowhere.txt", "--quiet")
    assert ended.returncode == 2
    assert ended.stderr.count("\n") == 1
    assert ended.stderr.startswith("gridmill: nowhere.txt cannot be read")


def test_debug_logs_show_where_an_error_came_from(command: Command) -> None:
    assert "Traceback" in command("solve", "nowhere.txt", "--log-level", "debug").stderr


def test_files_named_like_modules_in_the_current_folder_are_not_loaded(
    tmp_path: Path, puzzles: list[tuple[str, str]], command: Command
) -> None:
    for name in ("worker", "producer", "collector", "celery", "redis", "kombu", "click"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('a stranger was loaded')")
    ended = command("solve", "-", "--format", "lines", input="".join(f"{puzzle}\n" for puzzle, _ in puzzles))
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout.split() == [solution for _, solution in puzzles]


def test_a_reader_that_goes_away_is_no_fault(start: Start) -> None:
    process = start("generate", "200")
    assert process.stdout
    process.stdout.readline()
    process.stdout.close()
    assert process.wait(60) == 141
    assert process.stderr
    assert process.stderr.read() == ""


def test_closed_streams_are_taken_by_no_other_file(tmp_path: Path, start: Start) -> None:
    def close() -> None:
        for number in range(3):
            os.close(number)

    (tmp_path / "puzzles.txt").write_text("." * 81)
    process = start("solve", "puzzles.txt", "-o", "a.csv", preexec_fn=close)
    assert process.wait(60) == 0
    assert (tmp_path / "a.csv").read_text().count("multiple") == 1


def test_a_closed_standard_input_has_no_puzzles_and_says_so(start: Start) -> None:
    process = start("stats", "-", preexec_fn=lambda: os.close(0))
    _, said = process.communicate(timeout=60)
    assert (process.returncode, said) == (
        2,
        "gridmill: standard input cannot be read: it is closed; name a file instead of -\n",
    )
