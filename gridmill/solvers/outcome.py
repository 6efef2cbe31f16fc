"""What a search found, and what it may cost.

A **node** is one tentative placement: a digit put into a cell to see where it leads. What follows from it without
a choice (singles) is no node, so a board that singles settle has none. `sat` has no placements to count and says in its
module what its nodes are. Nodes depend on the puzzle and the solver's version alone, never on the machine.
"""

from dataclasses import dataclass
from typing import NamedTuple

from gridmill.answers import Status
from gridmill.board import pack
from gridmill.reply import Claim


@dataclass(frozen=True, slots=True)
class Outcome:
    """The solutions found (81 digits each, at most the limit), the nodes used, and whether the budget cut it short.

    With ``spent`` false and fewer solutions than the limit, there are no others.
    """

    solutions: tuple[str, ...]
    nodes: int
    spent: bool


class Tally(NamedTuple):
    """``found`` solutions, one more than the limit at most; ``spent``: the budget ended it, and there may be more.

    ``solutions``: the first ones found, up to the limit, packed end to end in lexicographic order, if they were wanted.
    """

    found: int
    spent: bool
    solutions: bytes = b""


def claimed(outcome: Outcome, limit: int) -> Claim:
    """What is said of a board by an outcome where up to ``limit`` solutions, one or two, were looked for."""
    status = status_of(outcome, limit)
    return Claim(status, outcome.nodes, *(() if status is Status.UNDECIDED else map(pack, outcome.solutions)))


def status_of(outcome: Outcome, limit: int) -> Status:
    """What an outcome means, see `claimed`."""
    found = len(outcome.solutions)
    if found == 2:
        return Status.MULTIPLE
    if outcome.spent:
        return Status.UNDECIDED
    if found == 0:
        return Status.NONE
    return Status.SOLVED if limit == 1 else Status.UNIQUE


class Spent(Exception):
    """The search wants one node more than its budget allows."""


class Budget:
    """Counts the nodes of one search; `spend` comes before each placement and raises Spent instead of the last + 1."""

    __slots__ = ("_allowed", "nodes")

    def __init__(self, allowed: int) -> None:
        self._allowed = allowed
        self.nodes = 0

    def spend(self) -> None:
        if self.nodes >= self._allowed:
            raise Spent
        self.nodes += 1
