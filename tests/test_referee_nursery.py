"""How the referee's child comes to be: forked ahead, or as a new interpreter."""

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
Start = Callable[..., "subprocess.Popen[str]"]
Printed = Callable[[str], list[str]]

if sys.platform != "linux":
    pytest.skip("elsewhere each child is a new interpreter, which tests/test_referee.py tries", allow_module_level=True)

# A solver that takes as many MB as the first row of a board says, and never comes to an end with a whole row.
GREEDY = """
from gridmill import solvers
from gridmill.solvers.bitmask import Bitmask

class Greedy(Bitmask):
    def search(self, grid, limit, budget):
        while "." not in grid[0]:
            pass
        bytearray(int("".join(grid[0]).strip(".")) * 1_000_000)
        return super().search(grid, limit, budget)

solvers._SOLVERS["greedy"] = Greedy
"""
STARTED = GREEDY + "from collector.child import main\nmain()"

# A command with a nursery, whose children have that solver.
PROGRAM = f"""
{GREEDY}
import os, signal, sys, threading
import msgspec
from collector.child import MEMORY, READY, Question, read, write
from collector.nursery import Nursery
from collector import nursery
from gridmill.answers import Status
from gridmill.board import pack
from gridmill.reply import Claim
from gridmill.settings import CHILD_MEMORY_LEAST

nursery.PROGRAM = (sys.executable, "-P", "-c", {STARTED!r})
NONE = ".71..4.................6...8....9........2..8.....76......81..6....6....6....38.."

def begin(child, memory=CHILD_MEMORY_LEAST):
    write(child.asked, MEMORY.pack(memory))
    assert read(child.said) == READY

def ask(child, board, solver="bitmask", claimed=None):
    write(child.asked, msgspec.msgpack.encode([Question(solver, False, 100_000, pack(board), claimed)]))
    answer = read(child.said)
    return str(msgspec.msgpack.decode(answer, type=list[Claim])[0].status) if answer else None

def wants(megabytes):
    return str(megabytes).ljust(81, ".")

def is_forked(child):
    words = [open(f"/proc/{{pid}}/cmdline").read() for pid in (os.getpid(), child.process.pid)]
    return words[0] == words[1]
"""


BEAR = """
child = house.bear()
begin(child)
print(is_forked(child), ask(child, NONE, claimed=Status.NONE))
"""


def test_the_first_is_forked_and_the_next_is_an_interpreter(printed: Printed) -> None:
    code = "house = Nursery(ahead=True)" + (BEAR + "print(child.end())\n") * 2
    assert printed(code) == ["True none", "-9", "False none", "-9"]


def test_one_is_followed_by_another_when_it_has_died(printed: Printed) -> None:
    """Of a referee, which has one at a time."""
    code = """
import time
from collector.referee import ChildReferee
from gridmill import logs
from gridmill.settings import Settings
house = Nursery(ahead=True)
first = house._waiting.process.pid
referee = ChildReferee(memory=1_000_000_000, seconds=20, nursery=house)
def ruled(key):
    referee.ask(key, [Question("bitmask", False, 1000, pack(NONE), Status.NONE)])
    end, found = time.monotonic() + 60, []
    while not found and time.monotonic() < end:
        found = referee.rulings()
        time.sleep(0.01)
    return key, [str(claim.status) for claim in found[0].claims]
print(ruled(1), referee._child.process.pid == first)
os.kill(first, signal.SIGKILL)
print(ruled(2), referee._child.process.pid == first, is_forked(referee._child))
referee.close()
"""
    first, *logged, second = printed(code)
    assert first == "(1, ['none']) True"
    assert second == "(2, ['none']) False False"
    assert ["the solving child died" in line for line in logged] == [True]


def test_where_there_is_another_thread_none_is_forked(printed: Printed) -> None:
    code = "threading.Thread(target=signal.pause, daemon=True).start()\nhouse = Nursery(ahead=True)"
    assert printed(code + BEAR) == ["False none"]


def test_none_is_forked_unasked(printed: Printed) -> None:
    assert printed("house = Nursery()" + BEAR) == ["False none"]


@pytest.mark.parametrize("ahead", [True, False])
def test_it_may_have_as_much_memory_of_its_own_as_it_is_told_and_no_more(printed: Printed, ahead: bool) -> None:
    """What a forked one shares with the command counts nothing, or it could do less than one that is started."""
    code = f"""
child = Nursery(ahead={ahead}).bear()
begin(child)
print(is_forked(child), ask(child, wants(95), "greedy"), ask(child, wants(145), "greedy"), child.process.wait(60))
"""
    line, *said = printed(code)
    assert line == f"{ahead} multiple None 1"
    assert said[-1] == "MemoryError"


def test_with_the_least_memory_every_solver_solves(printed: Printed) -> None:
    """Also in one that has all that a command has when it forks."""
    code = """
import gridmill.cli.solve
from gridmill import roles
house = roles.nurseries()
house.workers.close()
child = house.children.bear()
begin(child)
del solvers._SOLVERS["greedy"]
print(is_forked(child), {name: ask(child, NONE, name, Status.NONE) for name in solvers.names()})
"""
    (line,) = printed(code)
    forked, _, answers = line.partition(" ")
    assert forked == "True"
    assert set(eval(answers).values()) == {"none"}


WAITING = """
house = Nursery(ahead=True)
pid = house._waiting.process.pid
"""


def test_one_that_is_not_wanted_ends_without_a_word(printed: Printed) -> None:
    assert printed(WAITING + "house.close()\nprint(os.path.exists(f'/proc/{pid}'))") == ["False"]


def test_closing_what_has_borne_does_nothing_to_it(printed: Printed) -> None:
    code = "house = Nursery(ahead=True)" + BEAR + "house.close()\nprint(child.process.poll())"
    assert printed(code)[1:] == ["None"]


@pytest.mark.parametrize("code", [WAITING, "house = Nursery(ahead=True)" + BEAR + "pid = child.process.pid\n"])
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
    assert process.stderr is not None
    assert process.stderr.read() == ""


@pytest.mark.parametrize("ahead", [True, False])
def test_it_ends_in_the_midst_of_a_search_when_who_started_it_is_killed(
    running: Callable[[str], "subprocess.Popen[str]"], wait_until: Wait, ahead: bool
) -> None:
    # Given
    code = f"""
child = Nursery(ahead={ahead}).bear()
begin(child)
write(child.asked, msgspec.msgpack.encode([Question("greedy", False, 1, pack("123456789" + "." * 72), None)]))
print(is_forked(child), child.process.pid, flush=True)
signal.pause()
"""
    process = running(code)
    assert process.stdout is not None
    is_forked, pid = process.stdout.readline().split()
    assert is_forked == str(ahead)
    # When
    process.kill()
    # Then
    wait_until(lambda: not lives(int(pid)), "its end")


def words_of(pid: int) -> list[str]:
    return Path(f"/proc/{pid}/cmdline").read_text().split("\0")


def child_of(run: int) -> int | None:
    """The forked child of the command ``run``, which alone has pipes of its own for both its input and its output."""
    try:
        outs = os.readlink(f"/proc/{run}/fd/1")
        for pid in map(int, Path(f"/proc/{run}/task/{run}/children").read_text().split()):
            own = [os.readlink(f"/proc/{pid}/fd/{number}") for number in (0, 1)]
            if words_of(pid) == words_of(run) and all(end.startswith("pipe:") for end in own) and outs not in own:
                return pid
    except OSError:  # one has just ended
        pass
    return None


@pytest.mark.parametrize("is_killed", [False, True])
def test_a_run_asks_the_forked_one_and_goes_on_when_that_is_killed_before(
    start: Start, puzzles: Puzzles, tmp_path: Path, wait_until: Wait, is_killed: bool
) -> None:
    # Given
    (tmp_path / "in.txt").write_text("".join(f"{puzzle}\n" for puzzle, _ in puzzles))
    run = start("solve", "-", "-o", "out.csv", "--workers", 1, "--audit", 1)  # it waits for its input
    wait_until(lambda: child_of(run.pid), "the child")
    child = child_of(run.pid)
    assert child is not None
    # When
    if is_killed:
        os.kill(child, signal.SIGKILL)
    _, said = run.communicate((tmp_path / "in.txt").read_text(), timeout=60)
    # Then
    assert run.returncode == 0, said
    assert ("the solving child did not start" in said) == is_killed
    assert not lives(child)
    with (tmp_path / "out.csv").open(newline="") as file:
        assert [row["solution"] for row in csv.DictReader(file)] == [solution for _, solution in puzzles]
