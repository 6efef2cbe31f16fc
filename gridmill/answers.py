"""What Gridmill says about a record: the status, and the evidence that travels with it."""

from dataclasses import dataclass
from enum import StrEnum


class Status(StrEnum):
    """The eight answers. The first six can be a solver's claim; the last two are never a worker's word."""

    UNIQUE = "unique"  # exactly one solution
    SOLVED = "solved"  # one solution found, others not looked for
    MULTIPLE = "multiple"  # at least two, both shown
    NONE = "none"  # no solution exists
    CLASH = "clash"  # the givens break a rule
    UNDECIDED = "undecided"  # the search budget ran out
    MALFORMED = "malformed"  # not a puzzle
    FAILED = "failed"  # whoever solved it died of it


DISAGREES = "disagrees"  # beside the statuses in a job's counts: answers that contradict one that the input has
FAILED_DETAIL = "every attempt to solve this board failed"  # constant: an answer names no host, process or time


@dataclass(frozen=True, slots=True)
class Answer:
    """One record's answer. ``solution`` and ``solution2`` are 81 digits or empty; ``nodes`` counts search nodes."""

    status: Status
    solution: str = ""
    solution2: str = ""
    nodes: int = 0
    detail: str = ""

    @property
    def count(self) -> str:
        """How many solutions are known to exist: exact, or ``>N`` for more than N; empty where nothing is known."""
        return _COUNTS.get(self.status, "")

    @property
    def is_decided(self) -> bool:
        """Whether the record got a final answer (all but ``undecided`` and ``failed``)."""
        return self.status not in (Status.UNDECIDED, Status.FAILED)


_COUNTS = {
    Status.UNIQUE: "1",
    Status.SOLVED: ">0",
    Status.MULTIPLE: ">1",
    Status.NONE: "0",
    Status.CLASH: "0",
}
