"""``gridmill resume``: a run that was stopped comes to the same end."""

import signal
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

Command = Callable[..., "subprocess.CompletedProcess[str]"]
Start = Callable[..., "subprocess.Popen[str]"]
Puzzles = list[tuple[str, str]]

TIMES = 200  # that the puzzles are in the input: 6,000 records take the bit mask solver a second or more
OPTIONS = ("--solver", "bitmask", "--chunk", "200", "--format", "lines")


@pytest.fixture
def stop(
    tmp_path: Path, puzzles: Puzzles, start: Start, wait_until: Callable[..., None]
) -> Callable[..., "subprocess.CompletedProcess[str]"]:
    """``stop(out, signal)``: begin a long run into ``out``, and stop it when some answers are written."""
    (tmp_path / "puzzles.txt").write_text("".join(f"{puzzle}\n" for puzzle, _ in puzzles) * TIMES)

    def run(
        out: str, number: int = signal.SIGINT, options: tuple[str, ...] = OPTIONS
    ) -> "subprocess.CompletedProcess[str]":
        process = start("solve", "puzzles.txt", "-o", out, *options)
        part = tmp_path / f"{out}.part"
        wait_until(lambda: part.exists() and part.stat().st_size > 0, "some answers are written")
        process.send_signal(number)
        stdout, stderr = process.communicate(timeout=20)
        return subprocess.CompletedProcess(process.args, process.returncode, stdout, stderr)

    return run


def expected(puzzles: Puzzles) -> str:
    return "".join(f"{solution}\n" for _, solution in puzzles) * TIMES


def test_a_run_that_was_stopped_goes_on_to_the_same_bytes(
    tmp_path: Path, puzzles: Puzzles, stop: Command, command: Command
) -> None:
    # Given
    stopped = stop("answers.txt")
    assert stopped.returncode == 130, stopped.stderr
    assert "to go on: gridmill resume answers.txt" in stopped.stderr
    assert not (tmp_path / "answers.txt").exists()
    # When
    ended = command("resume")
    # Then
    assert ended.returncode == 0, ended.stderr
    assert (tmp_path / "answers.txt").read_text() == expected(puzzles)
    assert "of them by an earlier run" in ended.stderr


def test_the_same_command_goes_on_too(tmp_path: Path, puzzles: Puzzles, stop: Command, command: Command) -> None:
    assert stop("answers.txt", signal.SIGTERM).returncode == 143
    ended = command("solve", "puzzles.txt", "-o", "answers.txt", *OPTIONS)
    assert "of them by an earlier run" in ended.stderr
    assert (tmp_path / "answers.txt").read_text() == expected(puzzles)


@pytest.mark.parametrize("named", [("--chunk", "77"), ()], ids=["named", "measured"])
def test_a_run_that_was_killed_goes_on_in_its_chunks_though_none_are_named(
    tmp_path: Path, puzzles: Puzzles, stop: Command, command: Command, named: tuple[str, ...]
) -> None:
    unnamed = ("--solver", "bitmask", "--format", "lines")
    assert stop("answers.txt", signal.SIGKILL, (*unnamed, *named)).returncode == -signal.SIGKILL
    assert (tmp_path / "answers.txt.gridmill").exists()
    ended = command("solve", "puzzles.txt", "-o", "answers.txt", *unnamed)
    assert ended.returncode == 0, ended.stderr  # in other chunks it would be another job's, and refused
    assert (tmp_path / "answers.txt").read_text() == expected(puzzles)


def test_the_output_of_a_run_that_was_stopped_is_not_given_to_another(
    tmp_path: Path, puzzles: Puzzles, stop: Command, command: Command
) -> None:
    stop("an out.txt")
    (tmp_path / "other.txt").write_text("." * 81 + "\n")
    ended = command("solve", "other.txt", "-o", "an out.txt", *OPTIONS)
    assert ended.returncode == 2
    assert f"go on with it (gridmill resume '{tmp_path}/an out.txt'), or give --force" in ended.stderr
    assert command("resume", "an out.txt", "--quiet").returncode == 0
    assert (tmp_path / "an out.txt").read_text() == expected(puzzles)


def test_of_several_runs_one_must_be_named(stop: Command, command: Command) -> None:
    stop("one.txt")
    stop("two.txt")
    ended = command("resume")
    assert ended.returncode == 2
    assert "one.txt" in ended.stderr
    assert "two.txt" in ended.stderr


def test_a_run_is_found_by_its_job(tmp_path: Path, puzzles: Puzzles, stop: Command, command: Command) -> None:
    stop("answers.txt")
    job = command("status").stdout.splitlines()[1].split()[0]
    assert command("resume", job, "--quiet").returncode == 0
    assert (tmp_path / "answers.txt").read_text() == expected(puzzles)


def test_an_input_that_was_changed_is_not_mixed_in(tmp_path: Path, stop: Command, command: Command) -> None:
    stop("answers.txt")
    lines = (tmp_path / "puzzles.txt").read_text().splitlines(keepends=True)
    (tmp_path / "puzzles.txt").write_text("".join(reversed(lines)))
    ended = command("resume", "answers.txt", "--quiet")
    assert ended.returncode == 2
    assert "the input is not the one" in ended.stderr


def test_without_an_unfinished_run_there_is_nothing_to_resume(command: Command) -> None:
    ended = command("resume")
    assert ended.returncode == 2
    assert "there is no unfinished run" in ended.stderr


def test_the_root_of_all_folders_is_no_output(command: Command) -> None:
    for words in (("resume", "/"), ("watch", "/")):
        ended = command(*words)
        assert (ended.returncode, "Traceback" in ended.stderr) == (2, False)


def test_an_output_without_a_journal_has_nothing_to_resume(command: Command) -> None:
    ended = command("resume", "answers.csv")
    assert ended.returncode == 2
    assert "answers.csv has no journal" in ended.stderr
