"""Whether a puzzle costs the same in a small job and in a large one: CPU time and memory of each process, by size.

    python benchmarks/sizes.py FILE [--records 100000 1000000 10000000] [--repetitions R]

The boards of FILE are written again and again into plain lines, as many as a size has, and go through the pipeline of
`gridmill bench`: a private server, one worker a core, answers in CSV. Each run is in a process of its own, so that its
greatest memory is its own; the sizes take turns. The start of the processes is left out of the CPU time.

Answers are checked by the collector as in any run, and as many must have each status as `gridmill.solve_many` says.
"""

import argparse
import csv
import multiprocessing
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from itertools import chain, islice, repeat
from multiprocessing.connection import Connection
from pathlib import Path
from statistics import median
from typing import NamedTuple

import gridmill
from gridmill import roles, solvers
from gridmill.bench import pipeline, usage
from gridmill.bench.pipeline import Lap
from gridmill.embedded import Server
from gridmill.settings import Settings

SIZES = [100_000, 1_000_000, 10_000_000]
LOOK_SECONDS = 0.1  # between two looks at the memory of processes that end by themselves


class Run(NamedTuple):
    """One run; ``memory`` is the most that the coordinator, the largest of its children, and the server had, bytes."""

    lap: Lap
    memory: tuple[int, int, int]


class Memory:
    """The most memory that a coordinator, the largest of its children, and its server have had in all looks."""

    def __init__(self, coordinator: int, server: int) -> None:
        self._coordinator, self._server = coordinator, server
        self.most = (0, 0, 0)

    def look(self) -> None:
        """Look once."""
        children = usage.descendants(self._coordinator) - {self._server}
        now = (_peak(self._coordinator), max(map(_peak, children), default=0), _peak(self._server))
        self.most = (max(self.most[0], now[0]), max(self.most[1], now[1]), max(self.most[2], now[2]))


def _peak(pid: int) -> int:
    """The most memory that a process has had, in bytes (proc_pid_status(5)); 0 when it has ended."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text("utf-8", errors="replace").splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM:")), 0)


def write(path: Path, boards: list[str], records: int) -> None:
    """So many lines, the boards again and again."""
    with path.open("w", encoding="ascii") as file:
        file.writelines(islice(chain.from_iterable(repeat([f"{board}\n" for board in boards])), records))


def run(path: Path, wanted: Counter[str], told: "Connection[int | Lap, None]") -> None:
    """Solve a file once, timed as by `gridmill bench`, and tell the server's number and then the lap.

    Raises SystemExit where ``wanted`` is not what comes."""
    # As the command does: before anything else.
    with (
        closing(roles.nurseries()) as nurseries,
        tempfile.TemporaryDirectory(prefix="gridmill-sizes-", dir=path.parent) as name,
    ):
        folder = Path(name)
        with Server(folder / "server") as server:
            told.send(server.pid)
            settings = Settings.load(state_dir=folder / "state", log_level="error")
            course = pipeline.Course(str(path), solvers.get(solvers.DEFAULT), settings, folder, server)
            lap, out = course.run(nurseries)
        with out.open(encoding="ascii", newline="") as file:
            found = Counter(row[4] for row in islice(csv.reader(file), 1, None))
    if found != wanted:
        raise SystemExit(f"the pipeline has {dict(found)}, gridmill.solve_many {dict(wanted)}")
    told.send(lap)


def apart(path: Path, wanted: Counter[str]) -> Run:
    """`run` in a new process. What it and its children use is looked at from here: with a thread for that beside it,
    it could not fork as it does elsewhere. Raises SystemExit when it failed."""
    spawn = multiprocessing.get_context("spawn")
    heard, told = spawn.Pipe(duplex=False)
    process = spawn.Process(target=run, args=(path, wanted, told))
    process.start()
    told.close()
    try:
        memory = Memory(process.pid or 0, heard.recv())
        while not heard.poll(LOOK_SECONDS):
            memory.look()
        return Run(heard.recv(), memory.most)
    except EOFError:
        raise SystemExit(1) from None  # it has said why
    finally:
        process.join()


def statuses(answers: list[str], records: int) -> Counter[str]:
    """How many of so many records have each status, when ``answers`` come again and again."""
    times, rest = divmod(records, len(answers))
    whole = Counter({status: times * count for status, count in Counter(answers).items()})
    return whole + Counter(answers[:rest])


def table(runs: dict[int, list[Run]]) -> Iterator[str]:
    """Medians by size."""
    processes = list(next(iter(runs.values()))[0].lap.cpu)
    yield f"| records | puzzles/s | {' | '.join(processes)} | together | coordinator, MB | a child | server |"
    yield f"|--:|{'--:|' * (len(processes) + 5)}"
    for records, some in runs.items():
        spent = [median(1e9 * (one.lap.cpu[name] or 0.0) / records for one in some) for name in processes]
        rate = median(one.lap.records / one.lap.seconds for one in some)
        memory = [max(most) / 1e6 for most in zip(*(one.memory for one in some), strict=True)]
        numbers = [records, rate, *spent, sum(spent), *memory]
        yield f"| {' | '.join(f'{number:,.0f}' for number in numbers)} |"


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure what a puzzle costs in jobs of several sizes.")
    parser.add_argument("file", type=Path)
    parser.add_argument("--records", type=int, nargs="+", default=SIZES, help="in a job; ten million take 3 GB of disk")
    parser.add_argument("--repetitions", type=int, default=3, help="odd, so that the median is a measurement")
    arguments = parser.parse_args()
    answers = list(gridmill.solve_many(gridmill.read(arguments.file)).rows())
    boards, said = [row.puzzle for row in answers], [str(row.answer.status) for row in answers]
    runs: dict[int, list[Run]] = {records: [] for records in arguments.records}
    with tempfile.TemporaryDirectory(prefix="gridmill-sizes-") as name:
        for records in runs:
            write(Path(name) / f"{records}.txt", boards, records)
        for _ in range(arguments.repetitions):
            for records, some in runs.items():
                some.append(apart(Path(name) / f"{records}.txt", statuses(said, records)))
    print("\n".join(table(runs)))


if __name__ == "__main__":
    main()
