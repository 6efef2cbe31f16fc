"""Solving many boards inside the process, by several threads: the kernel needs no GIL."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import TYPE_CHECKING

from gridmill import solvers
from gridmill.api.answers import Answers
from gridmill.api.given import Given
from gridmill.batch import Batch
from gridmill.chunk import Side
from gridmill.errors import WrongAnswer
from gridmill.formats.sheet import Sheet
from gridmill.judge import WRONG, judge
from gridmill.settings import usable_cores
from gridmill.solvers.claim import reply_to

if TYPE_CHECKING:
    from gridmill.api.given import Boards


def solve_many(
    boards: Boards,
    *,
    solver: str = solvers.DEFAULT,
    first: bool = False,
    budget: int | None = None,
    threads: int | None = None,
) -> Answers:
    """See `gridmill.solve_many`."""
    work = _Work(solver, first, budget)
    sheets: list[Future[Sheet]] = []
    with _pool(threads) as pool:
        given, begin = Given(boards), 1
        for batch in given:
            sheets.append(pool.submit(work.sheet, batch, begin))
            begin += len(batch)
        return Answers([sheet.result() for sheet in sheets], given.columns)


@contextmanager
def _pool(threads: int | None) -> Iterator[ThreadPoolExecutor]:
    """Threads; where an error or Ctrl-C ends the block, what none of them has begun is dropped."""
    pool = ThreadPoolExecutor(threads or usable_cores(), "gridmill")
    try:
        yield pool
    finally:
        pool.shutdown(cancel_futures=True)


class _Work:
    """What each thread does, with a solver of its own."""

    def __init__(self, solver: str, first: bool, budget: int | None) -> None:
        self._name, self._first = solver, first
        self._budget = budget or solvers.get(solver).budget  # raises SettingsError for an unknown solver
        self._own = threading.local()

    def sheet(self, batch: Batch, begin: int) -> Sheet:
        """The answers to ``batch``, whose first record is number ``begin``. Raises WrongAnswer."""
        if not hasattr(self._own, "solver"):
            self._own.solver = solvers.get(self._name)
        reply = reply_to(self._own.solver, batch.boards, first=self._first, budget=self._budget)
        if WRONG in judge(batch.boards, reply):
            raise WrongAnswer(f"the solver {self._name} gave a false answer: a fault in Gridmill")
        side = Side(begin, batch.lines, batch.ids, list(batch.extras), dict(batch.faults))
        return Sheet(batch.boards, side, reply, {})
