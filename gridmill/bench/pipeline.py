"""The whole pipeline, from file to file, with the start of its processes left out."""

import csv
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from gridmill import broker, mill
from gridmill.answers import Status
from gridmill.bench.sample import Sample
from gridmill.bench.usage import Meter, Usage
from gridmill.board import CELLS, slots, unpack
from gridmill.embedded import Server
from gridmill.errors import BrokerError, Stopped, WrongAnswer
from gridmill.progress import Seen
from gridmill.reply import Claim, Reply
from gridmill.roles import Nurseries
from gridmill.settings import Settings
from gridmill.solvers import Solver

CHUNKS = 10  # in the input at least: the first and the last, which meet idle processes, are then a small part of it
READY_SECONDS = 60.0  # for the first answer of a worker that starts: it takes one, and more on a machine that swaps
POLL_SECONDS = 0.02  # between two looks for it
BOARD = "." * CELLS


class Lap(NamedTuple):
    """One run: ``records`` answered in ``seconds`` of the clock; CPU seconds by process."""

    records: int
    seconds: float
    cpu: dict[str, float | None]


class Course:
    """The input, and the server and settings that all runs share."""

    def __init__(self, path: str, solver: Solver, settings: Settings, folder: Path, server: Server) -> None:
        self._path, self._solver, self._folder, self._server = path, solver, folder, server
        self._settings = settings.model_copy(update={"broker": server.url, "state_dir": folder / "state"})
        self._laps = 0

    def run(self, nurseries: Nurseries | None = None, form: str = "csv") -> tuple[Lap, Path]:
        """One run, of processes from ``nurseries``, and its answers, written as ``form``.

        Raises Stopped and other GridmillErrors."""
        self._laps += 1
        out = self._folder / f"{self._laps}.{form}"
        clock = _Clock(self._settings, self._server.pid)
        ask = mill.Ask((self._path,), self._solver.name)
        summary = mill.solve(
            ask, out, form, self._settings, lambda seen, _: clock.see(seen), before=clock.start, nurseries=nurseries
        )
        if not summary.finished:
            raise Stopped("the benchmark was stopped", job=summary.job, signal=summary.signal)
        return Lap(summary.written, clock.seconds, clock.cpu), out


class _Clock:
    """Runs from the moment when a worker has answered until everything is written."""

    def __init__(self, settings: Settings, server: int) -> None:
        self._settings, self._server = settings, server

    def start(self) -> None:
        """Wait for the workers. Raises BrokerError when they don't come."""
        _wait_for_a_worker(self._settings)
        self._meter = Meter(self._server)
        self._before: Usage = self._meter.read()
        self._begun = time.perf_counter()

    def see(self, progress: Seen) -> None:
        """Take the time, if it is over: the mill calls this at each step of the collector, and when the output has its
        name."""
        self._meter.see()
        if progress.written == progress.total:
            self.seconds = time.perf_counter() - self._begun
            self.cpu = self._meter.read().since(self._before)


def _wait_for_a_worker(settings: Settings) -> None:
    """Until a board has gone through the queue and back. Raises BrokerError."""
    with broker.explained(settings):
        result = broker.make_app(settings).send_task(broker.BOARD_TASK, args=(BOARD,))
        end = time.monotonic() + READY_SECONDS
        while not result.ready():
            if time.monotonic() > end:
                raise BrokerError(f"no worker answered within {READY_SECONDS:g} s")
            time.sleep(POLL_SECONDS)
        result.forget()


@contextmanager
def course(path: str, sample: Sample, solver: Solver, settings: Settings) -> Iterator[tuple[Course, bool]]:
    """What `Course.run` needs, in a folder that goes afterwards; whether the input is the file itself.

    A file of less than CHUNKS chunks is replaced by plain lines with its boards again and again.
    """
    with tempfile.TemporaryDirectory(prefix="gridmill-bench-") as name, Server(Path(name) / "server") as server:
        folder, wanted = Path(name), CHUNKS * solver.chunk
        itself = sample.of >= wanted
        if not itself:
            path = str(folder / "boards.txt")
            _write_lines(Path(path), sample, wanted)
        yield Course(path, solver, settings, folder, server), itself


def _write_lines(path: Path, sample: Sample, wanted: int) -> None:
    block = "".join(f"{unpack(slot)}\n" for slot in slots(sample.boards)).encode()
    times, rest = divmod(wanted, len(sample))
    with path.open("wb") as file:
        for _ in range(times):
            file.write(block)
        file.write(block[: rest * (CELLS + 1)])


def check(out: Path, sample: Sample, reply: Reply) -> None:
    """Raises WrongAnswer when the answers in ``out`` are not those of ``reply``, which were checked.

    Boards that the sample has not are left to the collector, which has checked every answer.
    """
    known = dict(zip(map(unpack, slots(sample.boards)), reply.claims(), strict=True))
    with out.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            claim = known.get(row["puzzle"])
            if claim is not None and not _same(row, claim):
                raise WrongAnswer(f"{row['puzzle']} is {row['status']} by the pipeline, {claim.status} by the solver")


def _same(row: dict[str, str], claim: Claim) -> bool:
    solutions = [unpack(packed) if packed else "" for packed in (claim.solution, claim.second)]
    return row["status"] == str(claim.status or Status.FAILED) and [row["solution"], row["solution2"]] == solutions
