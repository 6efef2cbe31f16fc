"""``gridmill solve``, as a process: real workers, a private server."""

import csv
import os
import pty
import re
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from gridmill.embedded import Server

Command = Callable[..., "subprocess.CompletedProcess[str]"]
Start = Callable[..., "subprocess.Popen[str]"]
Puzzles = list[tuple[str, str]]

TWO_SOLUTIONS = "..3456789456789123789123456..4365897365897214897214365531642978642978531978531642"
CLASH = "55" + "." * 79
BUDGET = "................................................................................."  # for a budget of 1


@pytest.fixture
def file(tmp_path: Path, puzzles: Puzzles) -> Path:
    path = tmp_path / "puzzles.txt"
    path.write_text("# thirty of them\n" + "".join(f"{puzzle}\n" for puzzle, _ in puzzles))
    return path


def test_every_puzzle_is_answered_in_order(file: Path, tmp_path: Path, puzzles: Puzzles, command: Command) -> None:
    ended = command("solve", file, "-o", "answers.csv")
    assert ended.returncode == 0, ended.stderr
    with (tmp_path / "answers.csv").open(newline="") as answers:
        rows = [(row["puzzle"], row["status"], row["solution"]) for row in csv.DictReader(answers)]
    assert rows == [(puzzle, "unique", solution) for puzzle, solution in puzzles]


def test_only_the_answers_and_how_fast_it_was_are_left_when_it_has_ended(
    file: Path, tmp_path: Path, command: Command
) -> None:
    assert command("solve", file, "-o", "answers.csv").returncode == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["answers.csv", "puzzles.txt"]
    left = [path.parent.name for path in Path(os.environ["XDG_STATE_HOME"]).rglob("*") if not path.is_dir()]
    assert left == ["tracks"]  # for a report, see `gridmill.track`


def test_the_summary_is_all_that_it_says(file: Path, command: Command) -> None:
    ended = command("solve", file, "-o", "answers.csv", "--workers", "1")
    lines = [line for line in ended.stderr.splitlines() if "without the native kernel" not in line]
    assert ended.stdout == ""
    assert [re.split(r"  +", line)[0] for line in lines if "records a second" not in line] == [
        "records read", "lines skipped", "unique", "rejected answers", "time", "answers",
    ]  # fmt: skip


def test_a_missing_kernel_is_mentioned_in_one_line(
    file: Path, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GRIDMILL_KERNEL", "python")
    monkeypatch.delenv("GRIDMILL_REQUIRE_NATIVE", raising=False)
    assert command("solve", file, "-o", "a.csv").stderr.count("without the native kernel") == 1


def test_a_kernel_that_is_demanded_and_missing_is_an_error(
    file: Path, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GRIDMILL_KERNEL", "python")
    monkeypatch.setenv("GRIDMILL_REQUIRE_NATIVE", "1")
    assert command("solve", file, "-o", "a.csv").returncode == 2


DECLINES = """
import os
from gridmill import solvers
os.register_at_fork(after_in_child=lambda: solvers._SOLVERS.pop("bitmask", None))
"""  # what Python runs at its start: a worker's children are forked, however it came to be itself


def test_a_run_whose_workers_all_decline_ends_and_says_why_and_can_be_gone_on_with(
    file: Path, tmp_path: Path, puzzles: Puzzles, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "sitecustomize.py").write_text(DECLINES)
    words = ("solve", file, "-o", "answers.txt", "--solver", "bitmask", "--chunk", "5")
    with monkeypatch.context() as patch:
        patch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")]))
        for name in ("LEASE", "BEAT", "GRACE"):
            patch.setenv(f"GRIDMILL_{name}", "1")
        ended = command(*words)
    assert ended.returncode == 3
    last = ended.stderr.splitlines()[-1]
    assert re.search("the workers of this run decline job .*no solver is called 'bitmask'.*gridmill doctor", last)

    assert command(*words).returncode == 0
    assert (tmp_path / "answers.txt").read_text() == "".join(f"{solution}\n" for _, solution in puzzles)


def test_on_a_server_that_others_use_no_decline_ends_a_run_for_it_may_be_forged(
    file: Path,
    tmp_path: Path,
    puzzles: Puzzles,
    server: Server,
    start: Start,
    command: Command,
    wait_until: Callable[..., None],
) -> None:
    (tmp_path / "sitecustomize.py").write_text(DECLINES)
    hasty = {f"GRIDMILL_{name}": "1" for name in ("LEASE", "BEAT", "GRACE")}
    path = {"PYTHONPATH": os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])}
    words = ("solve", file, "-o", "answers.txt", "--solver", "bitmask", "--chunk", "5", "--broker", server.url)
    with (tmp_path / "log").open("w") as said:
        process = start(*words, stderr=said, env=os.environ | hasty | path)
    again = "nobody begins: workers decline, and no other comes"
    wait_until(lambda: (tmp_path / "log").read_text().count(again) >= 2, "it is said again, and the run goes on")

    process.send_signal(signal.SIGINT)
    assert process.wait(20) == 130
    assert command(*words).returncode == 0
    assert (tmp_path / "answers.txt").read_text() == "".join(f"{solution}\n" for _, solution in puzzles)


def test_standard_output_gets_the_answers_and_nothing_else(puzzles: Puzzles, command: Command) -> None:
    lines = "".join(f"{puzzle}\n" for puzzle, _ in puzzles)
    ended = command("solve", "-", "--format", "lines", "--log-level", "info", input=lines)
    assert ended.stdout == "".join(f"{solution}\n" for _, solution in puzzles)


def test_quiet_prints_nothing(file: Path, command: Command) -> None:
    ended = command("solve", file, "-o", "answers.csv", "--quiet")
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "", "")


def test_rubbish_is_answered_in_its_place(puzzles: Puzzles, command: Command) -> None:
    puzzle, solution = puzzles[0]
    lines = [puzzle, "what is this?", CLASH, TWO_SOLUTIONS, puzzle]
    ended = command("solve", "-", "--format", "lines", "--strict", input="\n".join(lines))
    assert ended.returncode == 1
    assert ended.stdout.split() == [solution, "<malformed>", "<clash>", "<multiple>", solution]


def test_a_spent_budget_makes_the_run_incomplete(command: Command) -> None:
    ended = command("solve", "-", "--format", "lines", "--budget", "1", "--strict", input=BUDGET)
    assert (ended.returncode, ended.stdout) == (3, "<undecided>\n")


def test_the_first_solution_is_enough_where_it_is_asked_for(command: Command) -> None:
    ended = command("solve", "-", "--format", "counts", "--first", "--strict", input=TWO_SOLUTIONS)
    assert ended.returncode == 0
    assert f"{TWO_SOLUTIONS}:>0:" in ended.stdout


def test_an_output_that_exists_is_left_alone(file: Path, tmp_path: Path, command: Command) -> None:
    (tmp_path / "answers.csv").write_text("mine")
    ended = command("solve", file, "-o", "answers.csv", "--quiet")
    assert ended.returncode == 2
    assert "--force" in ended.stderr
    assert (tmp_path / "answers.csv").read_text() == "mine"


def test_a_folder_that_is_not_there_is_named(file: Path, tmp_path: Path, command: Command) -> None:
    ended = command("solve", file, "-o", "nowhere/answers.csv", "--quiet")
    assert ended.returncode == 2
    assert f"{tmp_path}/nowhere" in ended.stderr


def test_a_file_that_stands_for_a_folder_is_named(file: Path, command: Command) -> None:
    ended = command("solve", file, "-o", f"{file}/answers.csv", "--quiet")
    assert (ended.returncode, ended.stderr.count("\n")) == (2, 1)
    assert f"{file} is no folder" in ended.stderr


def test_a_link_that_leads_to_itself_is_no_output(file: Path, tmp_path: Path, command: Command) -> None:
    (tmp_path / "answers.csv").symlink_to("answers.csv")
    ended = command("solve", file, "-o", "answers.csv", "--quiet")
    assert (ended.returncode, ended.stderr.count("\n")) == (2, 1)
    assert "answers.csv is a link that leads back to itself" in ended.stderr


def test_a_name_that_is_too_long_is_no_output(file: Path, command: Command) -> None:
    ended = command("solve", file, "-o", 300 * "x" + ".csv", "--quiet")
    assert (ended.returncode, ended.stderr.count("\n")) == (2, 1)
    assert f"the name {20 * 'x'}… has more than 240 bytes; give a shorter one" in ended.stderr


def test_a_name_that_only_a_folder_has_is_no_output(file: Path, tmp_path: Path, command: Command) -> None:
    ended = command("solve", file, "-o", "nowhere/", "--quiet")
    assert ended.returncode == 2
    assert "nowhere/ can only be a folder; name a file" in ended.stderr
    assert not (tmp_path / "nowhere").exists()


def test_a_server_that_does_not_answer_is_an_error_that_names_it(file: Path, tmp_path: Path, command: Command) -> None:
    ended = command("solve", file, "-o", "answers.csv", "--quiet", "--broker", f"unix://{tmp_path}/nowhere")
    assert ended.returncode == 3
    assert f"no server answers at {tmp_path}/nowhere" in ended.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["puzzles.txt"]


def test_a_terminal_shows_a_bar_and_a_table(file: Path, on_terminal: Callable[..., str]) -> None:
    shown = on_terminal("stderr", "solve", file, "-o", "answers.csv")
    assert "━" in shown
    assert "30 of 30 records" in shown
    assert re.search(r"records read +30", shown)


def test_a_terminal_without_colour_gets_none(
    file: Path, on_terminal: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    shown = on_terminal("stderr", "solve", file, "-o", "answers.csv")
    assert "30 of 30 records" in shown
    assert re.findall(r"\x1b\[[0-9;]*(?:3|4|9|10)[0-7][0-9;]*m", shown) == []


def test_no_terminal_no_bar(file: Path, command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    said = command("solve", file, "-o", "answers.csv").stderr
    assert "\x1b" not in said
    assert "━" not in said


def test_standard_input_that_stalls_does_not_keep_it(
    tmp_path: Path, puzzles: Puzzles, start: Start, wait_until: Callable[..., None]
) -> None:
    # Given a run whose input does not come to its end
    process = start("solve", "-", "-o", "answers.txt", "--chunk", "10")
    assert process.stdin
    process.stdin.write("".join(f"{puzzle}\n" for puzzle, _ in 10 * puzzles))
    process.stdin.flush()
    part = tmp_path / "answers.txt.part"
    wait_until(lambda: part.exists() and part.stat().st_size > 82 * 100, "a hundred answers are written")
    # When it is told to stop
    process.send_signal(signal.SIGINT)
    assert process.stderr
    said = process.stderr.read()
    # Then
    assert process.wait(20) == 130
    assert "to go on: gridmill resume answers.txt (give it the same standard input)" in said
    assert "Fatal" not in said


def test_who_types_is_told_how_to_end_and_that_ctrl_c_stopped_it(start: Start, wait_until: Callable[..., None]) -> None:
    ours, theirs = pty.openpty()
    process = start("solve", "-", "-o", "answers.csv", stdin=theirs)
    os.close(theirs)
    assert process.stderr
    assert process.stderr.readline().endswith("Ctrl-D ends\n")
    process.send_signal(signal.SIGINT)
    said = process.stderr.read()
    assert (process.wait(20), said.splitlines()[-1]) == (130, "gridmill: stopped")
    os.close(ours)


@pytest.mark.parametrize("option", ["--budget", "--chunk"])
def test_a_number_beyond_all_measure_is_an_error_of_usage(file: Path, option: str, refused: Callable[..., str]) -> None:
    assert f"Invalid value for '{option}'" in refused("solve", file, option, 10**25, "--quiet")
