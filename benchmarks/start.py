"""The start of ``gridmill solve``: ten puzzles, from the command to the last answer, and until the prompt is back.

    python benchmarks/start.py FILE [--programs GRIDMILL ...] [--runs N]

Each program solves the first ten lines of FILE, in turns, with what any Celery worker has to import beside it:
``python -c "import celery.worker, celery.concurrency.prefork"``. Answers are held against those of
`gridmill.solve_many`. CPU is that of all processes, those included that outlive the command. Linux. Prints a table of
medians.
"""

import argparse
import ctypes
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import gridmill

PUZZLES = 10
SUBREAPER = 36  # PR_SET_CHILD_SUBREAPER: what outlives its parent becomes this process's child, so its CPU is counted
CELERY = "Celery's imports"
IMPORTS = (sys.executable, "-P", "-c", "import celery.worker, celery.concurrency.prefork")


class Taken(NamedTuple):
    """Seconds from the start of a command to its last output, to its end, and of CPU."""

    last: float
    end: float
    cpu: float


def run(words: tuple[str, ...], env: dict[str, str]) -> tuple[Taken, bytes]:
    """What ``words`` take, and what they print."""
    cpu, begun = _cpu(), time.perf_counter()
    output, last = b"", 0.0
    with subprocess.Popen(words, stdout=subprocess.PIPE, env=env) as process:
        assert process.stdout is not None
        while block := os.read(process.stdout.fileno(), 1 << 16):
            output, last = output + block, time.perf_counter() - begun
    end = time.perf_counter() - begun
    if process.returncode:
        raise SystemExit(f"{' '.join(words)} ended with {process.returncode}")
    while True:
        try:
            os.wait()
        except ChildProcessError:
            return Taken(last or end, end, _cpu() - cpu), output


def _cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("file", type=Path)
    parser.add_argument("--programs", nargs="+", default=[str(Path(sys.executable).with_name("gridmill"))])
    parser.add_argument("--runs", type=int, default=10)
    given = parser.parse_args()
    ctypes.CDLL(None).prctl(SUBREAPER, 1, 0, 0, 0)
    with tempfile.TemporaryDirectory() as folder, given.file.open() as file:
        puzzles = Path(folder, "puzzles.txt")
        puzzles.write_text("".join(islice(file, PUZZLES)))
        wanted = Path(folder, "wanted.csv")
        gridmill.write(wanted, gridmill.solve_many(gridmill.read(puzzles)))
        commands = {program: (program, "solve", "--quiet", str(puzzles)) for program in given.programs}
        commands[CELERY] = IMPORTS
        taken: dict[str, list[Taken]] = {name: [] for name in commands}
        for _ in range(given.runs):
            for name, words in commands.items():
                found, output = run(words, {**os.environ, "XDG_STATE_HOME": folder})
                if words is not IMPORTS and output != wanted.read_bytes():
                    raise SystemExit(f"{name} gave other answers")
                taken[name].append(found)
    print("| | last answer, s | prompt back, s | CPU, s | last answer / imports |\n|---|--:|--:|--:|--:|")
    medians = {name: Taken(*map(statistics.median, zip(*each, strict=True))) for name, each in taken.items()}
    for name, (last, end, cpu) in medians.items():
        print(f"| {name} | {last:.2f} | {end:.2f} | {cpu:.2f} | {last / medians[CELERY].last:.1f} |")


if __name__ == "__main__":
    main()
