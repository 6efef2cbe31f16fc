"""How far a job is, for programs."""

from dataclasses import dataclass

from gridmill.answers import Status


@dataclass(frozen=True, slots=True)
class Progress:
    """``answered`` records can be taken or have been, ``read`` have left the input; ``total`` is known at its end.

    ``counts`` by status. ``rejected`` answers were false, ``resent`` pieces were sent again: what a job has survived.
    """

    answered: int
    read: int
    total: int | None
    counts: dict[Status, int]
    rejected: int
    resent: int
