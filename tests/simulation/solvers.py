"""Solvers that remember, since the boards are few and the runs many; a board that kills; a referee without a child."""

from collections.abc import Callable, Sequence
from functools import cache
from threading import Event
from typing import Any

from collector.child import Question, settle
from collector.referee import Ruling
from gridmill.board import pack, to_grid
from gridmill.reply import Claim
from gridmill.solvers import bitmask, sat
from gridmill.solvers.outcome import Outcome, Tally

from .world import Killed, World

POISON = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"


class InProcessReferee:
    """Settles in this process and in its own time, and dies of the poisonous board.

    ``alone``: where nobody lies or writes what is not his, what it has to solve itself is a single board, however many
    it came with.
    """

    def __init__(self, world: World, *, alone: Callable[[], bool]) -> None:
        self._world, self._alone = world, alone
        self._asked: list[tuple[int, Sequence[Question]]] = []
        self.stirred = Event()

    def ask(self, key: int, questions: Sequence[Question]) -> None:
        unanswered = [question for question in questions if question.claimed is None and not question.audit]
        assert not self._alone() or len(unanswered) <= 1
        self._asked.append((key, questions))

    def rulings(self) -> list[Ruling]:
        ready = [asked for asked in self._asked if self._world.rng.random() < 0.5]
        self._asked = [asked for asked in self._asked if asked not in ready]
        return [Ruling(key, [verdict(question) for question in questions]) for key, questions in ready]

    def drop(self) -> None:
        self._asked = []

    def close(self) -> None:
        pass


def verdict(question: Question) -> Claim | None:
    return None if question.board == pack(POISON) else settle(question)


class Memo:
    """A solver that remembers: the worker's, under its name. The boards are few, the runs many."""

    name, summary, version, proves, budget, chunk = "bitmask", "", 1, True, 1000, 3

    def search(self, grid: Any, limit: int, budget: int) -> Outcome:
        return outcome("bitmask", "".join(map("".join, grid)), limit, budget)

    def tally(self, board: bytes, limit: int, budget: int, *, keep: bool) -> Tally:
        return tally(board, limit, budget, keep=keep)


class Opinion(Memo):
    """The same for the second opinion."""

    name = "sat"

    def search(self, grid: Any, limit: int, budget: int) -> Outcome:
        return outcome("sat", "".join(map("".join, grid)), limit, budget)


@cache
def outcome(name: str, board: str, limit: int, budget: int) -> Outcome:
    solver = bitmask.Bitmask() if name == "bitmask" else sat.Sat()
    return solver.search(to_grid(board), limit, budget)


@cache
def tally(board: bytes, limit: int, budget: int, *, keep: bool) -> Tally:
    return bitmask.Bitmask().tally(board, limit, budget, keep=keep)


class DeadlyMemo(Memo):
    """The worker's: its process dies of the poisonous board."""

    def search(self, grid: Any, limit: int, budget: int) -> Outcome:
        if "".join(map("".join, grid)) == POISON:
            raise Killed
        return super().search(grid, limit, budget)
