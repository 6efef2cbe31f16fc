"""How a worker's main process comes to be: forked ahead, or as a new interpreter."""

import csv
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from living import lives

Wait = Callable[..., None]
Puzzles = list[tuple[str, str]]
Command = Callable[..., "subprocess.CompletedProcess[str]"]
Start = Callable[..., "subprocess.Popen[str]"]

TIMES = 400  # that the puzzles are in the input: 12,000 records take the bit mask solver two seconds or more

if sys.platform != "linux":
    pytest.skip(
        "elsewhere each worker is a new interpreter, which tests/test_supervisor.py tries", allow_module_level=True
    )

# A command with a nursery. Its workers' life is to say how they came to be and what they were given.
PROGRAM = """
import os, signal, sys, threading
os.environ["GIVEN"] = "before"
from worker import life, nursery
from worker.nursery import Nursery

SAYS = "import os, sys; print(os.getpid(), {how!r}, os.environ['GIVEN'], file=sys.stderr, flush=True); {then}"
def say(signs):
    exec(SAYS.format(how="forked", then="os.write(signs, b'sign'); signal.pause()"))
life.load, life.run = lambda: None, say
nursery.PROGRAM = (sys.executable, "-c", SAYS.format(how="program", then="sys.stdin.read()"))
"""


BEAR = """
worker = house.bear({"GIVEN": "now"}, told=True)
pid, how, given = worker.said.readline().split()
print(how, given.decode(), int(pid) == worker.process.pid)
"""
SIGN = """
os.set_blocking(worker.signs, True)
print(os.read(worker.signs, 9))
"""


def test_the_first_is_forked_and_the_next_is_an_interpreter(printed: Callable[[str], list[str]]) -> None:
    end = "\nworker.close()\nworker.process.wait(60)\n"
    assert printed("house = Nursery(ahead=True)" + (BEAR + end) * 2) == ["b'forked' now True", "b'program' now True"]


def test_it_gives_signs(printed: Callable[[str], list[str]]) -> None:
    assert printed("house = Nursery(ahead=True)" + BEAR + SIGN)[1:] == ["b'sign'"]


def test_what_nobody_is_to_be_told_goes_to_standard_error(printed: Callable[[str], list[str]]) -> None:
    bear = "worker = Nursery(ahead=True).bear({'GIVEN': 'now'}, told=False)\nprint(worker.said)"
    lines = printed(bear + SIGN)
    assert lines[:2] == ["None", "b'sign'"]
    assert lines[2].split()[1:] == ["forked", "now"]


def test_where_there_is_another_thread_none_is_forked(printed: Callable[[str], list[str]]) -> None:
    code = "threading.Thread(target=signal.pause, daemon=True).start()\nhouse = Nursery(ahead=True)"
    assert printed(code + BEAR) == ["b'program' now True"]


def test_none_is_forked_unasked(printed: Callable[[str], list[str]]) -> None:
    assert printed("house = Nursery()" + BEAR) == ["b'program' now True"]


def test_nothing_is_left_of_it_among_the_temporary_files(command: Command, tmp_path: Path) -> None:
    (tmp_path / "in.txt").write_text("." * 81)
    (tmp_path / "temporary").mkdir()

    ended = command("solve", "in.txt", "-o", "out.csv", env={**os.environ, "TMPDIR": str(tmp_path / "temporary")})

    assert ended.returncode == 0, ended.stderr
    assert os.listdir(tmp_path / "temporary") == []


WAITING = """
house = Nursery(ahead=True)
pid = house._waiting._process.pid
"""


def test_one_that_is_not_wanted_ends_without_a_word(printed: Callable[[str], list[str]]) -> None:
    assert printed(WAITING + "house.close()\nprint(os.path.exists(f'/proc/{pid}'))") == ["False"]


def test_closing_what_has_borne_does_nothing_to_it(printed: Callable[[str], list[str]]) -> None:
    assert printed("house = Nursery(ahead=True)" + BEAR + "house.close()\nprint(worker.process.poll())")[1:] == ["None"]


@pytest.mark.parametrize("code", [WAITING, "house = Nursery(ahead=True)" + BEAR + "pid = int(pid)\n"])
def test_it_ends_when_who_forked_it_is_killed(
    running: Callable[[str], "subprocess.Popen[str]"], wait_until: Wait, code: str
) -> None:
    process = running(code + "print('pid', pid, flush=True)\nsignal.pause()")
    assert process.stdout is not None
    lines = iter(process.stdout.readline, "")
    pid = next(int(line.split()[1]) for line in lines if line.startswith("pid"))
    assert lives(pid)

    process.kill()

    wait_until(lambda: not lives(pid), "its end")


def test_one_that_was_killed_while_it_waited_counts_as_ended(printed: Callable[[str], list[str]]) -> None:
    code = """
os.kill(pid, signal.SIGKILL)
worker = house.bear({"GIVEN": "x" * 100_000}, told=True)
print(worker.process.wait(60), worker.said.read())
"""
    assert printed(WAITING + code) == ["-9 b''"]


def children_of(pid: int) -> list[int]:
    try:
        return [int(each) for each in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:  # it has just ended
        return []


def words_of(pid: int) -> list[str]:
    return Path(f"/proc/{pid}/cmdline").read_text().split("\0")


def workers_of(pid: int) -> list[int]:
    """The workers' main processes below ``pid``: no other interpreter there has children of its own."""
    return [each for each in children_of(pid) if children_of(each) and words_of(each)[0] == sys.executable]


def test_the_worker_of_a_run_has_nothing_of_the_command_and_is_started_again(
    start: Start, puzzles: Puzzles, tmp_path: Path, wait_until: Wait
) -> None:
    # Given
    (tmp_path / "in.txt").write_text("".join(f"{puzzle}\n" for puzzle, _ in puzzles) * TIMES)
    run = start("solve", "in.txt", "-o", "out.csv", "--workers", 1, "--solver", "bitmask", "--chunk", 200)
    wait_until(lambda: workers_of(run.pid), "the worker with its child")
    (first,) = workers_of(run.pid)
    # Then
    assert words_of(first) == words_of(run.pid)  # forked
    mine = {os.readlink(path) for path in Path(f"/proc/{first}/fd").iterdir()}
    named = {name for name in mine if name.startswith("/") and not name.endswith("(deleted)")}  # that is Celery's
    assert named == {os.devnull}  # no journal, no lock, no log of a server
    assert "psutil" not in Path(f"/proc/{first}/maps").read_text()  # nothing that `gridmill.lean` knows
    # When
    os.kill(first, signal.SIGKILL)
    # Then
    wait_until(lambda: [each for each in workers_of(run.pid) if each != first], "another worker")
    (second,) = workers_of(run.pid)
    assert words_of(second)[1:4] == ["-P", "-m", "worker"]
    _, said = run.communicate(timeout=60)
    assert run.returncode == 0, said
    assert "the worker is started again" in said
    with (tmp_path / "out.csv").open(newline="") as file:
        assert [row["solution"] for row in csv.DictReader(file)] == [solution for _, solution in puzzles] * TIMES


@pytest.mark.parametrize(
    "words", [("missing.txt",), ("in.txt", "--input-format", "nonsense"), ("in.txt", "-o", "in.txt")]
)
def test_a_run_that_cannot_begin_says_so_and_nothing_else(
    command: Callable[..., "subprocess.CompletedProcess[str]"], tmp_path: Path, puzzles: Puzzles, words: tuple[str, ...]
) -> None:
    (tmp_path / "in.txt").write_text(puzzles[0][0] + "\n")

    ended = command("solve", *words)  # waits until nobody has its standard error any more

    assert ended.returncode == 2
    assert ended.stderr.count("gridmill: ") == 1
    assert ended.stderr.startswith("gridmill: ")
