"""Whether what an answers file says is true, without any queue: every line, many at a glance where that is enough."""

from collections import Counter
from collections.abc import Iterable, Iterator

from gridmill.answers import UNSAID
from gridmill.aside import Again, Recount, Repeats
from gridmill.formats.answers_file import Said
from gridmill.formats.sheaf import Sheaf
from gridmill.formats.stated import Stated
from gridmill.glance import glance
from gridmill.truth import examine

Fault = tuple[int, str]  # a line, and what is wrong with it


class Proof:
    """Iterating gives ``(line, what is wrong)`` for each line that is not true. The totals hold when it has ended.

    ``again`` begins with the first of ``answers`` again, see `gridmill.aside.Repeats`.
    """

    def __init__(self, answers: Iterable[Said], recount: Recount | None = None, again: Again | None = None) -> None:
        self._answers = answers
        self.repeats = Repeats(again)
        self._recount = recount
        self._expected = 0  # the record of the last line, if all stand where they belong
        self.statuses: Counter[str] = Counter()
        self.rows = 0
        self.faults = 0

    def __iter__(self) -> Iterator[Fault]:
        for faults in self.parts():
            yield from faults

    def parts(self) -> Iterator[list[Fault]]:
        """The same, those of many lines at a time, or none of them."""
        for said in self._answers:
            if isinstance(said, Stated) or self._recount:
                lines = [said] if isinstance(said, Stated) else map(said.stated, range(len(said)))
                faults = [fault for line in lines for fault in self._line(line)]
            else:
                faults = list(self._sheaf(said))
            self.faults += len(faults)
            yield faults

    def _line(self, stated: Stated) -> Iterator[Fault]:
        self.rows += 1
        self.statuses[stated.status or UNSAID] += 1
        self._expected += 1
        fault, repeats = examine(stated, self._recount), self.repeats.fault(stated)
        if fault is None and stated.record not in (0, self._expected):
            fault = f"record {stated.record} stands where record {self._expected} belongs"
            self._expected = stated.record
        fault = fault or repeats
        if fault:
            yield stated.line, fault

    def _sheaf(self, sheaf: Sheaf) -> Iterator[Fault]:
        """Those that are true at a glance are counted together, each of the others is examined."""
        true, at = glance(sheaf), 0
        while at < len(sheaf):
            end = true.find(0, at)
            end = self._in_place(sheaf, at, len(sheaf) if end < 0 else end)
            end = self.repeats.check(sheaf, at, end)
            if end > at:
                self._count(sheaf, at, end)
            else:
                yield from self._line(sheaf.stated(at))
                end += 1
            at = end

    def _in_place(self, sheaf: Sheaf, at: int, end: int) -> int:
        """Where, from ``at`` to ``end``, the first line stands whose record does not belong there."""
        records = sheaf.records[at:end]
        if not any(records):
            return end
        belong = range(self._expected + 1, self._expected + 1 + len(records))
        if list(records) == list(belong):
            return end
        pairs = enumerate(zip(records, belong, strict=True), at)
        return next((place for place, (record, wanted) in pairs if record != wanted), end)

    def _count(self, sheaf: Sheaf, at: int, end: int) -> None:
        self.rows += end - at
        self.statuses.update(status or UNSAID for status in sheaf.statuses[at:end])
        self._expected += end - at
