"""Solving many boards inside the process, by several threads: the kernel needs no GIL."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from gridmill import findings, solvers
from gridmill.api.answers import Answers
from gridmill.api.given import Given
from gridmill.batch import Batch
from gridmill.chunk import Side
from gridmill.errors import SettingsError, WrongAnswer
from gridmill.formats import told
from gridmill.formats.sheet import Sheet
from gridmill.judge import WRONG, judge
from gridmill.known import compared
from gridmill.questions import NOTHING, Questions
from gridmill.solvers import inquiry
from gridmill.solvers.claim import reply_to
from gridmill.threads import in_order

if TYPE_CHECKING:
    from gridmill.api.given import Boards


def solve_many(
    boards: Boards,
    *,
    solver: str = solvers.DEFAULT,
    first: bool = False,
    budget: int | None = None,
    asked: Questions = NOTHING,
    threads: int | None = None,
) -> Answers:
    """See `gridmill.solve_many`."""
    if threads is not None and threads < 1:
        raise SettingsError(f"{threads} threads cannot solve: give at least 1, or None for one a core")
    given = Given(boards)
    work = Work(solver, first=first, budget=budget, asked=asked, known=given.answers)
    return Answers(in_order(lambda some: work.sheet(*some), _numbered(given), threads), given.columns)


def _numbered(batches: Iterable[Batch]) -> Iterator[tuple[Batch, int]]:
    """Each with the number of its first record."""
    begin = 1
    for batch in batches:
        yield batch, begin
        begin += len(batch)


class Work:
    """What each thread does, with a solver of its own. ``known``: which columns of the input hold answers."""

    def __init__(
        self, solver: str, *, first: bool, budget: int | None, asked: Questions, known: Sequence[int] = ()
    ) -> None:
        self._name, self._first, self._asked, self._known = solver, first, asked, known
        made = solvers.get(solver)  # raises SettingsError for an unknown solver
        inquiry.check(made, asked, first=first)
        told.check(asked)
        if budget is not None and budget < 1:
            raise SettingsError(
                f"a budget of {budget} nodes is none: give at least 1, or None for what suits the solver"
            )
        self._budget = budget or made.budget
        self._own = threading.local()

    def sheet(self, batch: Batch, begin: int) -> Sheet:
        """The answers to ``batch``, whose first record is number ``begin``. Raises WrongAnswer."""
        if not hasattr(self._own, "solver"):
            self._own.solver = solvers.get(self._name)
        boards, asked = batch.boards, self._asked
        reply = reply_to(self._own.solver, boards, first=self._first, budget=self._budget, asked=asked)
        if WRONG in judge(boards, reply) or findings.fault(boards, reply, asked):
            raise WrongAnswer(f"the solver {self._name} gave a false answer: a fault in Gridmill")
        side = Side(begin, batch.lines, batch.ids, list(batch.extras), dict(batch.faults))
        return compared(Sheet(boards, side, reply, {}, asked, told.Own.of(asked, boards)), self._known)[0]
