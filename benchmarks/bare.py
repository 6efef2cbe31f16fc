"""Solve plain lines of 81 characters with Gridmill's kernel and nothing around it: what `peers.py` compares with.

    python benchmarks/bare.py FILE OUT [--processes N]

No queue, no check of any answer, no journal, and no line that is not a board: the least that can be done around the
same solver. Reading, packing and writing rows are Gridmill's own native code, so that a peer differs by the way that
its work travels and by nothing else. With one process this one does all; with more, `multiprocessing.Pool.imap` gives
blocks of lines to N of them, and their rows come back in order. Prints the seconds from the moment when the processes
are there to the last byte of OUT.
"""

import argparse
import time
from collections.abc import Iterator
from itertools import starmap
from multiprocessing import get_context
from pathlib import Path

from gridmill import solvers
from gridmill.api.given import Given
from gridmill.board import CELLS
from gridmill.chunk import Side
from gridmill.formats.output import writer
from gridmill.formats.sheet import Sheet
from gridmill.solvers.claim import reply_to

LINE = CELLS + 1  # bytes of a board and its line end
BLOCK = 50_000  # lines that travel at a time: as many as are a chunk of Gridmill with this solver


def rows(block: bytes, first: int) -> bytes:
    """The CSV rows of the boards in ``block``, the first of which is record ``first``."""
    solver, made = solvers.get(solvers.DEFAULT), writer("csv", ())
    parts: list[bytes] = []
    for batch in Given(block):
        reply = reply_to(solver, batch.boards, first=False, budget=solver.budget)
        parts.extend(made.sheet(Sheet(batch.boards, Side(first, [(0, first)], batch.ids, [], {}), reply, {})))
        first += len(batch)
    return b"".join(parts)


def _rows_of(task: tuple[bytes, int]) -> bytes:
    return rows(*task)


def blocks(path: Path) -> Iterator[tuple[bytes, int]]:
    """The lines of a file, BLOCK at a time, each with the number of its first."""
    with path.open("rb") as file:
        for number, block in enumerate(iter(lambda: file.read(BLOCK * LINE), b"")):
            yield block, number * BLOCK + 1


def solve(path: Path, out: Path, processes: int) -> float:
    """Solve ``path`` into ``out``; the seconds that it took, without the start of the processes."""
    if processes == 1:
        return _write(out, time.perf_counter(), starmap(rows, blocks(path)))
    with get_context("fork").Pool(processes) as pool:
        pool.map(_rows_of, [(b"." * CELLS, 1)] * processes, chunksize=1)  # each has its solver loaded
        return _write(out, time.perf_counter(), pool.imap(_rows_of, blocks(path)))


def _write(out: Path, begun: float, made: Iterator[bytes]) -> float:
    with out.open("wb") as file:
        file.writelines(made)
    return time.perf_counter() - begun


def main() -> None:
    parser = argparse.ArgumentParser(description="Solve lines of 81 characters with the kernel and nothing around it.")
    parser.add_argument("file", type=Path)
    parser.add_argument("out", type=Path, help="CSV rows without a header")
    parser.add_argument("--processes", type=int, default=1)
    arguments = parser.parse_args()
    print(solve(arguments.file, arguments.out, arguments.processes))


if __name__ == "__main__":
    main()
