"""The stages of the pipeline one at a time, on one core, in memory."""

import time
from collections.abc import Callable
from multiprocessing import get_context
from typing import NamedTuple

from gridmill import mill, solvers
from gridmill.bench.sample import WARM
from gridmill.board import PACKED
from gridmill.errors import WrongAnswer
from gridmill.formats.input import Input
from gridmill.judge import judge
from gridmill.reply import Reply
from gridmill.solvers.claim import reply_to

PARSE_RECORDS = 200_000  # of a file at most: half a second and more
LEAST_SECONDS = 0.2  # what takes less is done again, all in one repetition: long against the grain of clocks


class Timing(NamedTuple):
    """``number`` puzzles in ``seconds`` of the clock and ``cpu`` seconds of this process, which has one busy thread.

    The two are the same on a machine that is quiet.
    """

    number: int
    seconds: float
    cpu: float

    @property
    def cpu_ns(self) -> float:
        """CPU nanoseconds a puzzle."""
        return 1e9 * self.cpu / self.number


def timed(work: Callable[[], int]) -> Timing:
    """Time ``work``, which says how many puzzles it did, and is done again until LEAST_SECONDS are over."""
    begun, cpu, number = time.perf_counter(), time.process_time(), 0
    while not number or time.perf_counter() - begun < LEAST_SECONDS:
        number += work()
    return Timing(number, time.perf_counter() - begun, time.process_time() - cpu)


def kernel(boards: bytes, name: str, repeat: int) -> tuple[list[Timing], Reply]:
    """Solve packed boards ``repeat`` times, after a first time; the reply, which every other must equal."""
    solver = solvers.get(name)
    wanted = reply_to(solver, boards, first=False, budget=solver.budget)

    def solve() -> int:
        if reply_to(solver, boards, first=False, budget=solver.budget) != wanted:
            raise WrongAnswer(f"the solver {name} does not give the same answers each time")
        return len(boards) // PACKED

    return [timed(solve) for _ in range(repeat)], wanted


def cores(boards: bytes, name: str, repeat: int, processes: int) -> list[float]:
    """Puzzles a second, by the clock, of ``processes`` at the same time: each solves all boards ``repeat`` times."""
    with get_context("spawn").Pool(processes, _get_ready, (name,)) as pool:
        pool.map(_solve, [(name, WARM, 1)] * processes, chunksize=1)
        every = pool.map(_solve, [(name, boards, repeat)] * processes, chunksize=1)
    return [sum(timing.number / timing.seconds for timing in together) for together in zip(*every, strict=True)]


def _get_ready(name: str) -> None:
    solvers.get(name)


def _solve(task: tuple[str, bytes, int]) -> list[Timing]:
    name, boards, repeat = task
    return kernel(boards, name, repeat)[0]


def verify(boards: bytes, reply: Reply, repeat: int) -> tuple[list[Timing], bytes]:
    """Judge a reply ``repeat`` times; the verdicts."""
    verdicts = b""

    def work() -> int:
        nonlocal verdicts
        verdicts = judge(boards, reply)
        return len(verdicts)

    return [timed(work) for _ in range(repeat)], verdicts


def parse(path: str, chunk: int, repeat: int) -> list[Timing]:
    """Read the file's first records into chunks, as a producer does, ``repeat`` times."""
    return [timed(lambda: _read(path, chunk)) for _ in range(repeat)]


def _read(path: str, chunk: int) -> int:
    records = 0
    for made in mill.chunks(Input((path,)), chunk):
        records += len(made)
        if records >= PARSE_RECORDS:
            break
    return records
