"""How long the default solver takes for boards that are hard on purpose, one at a time and among easy ones.

    python benchmarks/tricky.py [FILE] [--repetitions R]

FILE has ``puzzle:count:solution`` lines, tests/data/monsters.txt without one. Times are CPU time of this thread; of
each board the median. Every answer is held against the file. A board *among* easy ones stands in the middle of 10,000,
and what counts is how much longer they take with it than without. A board is *first* in a new process of its own, which
has solved nothing but an easy one; that is timed once. Ends with exit code 1 when an answer is wrong, a board is left
undecided, or one takes more than LIMIT_MS.
"""

import argparse
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import NamedTuple

from gridmill.answers import Status
from gridmill.board import PACKED, pack, parse, unpack
from gridmill.formats.answers_file import read_answers
from gridmill.formats.stated import Stated
from gridmill.generate import generate
from gridmill.solvers.lanes import Lanes

LIMIT_MS = 10.0  # what the worst board may cost
EASY = 10_000  # boards around the one
MADE = 100  # different easy boards, repeated
MONSTERS = Path(__file__).parent.parent / "tests" / "data" / "monsters.txt"
FIRST = """
import time
from gridmill.board import pack
from gridmill.solvers.lanes import Lanes
lanes = Lanes()
lanes.reply(pack({easy!r}), 2, lanes.budget)
begun = time.thread_time()
lanes.reply(pack({board!r}), 2, lanes.budget)
print(1e3 * (time.thread_time() - begun))
"""


class Cost(NamedTuple):
    """Milliseconds of one board."""

    board: str
    alone: float
    among: float
    first: float


def spent(lanes: Lanes, boards: bytes) -> float:
    """Milliseconds for packed boards."""
    begun = time.thread_time()
    lanes.reply(boards, 2, lanes.budget)
    return 1e3 * (time.thread_time() - begun)


def middle(lanes: Lanes, boards: bytes, repetitions: int) -> float:
    """The median of several times."""
    return median(spent(lanes, boards) for _ in range(repetitions))


def check(lanes: Lanes, stated: Stated, board: str) -> None:
    """Raises SystemExit when the answer is not what the file says."""
    claim = next(lanes.reply(pack(board), 2, lanes.budget).claims())
    count = stated.count.removeprefix(">")
    wanted = (Status.NONE, Status.UNIQUE, Status.MULTIPLE)[min(int(count) + (count != stated.count), 2)]
    clashed = wanted is Status.NONE and claim.status is Status.CLASH
    if claim.status is not wanted and not clashed:
        raise SystemExit(f"line {stated.line}: {board} has {stated.count} solutions, the solver says {claim.status}")
    if stated.solution and unpack(claim.solution) != stated.solution:
        raise SystemExit(f"line {stated.line}: {board} has another solution than the file says")


def first(board: str, easy: str) -> float:
    """Milliseconds in a process that has solved nothing but an easy board."""
    code = FIRST.format(board=board, easy=easy)
    return float(subprocess.run([sys.executable, "-P", "-c", code], capture_output=True, check=True).stdout)


def row(name: str, costs: list[Cost], value: Callable[[Cost], float]) -> str:
    """One line of the table."""
    worst = max(costs, key=value)
    return f"| {name} | {median(map(value, costs)):.2f} | {value(worst):.2f} | `{worst.board}` |"


def main() -> None:
    arguments = _arguments()
    lanes, made = Lanes(), [puzzle for puzzle, _ in generate(MADE, seed=1)]
    easy = b"".join(map(pack, made)) * (EASY // MADE)
    half, without = len(easy) // PACKED // 2 * PACKED, middle(lanes, easy, 5 * arguments.repetitions)
    costs = []
    for stated in read_answers(str(arguments.file)):
        board = parse(stated.puzzle)
        check(lanes, stated, board)
        alone = middle(lanes, pack(board), arguments.repetitions)
        among = middle(lanes, easy[:half] + pack(board) + easy[half:], arguments.repetitions) - without
        costs.append(Cost(board, alone, among, first(board, made[0])))
    print(f"{len(costs)} boards, all decided and as the file says; {EASY:,} easy boards take {without:.2f} ms\n")
    print("| ms | median | worst | its board |\n|---|--:|--:|---|")
    print(row("alone", costs, lambda cost: cost.alone))
    print(row("among easy ones", costs, lambda cost: cost.among))
    print(row("first of a process", costs, lambda cost: cost.first))
    if max(max(cost[1:]) for cost in costs) > LIMIT_MS:
        raise SystemExit(f"more than {LIMIT_MS:g} ms")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Time the default solver on hard boards.")
    parser.add_argument("file", nargs="?", type=Path, default=MONSTERS)
    parser.add_argument("--repetitions", type=int, default=9, help="odd, so that the median is a measurement")
    return parser.parse_args()


if __name__ == "__main__":
    main()
