"""How many records are a chunk: by what a sample of the boards takes, on a clock that the test's own solver moves."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import islice, product
from pathlib import Path

import pytest

from gridmill import pace, solvers
from gridmill.board import HOLE, PACKED, Grid, pack, unpack
from gridmill.chunk import Record
from gridmill.reply import Claim, Reply
from gridmill.solvers.outcome import Outcome
from producer.cut import cut

EMPTY = pack("." * 81)
CLASH = pack("55" + "." * 79)
HARD = pack("1" + "." * 80)

forking = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="a process is forked on Linux alone")


@dataclass
class Timed:
    """A solver that takes so many seconds a board, on its own clock."""

    seconds: float = 0.001
    hard: float = 0.001  # the same of HARD
    name: str = "timed"
    summary: str = ""
    version: int = 1
    proves: bool = True
    budget: int = 6400
    chunk: int = 2000
    time: float = 0.0
    asked: list[bytes] = field(default_factory=list)
    budgets: set[int] = field(default_factory=set)

    def now(self) -> float:
        return self.time

    def search(self, grid: Grid, limit: int, budget: int) -> Outcome:
        self.budgets.add(budget)
        board = pack("".join(map("".join, grid)))
        self.asked.append(board)
        self.time += self.hard if board == HARD else self.seconds
        return Outcome((), 1, True)


@dataclass
class TimedBatch(Timed):
    """The same for many boards at once."""

    calls: list[int] = field(default_factory=list)

    def reply(self, boards: bytes, limit: int, budget: int, tick: Callable[[], None]) -> Reply:
        count = len(boards) // PACKED
        self.calls.append(count)
        self.time += self.seconds * count
        return Reply.of([Claim(None)] * count)


def measured(solver: Timed, boards: bytes, budget: int = 10**9) -> float:
    return pace.pace(solver, boards, first=False, budget=budget, now=solver.now)


@pytest.mark.parametrize(
    ("seconds", "records"),
    [(0.0, 2000), (1e-6, 2000), (1e-4, 2000), (0.00032, 1200), (0.001, 400), (0.0032, 125), (0.01, 125), (3.0, 125)],
)
def test_a_chunk_is_two_fifths_of_a_second_of_work_and_not_below_a_sixteenth_of_the_most(
    seconds: float, records: int
) -> None:
    assert pace.fitting(Timed(), seconds) == records


def test_the_pace_is_that_of_a_board() -> None:
    assert measured(Timed(seconds=0.002), EMPTY * 300) == pytest.approx(0.002)


def test_a_sample_ends_with_its_time() -> None:
    solver = Timed(seconds=0.005)
    measured(solver, EMPTY * 300)
    assert len(solver.asked) == 1 + 4  # the first one is not timed


def test_of_a_slow_solver_a_single_board_is_timed() -> None:
    solver = Timed(seconds=7.0)
    assert measured(solver, EMPTY * 300) == 7.0
    assert len(solver.asked) == 2


def test_a_sample_ends_with_its_boards() -> None:
    solver = Timed(seconds=1e-9)
    measured(solver, EMPTY * 5000)
    assert len(solver.asked) == 1 + pace.SAMPLE
    assert measured(Timed(seconds=1e-9), EMPTY * 3) == pytest.approx(1e-9)


def test_a_solver_that_takes_many_gets_many_and_its_clock_is_looked_at_between() -> None:
    solver = TimedBatch(seconds=0.00005)  # 12.8 ms for as many as it gets at once
    assert measured(solver, EMPTY * 5000) == pytest.approx(0.00005)
    assert solver.calls == [1, pace.TOGETHER, pace.TOGETHER]


def test_what_a_solver_does_once_is_not_its_pace() -> None:
    class Loading(Timed):
        def search(self, grid: Grid, limit: int, budget: int) -> Outcome:
            self.time += 0 if self.asked else 9.0
            return super().search(grid, limit, budget)

    assert measured(Loading(seconds=0.001), EMPTY * 300) == pytest.approx(0.001)


@pytest.mark.parametrize("hard_first", [True, False])
def test_boards_that_are_sorted_count_all_alike(hard_first: bool) -> None:
    solver = Timed(seconds=0.0001, hard=0.0003)
    halves = [HARD * 400, EMPTY * 400]
    found = measured(solver, b"".join(halves if hard_first else halves[::-1]))
    assert len(solver.asked) < 200
    assert found == pytest.approx(0.0002, rel=0.05)


def apart() -> Iterator[str]:
    """Different boards, none of which clashes: four cells that see nothing of each other."""
    for a, b, c, d in product("123456789", repeat=4):
        yield f"{a}{'.' * 11}{b}{'.' * 11}{c}{'.' * 3}{d}".ljust(81, ".")


@pytest.mark.parametrize("count", [1, 2, 3, 100, 256, 257, 1000, 3121])
def test_no_board_of_a_sample_is_asked_twice(count: int) -> None:
    solver = Timed(seconds=1e-9)
    measured(solver, b"".join(pack(board) for board in islice(apart(), count)))
    timed = solver.asked[1:]
    assert len(timed) == min(count, pace.SAMPLE)
    assert len(timed) == len(set(timed))


def test_broken_and_clashing_boards_cost_what_they_cost() -> None:
    solver = Timed(seconds=0.001)
    assert measured(solver, (EMPTY + HOLE + CLASH + HOLE) * 100) == pytest.approx(0.00025, rel=0.2)
    assert HOLE not in solver.asked
    assert measured(Timed(), HOLE * 500) == 0.0


@pytest.mark.parametrize(("budget", "given"), [(10**12, 100), (101, 100), (7, 7), (1, 1)])
def test_a_board_gets_a_small_part_of_its_nodes(budget: int, given: int) -> None:
    solver = Timed(seconds=1.0)
    measured(solver, EMPTY * 300, budget=budget)
    assert solver.budgets == {given}


# A process is forked from an interpreter of its own, since pytest's has threads now and then.
PROGRAM = """
import os, signal, threading, time
from gridmill import pace
from gridmill.board import pack
from gridmill.solvers.bitmask import Bitmask

class Odd(Bitmask):
    def search(self, grid, limit, budget):
        print("solving", flush=True)
        {act}
        return super().search(grid, limit, budget)

pace.PATIENCE = {patience}
before = os.listdir("/proc/self/fd")
print(pace.chunk(Odd(), pack("." * 81) * 500, first=False, budget=1000))
assert os.listdir("/proc/self/fd") == before
"""


def chunk_of(act: str) -> int:
    """The chunk for a solver that does this with each board first, and prints something."""
    program = PROGRAM.format(act=act, patience=5.0)
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert ended.stderr == ""
    return int(ended.stdout)


@forking
def test_what_takes_its_time_gets_the_smallest_chunk() -> None:
    slow = "end = time.thread_time() + 0.05\n        while time.thread_time() < end: pass"
    assert chunk_of(slow) == solvers.get("bitmask").chunk / pace.SHARE


@forking
@pytest.mark.parametrize(
    "act",
    [
        "os.kill(os.getpid(), signal.SIGKILL)",
        "raise ImportError('a library is missing')",
        "threading.Event().wait()",
    ],
)
def test_a_board_that_spoils_the_sample_leaves_what_is_usual(act: str) -> None:
    assert chunk_of(act) == solvers.get("bitmask").chunk


@forking
def test_a_sample_that_hangs_does_not_outlive_its_starter_by_much() -> None:
    hang = "os.write(2, b'solving'); threading.Event().wait()"
    program = PROGRAM.format(act=hang, patience=1.0)
    with subprocess.Popen([sys.executable, "-c", program], stderr=subprocess.PIPE) as starter:
        assert starter.stderr is not None
        assert starter.stderr.read(7) == b"solving"
        starter.kill()
        assert starter.communicate(timeout=30)[1] == b""  # the sample's process had the other end


def test_a_process_that_cannot_be_forked_has_what_is_usual(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gridmill.fork.is_possible", lambda: False)
    solver = Timed()
    assert pace.chunk(solver, EMPTY * 500, first=False, budget=1) == solver.chunk
    assert solver.asked == []


@pytest.mark.parametrize("name", solvers.names())
def test_only_what_would_be_a_single_chunk_anyway_is_not_measured(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pace, "_apart", lambda measure: 9.0)
    solver = solvers.get(name)
    least = pace.fitting(solver, 9.0)

    def size(count: int) -> int:
        return pace.chunk(solver, EMPTY * count, first=False, budget=1)

    few = next(count for count in range(1, 1000) if size(count) == least) - 1
    assert 0 < few <= least
    for chunk in (least, solver.chunk):
        assert len(list(cut([Record(line, unpack(EMPTY)) for line in range(few)], chunk))) == 1


@pytest.mark.parametrize("name", solvers.names())
def test_every_solver_can_be_sampled(name: str, puzzles: list[tuple[str, str]]) -> None:
    solver = solvers.get(name)
    boards = b"".join(pack(puzzle) for puzzle, _ in puzzles)
    seconds = pace.pace(solver, boards + HOLE + CLASH, first=False, budget=solver.budget)
    assert seconds > 0
    assert solver.chunk / pace.SHARE <= pace.fitting(solver, seconds) <= solver.chunk


# For each but SAT's own, with the dearest boards that are known.
OTHERS = """
import sys
from gridmill import pace, solvers
from gridmill.board import pack
from gridmill.formats.answers_file import read_answers
boards = b"".join(pack(stated.puzzle) for stated in read_answers(sys.argv[1]))
for name in solvers.names():
    if name != "sat":
        pace.pace(solvers.get(name), boards, first=False, budget=10**9)
print("pysat" in sys.modules)
"""


def test_sat_is_not_loaded_for_the_sample_of_another_solver() -> None:
    monsters = str(Path(__file__).parent / "data" / "monsters.txt")
    ended = subprocess.run([sys.executable, "-c", OTHERS, monsters], capture_output=True, text=True, timeout=60)
    assert (ended.stdout, ended.stderr) == ("False\n", "")
