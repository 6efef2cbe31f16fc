"""How many records are a chunk: by the pace at which the solver takes a sample of the boards that come first.

What a chunk costs beside its solving is the same whatever is in it, so it should not be small; nobody can help with a
chunk that is being solved, so it should not take long. What is measured here differs from one time to the next. It is
therefore asked once, before there is a job, and is one of the job's options from then on: however often the input is
cut again, it is cut alike.
"""

import os
import select
import signal
import struct
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import islice
from math import gcd

from gridmill import fork
from gridmill.board import PACKED
from gridmill.solvers import Solver, is_batch
from gridmill.solvers.claim import reply_to

CHUNK_SECONDS = 0.4  # of solving a chunk, CPU time: some 80 times what it costs beside that
# A chunk has at least so many-th of the records that it may have: were all the boards behind the sample easy, there
# would be that many times the chunks, no more.
SHARE = 16
FEW = 100  # records: no first chunk has fewer (`producer.cut`), if it need not, so fewer are not worth a sample

SAMPLE_SECONDS = 0.02  # CPU time after which the sample is large enough: a fiftieth of a short run
SAMPLE = 1024  # boards that are large enough a sample: a millisecond of the kernel with 17-clue boards
TOGETHER = 256  # boards that a solver gets at once, if it takes many: its lanes are full, and the clock is seen in time
# A board of the sample gets so many-th of the nodes that one may take. That is long enough to tell that such boards
# want the smallest chunk, and no more than 0.06 s of the slowest solver.
NODES_SHARE = 64
PATIENCE = 1.0  # s by the clock for the whole sample, ten times what it may take: some machines have other work
_SPREAD = 0.618  # of all boards lie between one of the sample and the next: any number of them is spread over the whole
_SECONDS = struct.Struct("d")


def chunk(solver: Solver, boards: bytes, *, first: bool, budget: int) -> int:
    """How many records are about CHUNK_SECONDS of work for ``solver``, by ``boards``, packed, some of them.

    ``first`` and ``budget`` are the job's. ``solver.chunk``, where nothing can be found out about them.
    """
    if len(boards) // PACKED <= min(FEW, _least(solver)):
        return solver.chunk
    seconds = _apart(lambda: pace(solver, boards, first=first, budget=budget))
    return solver.chunk if seconds is None else fitting(solver, seconds)


def fitting(solver: Solver, seconds: float) -> int:
    """How many records of so many ``seconds`` each are a chunk, ``solver.chunk`` at most."""
    if seconds * solver.chunk <= CHUNK_SECONDS:
        return solver.chunk
    records = int(CHUNK_SECONDS / seconds)
    return max(_least(solver), round(records, 2 - len(str(records))))  # two digits and zeros, for people


def pace(
    solver: Solver, boards: bytes, *, first: bool, budget: int, now: Callable[[], float] = time.thread_time
) -> float:
    """CPU seconds, as ``now`` tells them, that ``solver`` takes for one of ``boards``, on the average of a sample.

    Holes and clashes are among them, as in a chunk.
    """
    together = TOGETHER if is_batch(solver) else 1
    budget = max(1, min(budget, solver.budget // NODES_SHARE))
    order, done, spent = _spread(len(boards) // PACKED), 0, 0.0
    reply_to(solver, boards[:PACKED], first=first, budget=budget)  # what a solver makes or imports once is not its pace
    begun = now()
    while done < SAMPLE and spent < SAMPLE_SECONDS and (places := list(islice(order, together))):
        some = b"".join([boards[PACKED * place : PACKED * (place + 1)] for place in places])
        reply_to(solver, some, first=first, budget=budget)
        done, spent = done + len(places), now() - begun
    return spent / done


def _least(solver: Solver) -> int:
    return -(-solver.chunk // SHARE)


def _spread(count: int) -> Iterator[int]:
    """Each number below ``count`` once, far from the one before."""
    step = next(step for step in range(max(1, int(_SPREAD * count)), count + 2) if gcd(step, count) == 1)
    return (step * number % count for number in range(count))


def _apart(measure: Callable[[], float]) -> float | None:
    """What ``measure`` says, in a process of its own: a board may kill whoever solves it. None: nothing was said."""
    if not fork.is_possible():
        return None
    (heard, said), nothing = os.pipe(), os.open(os.devnull, os.O_RDWR)
    try:
        # Its standard output is not for us: libraries write there.
        process = fork.Fork(lambda: _say(measure, said), stdin=nothing, stdout=nothing, kept=(said,))
    finally:
        os.close(nothing)
        os.close(said)
    try:
        found = os.read(heard, _SECONDS.size) if select.select([heard], [], [], PATIENCE)[0] else b""
    finally:
        process.kill()
        process.wait()
        os.close(heard)
    return float(*_SECONDS.unpack(found)) if len(found) == _SECONDS.size else None


def _say(measure: Callable[[], float], to: int) -> int:
    signal.setitimer(signal.ITIMER_REAL, PATIENCE)  # then SIGALRM ends it, when nobody is left who would
    with suppress(Exception):  # whatever a library does when it is not as it should be: a worker will say it
        os.write(to, _SECONDS.pack(measure()))
    return 0
