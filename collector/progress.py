"""How far a job is, for those who watch."""

from collections import Counter
from dataclasses import dataclass, field


@dataclass(slots=True)
class Progress:
    """``written`` records are in the output, ``enqueued`` have left the producer; ``total`` is known once it has ended.

    ``counts`` by status, and, where the input has answers, how many of ours disagree (`gridmill.answers.DISAGREES`).
    ``rejected`` answers were false, ``resent`` pieces were sent again. All of it is about ``job``.
    """

    written: int = 0
    enqueued: int = 0
    total: int | None = None
    rejected: int = 0
    resent: int = 0
    queued: int = 0
    started: int = 0
    bytes_in_flight: int = 0
    counts: Counter[str] = field(default_factory=Counter)
    job: str = ""
