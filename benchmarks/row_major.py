"""Compares the four row-major solvers in one run, and settles whether returning at once beats breaking out first.

    python benchmarks/row_major.py [FILE] [--puzzles N] [--repetitions R] [--seed S]

Without FILE (81 characters a line, plain or .gz) it makes its own puzzles from the seed. Every answer is verified. Each
repetition puts puzzles and solvers into another order; the four are timed in turn, in CPU time, so that a slow moment
of the machine does not fall on one of them alone. Prints Markdown.
"""

import argparse
import gzip
import platform
import random
import statistics
import time
from pathlib import Path

from gridmill import __version__
from gridmill.board import BLANK, CELLS, parse, to_grid
from gridmill.rules import verify
from gridmill.solvers import Solver, get

NAMES = ("scan", "maps", "cells-break", "cells-return")
GIVENS = 32  # of a made puzzle: a few hundred nodes, so the search counts for more than the set-up


def main() -> None:
    arguments = _arguments()
    shuffle = random.Random(arguments.seed)
    if arguments.file:
        puzzles = read(arguments.file, arguments.puzzles)
    else:
        puzzles = [make(shuffle) for _ in range(arguments.puzzles)]
    solvers = [get(name) for name in NAMES]
    for solver in solvers:
        timed(solver, puzzles[:50])  # warm up: the interpreter specialises code that it has seen before
    seconds: dict[str, list[float]] = {name: [] for name in NAMES}
    nodes: dict[str, int] = {}
    for _ in range(arguments.repetitions):
        shuffle.shuffle(puzzles)
        for solver in shuffle.sample(solvers, len(solvers)):
            took, nodes[solver.name] = timed(solver, puzzles)
            seconds[solver.name].append(took)
    print(report(seconds, nodes, len(puzzles)))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Compare the row-major solvers.")
    parser.add_argument("file", nargs="?", type=Path, help="81 characters a line, plain or .gz; else puzzles are made")
    parser.add_argument("--puzzles", type=int, default=100)
    parser.add_argument("--repetitions", type=int, default=31, help="odd, so that the median is a measurement")
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


def read(path: Path, count: int) -> list[str]:
    """The first ``count`` puzzles of a file."""
    with gzip.open(path, "rt") if path.suffix == ".gz" else path.open() as lines:
        return [parse(line[:CELLS]) for line, _ in zip(lines, range(count), strict=False)]


def make(shuffle: random.Random) -> str:
    """A unique puzzle: a shuffled cyclic grid with cells taken away in random order while it stays unique."""
    bitmask = get("bitmask")
    board = _shuffled_grid(shuffle)
    for cell in shuffle.sample(range(CELLS), CELLS):
        smaller = board[:cell] + BLANK + board[cell + 1 :]
        if len(bitmask.search(to_grid(smaller), 2, bitmask.budget).solutions) == 1:
            board = smaller
        if CELLS - board.count(BLANK) == GIVENS:
            break
    return board


def _shuffled_grid(shuffle: random.Random) -> str:
    def lines() -> list[int]:
        return [3 * band + line for band in shuffle.sample(range(3), 3) for line in shuffle.sample(range(3), 3)]

    digits, rows, columns = shuffle.sample("123456789", 9), lines(), lines()
    return "".join(digits[(3 * (row % 3) + row // 3 + column) % 9] for row in rows for column in columns)


def timed(solver: Solver, puzzles: list[str]) -> tuple[float, int]:
    """CPU seconds and nodes for all puzzles; the check of the answers is not timed. A wrong answer ends the run."""
    grids = [to_grid(puzzle) for puzzle in puzzles]
    start = time.process_time()
    outcomes = [solver.search(grid, 1, solver.budget) for grid in grids]
    took = time.process_time() - start
    for puzzle, outcome in zip(puzzles, outcomes, strict=True):
        fault = verify(puzzle, outcome.solutions[0]) if outcome.solutions else "no solution"
        if fault:
            raise SystemExit(f"{solver.name}, {puzzle}: {fault}")
    return took, sum(outcome.nodes for outcome in outcomes)


def report(seconds: dict[str, list[float]], nodes: dict[str, int], puzzles: int) -> str:
    """The table, the ratio and the verdict."""
    lines = [
        f"{machine()}; gridmill {__version__}; {puzzles} puzzles, {len(seconds['scan'])} repetitions, median (range)",
        "",
        "| solver | puzzles/s | nodes a puzzle | µs a node |",
        "|---|--:|--:|--:|",
    ]
    for name, took in seconds.items():
        middle = statistics.median(took)
        span = f"{puzzles / max(took):,.0f}–{puzzles / min(took):,.0f}"
        cost = 1e6 * middle / nodes[name]
        lines.append(f"| `{name}` | {puzzles / middle:,.0f} ({span}) | {nodes[name] / puzzles:,.0f} | {cost:.2f} |")
    return "\n".join([*lines, "", verdict(seconds["cells-return"], seconds["cells-break"])])


def verdict(returning: list[float], breaking: list[float]) -> str:
    """Compares pairs of the same repetition. The claim holds when three quarters of the pairs agree with it."""
    ratios = [one / other for one, other in zip(returning, breaking, strict=True)]
    low, middle, high = statistics.quantiles(ratios, n=4)
    claim = "holds" if high < 1 else "does not hold: it is slower" if low > 1 else "does not hold: no difference shows"
    return (
        f"Time of `cells-return` / `cells-break`: median {middle:.3f}, quartiles {low:.3f}–{high:.3f}. "
        f"The claim that returning at once is faster **{claim}**."
    )


def machine() -> str:
    """Processor and interpreter, as the table's first line."""
    cpuinfo = Path("/proc/cpuinfo")  # Linux only
    lines = cpuinfo.read_text().splitlines() if cpuinfo.exists() else []
    models = [line.partition(": ")[2] for line in lines if line.startswith("model name")]
    processor = models[0] if models else platform.processor() or platform.machine()
    return f"{processor}, {platform.system()}, {platform.python_implementation()} {platform.python_version()}"


if __name__ == "__main__":
    main()
