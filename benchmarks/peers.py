"""Gridmill against other ways of spreading the same solver over the cores, on the same file in the same run.

    python benchmarks/peers.py FILE [--repetitions R] [--tasks T]

FILE has plain lines of 81 characters. All take turns, each repetition in another order; medians of the clock.

    gridmill  gridmill solve FILE -o OUT.csv; "running": without the start of its processes, as gridmill bench does it
    pool      benchmarks/bare.py with one process a core: multiprocessing.Pool
    shell     split | xargs -P | cat: one benchmarks/bare.py a core over its part of the lines, the rows joined
    task      one plain Celery task a puzzle, for the first T lines: sent, solved, and its result fetched

Every answer of every run is held against those of `gridmill.solve_many`, which checks solutions by the rules; a wrong
one ends the run. All have the same kernel inside, and pool and shell also Gridmill's native reading and writing.
"""

import argparse
import hashlib
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import islice
from pathlib import Path
from statistics import median
from typing import NamedTuple

import gridmill
from gridmill import broker, solvers
from gridmill.answers import Answer, Status
from gridmill.api.house import House
from gridmill.bench import pipeline
from gridmill.board import CELLS
from gridmill.embedded import Server
from gridmill.settings import Settings

LIMIT_SECONDS = 600.0  # for one run of a peer: a hundred times what a million puzzles take
BARE = Path(__file__).parent / "bare.py"
# A part of whole lines for each process: a start of Python for each of more parts would count against this peer.
PIPE = """
set -e
split -n l/{cores} "$1" "$3/part."
ls "$3"/part.?? | xargs -P {cores} -I PART "{python}" -P "{bare}" PART PART.rows > /dev/null
cat "$3"/part.??.rows > "$2"
rm "$3"/part.*
"""


class Times(NamedTuple):
    """Seconds of the clock for so many records; None where it was not measured."""

    records: int
    whole: float | None
    running: float | None


class Ground(NamedTuple):
    """What all peers share: the input, the first answers and the digest of all, a folder, and the settings."""

    path: Path
    answers: list[Answer]
    digest: str
    records: int
    folder: Path
    settings: Settings

    @property
    def out(self) -> Path:
        """Where a peer writes; the next one replaces it."""
        return self.folder / "out.csv"


def digest_of(rows: Iterable[bytes]) -> str:
    """What CSV rows say, without the record and the line: a part of the input is counted from 1 by the shell."""
    found = hashlib.blake2b()
    for row in rows:
        found.update(row.split(b",", 2)[2])
    return found.hexdigest()


@contextmanager
def ground(path: Path, tasks: int) -> Iterator[Ground]:
    """Solve and check the file once, for what is right."""
    with tempfile.TemporaryDirectory(prefix="gridmill-peers-") as name:
        answers = gridmill.solve_many(gridmill.read(path))
        if answers.counts[Status.MALFORMED]:
            raise SystemExit(f"{path} has lines that are not 81 cells; the peers know no others")
        right = Path(name) / "right.csv"
        gridmill.write(right, answers)
        with right.open("rb") as rows:
            digest = digest_of(islice(rows, 1, None))
        some = [answers[at] for at in range(min(tasks, len(answers)))]
        settings = Settings.load(state_dir=Path(name) / "state", log_level="warning")
        yield Ground(path, some, digest, len(answers), Path(name), settings)


def checked(run: Callable[[Ground], Times], here: Ground) -> Times:
    """What a peer took. Raises SystemExit when an answer that it wrote is not the right one."""
    here.out.unlink(missing_ok=True)
    times = run(here)
    if here.out.exists():
        with here.out.open("rb") as file:
            wrong = digest_of(row for row in file if not row.startswith(b"record,")) != here.digest
        if wrong:
            raise SystemExit(f"{run.__name__} has other answers than gridmill.solve_many")
    return times


def run(arguments: list[str], settings: Settings) -> tuple[float, str]:
    """The seconds of a program from its start to its end, and what it printed."""
    begun = time.perf_counter()
    environment = {**os.environ, **settings.variables()}
    made = subprocess.run(arguments, env=environment, check=True, timeout=LIMIT_SECONDS, stdout=subprocess.PIPE)
    return time.perf_counter() - begun, made.stdout.decode()


def mill(here: Ground) -> Times:
    """The command, start and end included."""
    command = [sys.executable, "-P", "-m", "gridmill", "solve", str(here.path), "-o", str(here.out), "--quiet"]
    return Times(here.records, run(command, here.settings)[0], None)


def running(here: Ground) -> Times:
    """The pipeline, from the moment when a worker has answered."""
    solver = solvers.get(solvers.DEFAULT)
    with Server(here.folder / "server") as server:
        lap, out = pipeline.Course(str(here.path), solver, here.settings, here.folder, server).run()
    out.rename(here.out)
    return Times(lap.records, None, lap.seconds)


def pool(here: Ground) -> Times:
    """multiprocessing.Pool."""
    command = [
        sys.executable,
        "-P",
        str(BARE),
        str(here.path),
        str(here.out),
        "--processes",
        str(here.settings.workers),
    ]
    whole, printed = run(command, here.settings)
    return Times(here.records, whole, float(printed))


def shell(here: Ground) -> Times:
    """split, xargs and cat."""
    pipe = PIPE.format(cores=here.settings.workers, python=sys.executable, bare=BARE)
    command = ["sh", "-c", pipe, "pipe", str(here.path), str(here.out), str(here.folder)]
    return Times(here.records, run(command, here.settings)[0], None)


def task(here: Ground) -> Times:
    """One Celery task a puzzle, all sent and then all fetched."""
    house = House(here.settings)
    try:
        app = broker.make_app(house.settings)
        send = partial(app.send_task, broker.BOARD_TASK)
        send(args=("." * CELLS,)).get(timeout=LIMIT_SECONDS)  # a worker is there
        with here.path.open(encoding="ascii") as lines:
            puzzles = [line.strip() for line in islice(lines, len(here.answers))]
        begun = time.perf_counter()
        sent = [send(args=(puzzle,)) for puzzle in puzzles]
        said = [result.get(timeout=LIMIT_SECONDS) for result in sent]
        seconds = time.perf_counter() - begun
    finally:
        house.stop()
    wanted = [(str(answer.status), answer.solution) for answer in here.answers]
    if [(answer["status"], answer["solution"]) for answer in said] != wanted:
        raise SystemExit("the task has other answers than gridmill.solve_many")
    return Times(len(puzzles), None, seconds)


PEERS = (mill, running, pool, shell, task)
ROWS = (  # of the table: name, whole by, running by, verifies, survives kills
    ("gridmill", mill, running, "every answer", "workers, server and command"),
    ("`multiprocessing.Pool`", pool, pool, "nothing", "nothing: begins again"),
    ("`split`, `xargs`, `cat`", shell, None, "nothing", "nothing: begins again"),
    ("a Celery task a puzzle", None, task, "nothing", "nothing: what a killed worker has is lost"),
)


def measure(here: Ground, repetitions: int) -> dict[str, list[Times]]:
    """All peers in turn, the next one first in each repetition."""
    found: dict[str, list[Times]] = {peer.__name__: [] for peer in PEERS}
    for repetition in range(repetitions):
        first = repetition % len(PEERS)
        for peer in PEERS[first:] + PEERS[:first]:
            print(f"{peer.__name__}, {repetition + 1} of {repetitions}", file=sys.stderr)
            found[peer.__name__].append(checked(peer, here))
    return found


def rate(times: list[Times], field: str) -> float | None:
    """Puzzles a second, by the median time."""
    known = [seconds for seconds in (getattr(one, field) for one in times) if seconds is not None]
    return times[0].records / median(known) if known else None


def report(found: dict[str, list[Times]]) -> Iterator[str]:
    """The table."""
    yield "| | puzzles/s, start included | once running | checks | survives the end of |\n|---|--:|--:|---|---|"
    for name, whole, running_by, checks, survives in ROWS:
        rates = (
            rate(found[peer.__name__], field) if peer else None
            for peer, field in ((whole, "whole"), (running_by, "running"))
        )
        cells = ["–" if one is None else f"{one:,.0f}" for one in rates]
        yield f"| {' | '.join([name, *cells, checks, survives])} |"


def main() -> None:
    parser = argparse.ArgumentParser(description="Compare Gridmill with other ways to spread its solver over cores.")
    parser.add_argument("file", type=Path, help="plain lines of 81 characters")
    parser.add_argument("--repetitions", type=int, default=5, help="odd, so that the median is a measurement")
    parser.add_argument("--tasks", type=int, default=2000, help="lines that are sent as Celery tasks")
    arguments = parser.parse_args()
    with ground(arguments.file, arguments.tasks) as here:
        print("\n".join(report(measure(here, arguments.repetitions))))


if __name__ == "__main__":
    main()
