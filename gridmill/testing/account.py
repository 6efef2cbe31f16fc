"""What became of a job: each record accounted for."""

from collections import Counter
from dataclasses import dataclass

from gridmill.answers import Answer
from gridmill.api.progress import Progress
from gridmill.formats.row import Row


@dataclass(frozen=True)
class Account:
    """``rows`` in the order in which they came; ``progress`` at the end. Of the mill as a whole: the ``faults`` that
    struck, the ``messages`` that reached its queue, and the ``restarts`` of its worker processes."""

    rows: tuple[Row, ...]
    progress: Progress
    faults: tuple[str, ...]
    messages: int
    restarts: int

    @property
    def answers(self) -> list[Answer]:
        """The answers in the order of the records."""
        return [row.answer for row in self.rows]

    @property
    def statuses(self) -> list[str]:
        """Their statuses."""
        return [row.answer.status.value for row in self.rows]

    @property
    def resent(self) -> int:
        """Pieces that were sent again, since nothing was heard of them or their worker died."""
        return self.progress.resent

    @property
    def rejected(self) -> int:
        """Answers that were found to be false."""
        return self.progress.rejected

    def check(self) -> None:
        """Assert that every record of the input has been answered once, in order, and that the counts add up."""
        times = Counter(row.record for row in self.rows)
        twice = sorted(record for record, count in times.items() if count > 1)
        assert not twice, f"records answered more than once: {twice}"
        missing = sorted(set(range(1, (self.progress.total or 0) + 1)) - set(times))
        assert not missing, f"records without an answer: {missing}"
        assert list(times) == sorted(times), "the answers are not in the order of the records"
        assert len(self.rows) == self.progress.total, f"{len(self.rows)} answers to {self.progress.total} records"
        counts = {status: count for status, count in self.progress.counts.items() if count}
        assert Counter(self.statuses) == counts, f"counted {counts}, but there are {Counter(self.statuses)}"
