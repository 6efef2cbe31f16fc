"""What it costs to move boards through a server when nothing looks after them: the least that a pipeline can cost.

    python benchmarks/relay.py FILE [--form csv] [--repetitions R]

    kernel    one process a core solves all boards, packed and in memory
    relay     as many processes take chunks from a list of a private server, and put their replies there; this process
              reads, cuts, judges the replies and writes
    gridmill  the pipeline of gridmill bench

The relay has Gridmill's own kernel, reading, cutting, judging, writing and connections. It has no Celery, no ledger, no
journal, no audit, and its workers do not say which boards they have solved: who dies takes with it what it had. So what
Gridmill costs beyond it is what those cost, and what the relay costs beyond the kernel nothing that uses a server can
save. All take turns; medians. Every answer is judged, and the two outputs must be the same.
"""

import argparse
import filecmp
import os
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from multiprocessing import get_context
from pathlib import Path
from statistics import median
from typing import NamedTuple

from collector.tail import Tail
from gridmill import broker, heap, mill, roles, solvers
from gridmill.bench import pipeline, stages
from gridmill.bench.pipeline import Lap
from gridmill.bench.usage import Meter
from gridmill.chunk import Chunk
from gridmill.connection import Connection
from gridmill.embedded import Server
from gridmill.errors import WrongAnswer
from gridmill.formats.input import Input
from gridmill.formats.output import DEFAULT, writer
from gridmill.formats.sheet import Sheet
from gridmill.judge import WRONG, judge
from gridmill.reply import Reply
from gridmill.settings import Settings
from gridmill.solvers.claim import reply_to

WAITING, DONE = "waiting", "done"  # lists of numbers of chunks
READY, END = b"ready", b"end"
LOOK_SECONDS = 2  # that the server holds a look at an empty list: shorter than a connection waits for an answer
LOOKS = 60  # then somebody has died


class Ground(NamedTuple):
    """What the three share: the input, the format of the output, a folder, a server, and its settings."""

    path: Path
    form: str
    folder: Path
    server: Server
    settings: Settings

    @property
    def connection(self) -> Connection:
        """A new one to the server."""
        return Connection(broker.redis_client(self.settings))


@contextmanager
def ground(path: Path, form: str) -> Iterator[Ground]:
    """A folder and a server for as long."""
    with tempfile.TemporaryDirectory(prefix="gridmill-relay-") as name, Server(Path(name) / "server") as server:
        settings = Settings.load(broker=server.url, state_dir=Path(name) / "state", log_level="error")
        yield Ground(path, form, Path(name), server, settings)


def taken(connection: Connection, name: str) -> bytes:
    """What is next in a list, as soon as there is something. Raises SystemExit when nothing comes."""
    for _ in range(LOOKS):
        (found,) = connection.gather(("BRPOP", name, LOOK_SECONDS))
        if found is not None:
            return bytes(found[1])
    raise SystemExit("nothing comes any more")


def work(here: Ground) -> None:
    """Solve what waits, until killed."""
    heap.keep()
    solver, connection = solvers.get(solvers.DEFAULT), here.connection
    connection.gather(("LPUSH", DONE, READY))
    while True:
        number = taken(connection, WAITING)
        (boards,) = connection.gather(("GET", b"boards" + number))
        reply = reply_to(solver, boards, first=False, budget=solver.budget)
        connection.gather(("SET", b"reply" + number, reply.parts), ("DEL", b"boards" + number), ("LPUSH", DONE, number))


@contextmanager
def workers(here: Ground) -> Iterator[None]:
    """Processes that `work`, one a core."""
    here.connection.gather(("DEL", WAITING, DONE))  # what the turn before has left
    fork = get_context("fork")
    processes = [fork.Process(target=work, args=(here,), daemon=True) for _ in range(here.settings.workers)]
    try:
        for process in processes:
            process.start()
        for _ in processes:
            taken(here.connection, DONE)
        yield
    finally:
        for process in processes:
            process.kill()
            process.join()


class Feed(threading.Thread):
    """Reads the input and puts its chunks into the server. ``chunks``: by number; ``total``: how many, when known."""

    def __init__(self, here: Ground) -> None:
        super().__init__(name="producer", daemon=True)  # by that name its CPU time is found
        self._here = here
        self.chunks: dict[int, Chunk] = {}
        self.total: int | None = None

    def run(self) -> None:
        """Until the end of the input."""
        connection = self._here.connection
        number = -1
        for number, chunk in enumerate(mill.chunks(Input((str(self._here.path),)), solvers.get(solvers.DEFAULT).chunk)):
            self.chunks[number] = chunk
            name = str(number).encode()
            connection.gather(("SET", b"boards" + name, chunk.boards), ("LPUSH", WAITING, name))
        self.total = number + 1
        connection.gather(("LPUSH", DONE, END))  # all may be written already


def relay(here: Ground) -> tuple[Lap, Path]:
    """One run, and its output. Raises WrongAnswer."""
    out = here.folder / f"relay.{here.form}"
    with workers(here):
        meter, begun = Meter(here.server.pid), time.perf_counter()
        before = meter.read()
        records = _collect(here, out, meter)
        return Lap(records, time.perf_counter() - begun, meter.read().since(before)), out


def _collect(here: Ground, out: Path, meter: Meter) -> int:
    """Have the input fed, and write what comes back, in order; the number of records."""
    connection, made = here.connection, writer(here.form, ())
    descriptor = os.open(out, os.O_RDWR | os.O_CREAT | os.O_TRUNC)
    tail = Tail(descriptor, 0)
    tail.write([made.header()])
    feed, replies = Feed(here), dict[int, Reply]()
    feed.start()
    turn = records = 0
    while turn != feed.total:
        meter.see()
        if (number := taken(connection, DONE)) == END:
            continue
        key, chunk = b"reply" + number, feed.chunks[int(number)]
        said, _ = connection.gather(("GET", key), ("DEL", key))
        reply = Reply.decode(said, len(chunk))
        if WRONG in judge(chunk.boards, reply):
            raise WrongAnswer("the relay has a wrong answer")
        replies[int(number)] = reply
        while turn in replies:
            chunk = feed.chunks.pop(turn)
            tail.write(made.sheet(Sheet.of(chunk, replies.pop(turn), {})))
            records, turn = records + len(chunk), turn + 1
    tail.hand_over().result()
    os.fsync(descriptor)
    tail.close()
    os.close(descriptor)
    return records


def gridmill(here: Ground) -> tuple[Lap, Path]:
    """The same for Gridmill."""
    solver = solvers.get(solvers.DEFAULT)
    with closing(roles.nurseries()) as nurseries:
        course = pipeline.Course(str(here.path), solver, here.settings, here.folder, here.server)
        return course.run(nurseries, here.form)


def kernel(here: Ground) -> float:
    """Puzzles a second of the kernel in one process a core."""
    boards = b"".join(chunk.boards for chunk in mill.chunks(Input((str(here.path),)), 1_000_000))
    (rate,) = stages.cores(boards, solvers.DEFAULT, 1, here.settings.workers)
    return rate


def rates(here: Ground) -> tuple[float, Lap, Lap]:
    """What the three did in one turn. Raises SystemExit when the two outputs differ."""
    alone = kernel(here)
    bare, bare_out = relay(here)
    whole, whole_out = gridmill(here)
    if not filecmp.cmp(bare_out, whole_out, shallow=False):
        raise SystemExit("relay and gridmill have not written the same")
    whole_out.unlink()
    return alone, bare, whole


def table(turns: list[tuple[float, Lap, Lap]]) -> Iterator[str]:
    """Medians."""
    alone = [rate for rate, _, _ in turns]
    yield "| | puzzles/s | of the kernel | CPU ns a puzzle |"
    yield "|---|--:|--:|--:|"
    yield f"| kernel | {median(alone):,.0f} | | |"
    for name, laps in ("relay", [bare for _, bare, _ in turns]), ("gridmill", [whole for _, _, whole in turns]):
        some = [lap.records / lap.seconds for lap in laps]
        share = median(rate / best for rate, best in zip(some, alone, strict=True))
        spent = median(1e9 * sum(seconds or 0.0 for seconds in lap.cpu.values()) / lap.records for lap in laps)
        yield f"| {name} | {median(some):,.0f} | {share:.0%} | {spent:,.0f} |"


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure what moving boards costs when nothing looks after them.")
    parser.add_argument("file", type=Path)
    parser.add_argument("--form", default=DEFAULT, help="of the output, e.g. csv or lines")
    parser.add_argument("--repetitions", type=int, default=5, help="odd, so that the median is a measurement")
    arguments = parser.parse_args()
    heap.keep()
    with ground(arguments.file, arguments.form) as here:
        turns = [rates(here) for _ in range(arguments.repetitions)]
    print("\n".join(table(turns)))


if __name__ == "__main__":
    main()
