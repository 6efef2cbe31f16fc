"""What Gridmill says about a record: the status, and the evidence that travels with it."""

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Self


class Status(StrEnum):
    """The eight answers. The first six can be a solver's claim; the last two are never a worker's word."""

    UNIQUE = "unique"
    SOLVED = "solved"
    MULTIPLE = "multiple"
    NONE = "none"
    CLASH = "clash"
    UNDECIDED = "undecided"
    MALFORMED = "malformed"
    FAILED = "failed"

    @property
    def meaning(self) -> str:
        """What it says of a record, for people."""
        return _MEANINGS[self]


_MEANINGS = {
    Status.UNIQUE: "exactly one solution",
    Status.SOLVED: "one solution, others not looked for",
    Status.MULTIPLE: "at least two solutions",
    Status.NONE: "no solution",
    Status.CLASH: "the givens break a rule",
    Status.UNDECIDED: "the search budget ran out",
    Status.MALFORMED: "not a puzzle",
    Status.FAILED: "whoever solved it died of it",
}

DISAGREES = "disagrees"  # beside the statuses in a job's counts: answers that contradict one that the input has
REPEATED, DRESSED = "repeated", "dressed"  # and records that are an earlier one, by every cell or in another dress
UNSAID = "without a status"  # of lines of an answers file that name none, as foreign files do
FAILED_DETAIL = "every attempt to solve this board failed"  # constant: an answer names no host, process or time


@dataclass(frozen=True, slots=True)
class Answer:
    """One record's answer. ``solution`` and ``solution2`` are 81 digits or empty; ``nodes`` counts search nodes.

    ``counted`` is the count where it was asked for, else empty; ``listed`` all solutions that were, where they were;
    ``spared`` the cells of givens that can be spared, None where that is not known.
    """

    status: Status
    solution: str = ""
    solution2: str = ""
    nodes: int = 0
    detail: str = ""
    counted: str = ""
    listed: tuple[str, ...] = ()
    spared: tuple[str, ...] | None = None

    @property
    def count(self) -> str:
        """How many solutions are known to exist: exact, or ``>N`` for more than N; empty where nothing is known."""
        return self.counted or _COUNTS.get(self.status, "")

    @property
    def is_decided(self) -> bool:
        """Whether the record got a final answer (all but ``undecided`` and ``failed``)."""
        return self.status not in (Status.UNDECIDED, Status.FAILED)

    def noted(self, text: str) -> Self:
        """The same, with ``text`` behind its detail."""
        return replace(self, detail=f"{self.detail}; {text}" if self.detail else text)


_COUNTS = {
    Status.UNIQUE: "1",
    Status.SOLVED: ">0",
    Status.MULTIPLE: ">1",
    Status.NONE: "0",
    Status.CLASH: "0",
}
