"""What a collection of puzzles is like: what they are, how many givens they have, how hard they are, what is the same.

It is summed up part by part. Memory grows with nothing but what `gridmill.seen` keeps of each different puzzle, twice.
"""

import struct
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import Any, NamedTuple, Self

from gridmill import kernel, solvers
from gridmill.answers import Answer, Status
from gridmill.api import columns
from gridmill.api.given import Given
from gridmill.api.many import Work
from gridmill.api.records import Records
from gridmill.batch import Batch
from gridmill.board import CELLS
from gridmill.errors import FormatError
from gridmill.formats.input import Input
from gridmill.formats.row import ONE_SOLUTION
from gridmill.formats.told import Own
from gridmill.questions import Questions
from gridmill.report.blocks import Block, are_answers, blocks
from gridmill.seen import Seen
from gridmill.technique import NONE, Technique
from gridmill.threads import in_order

# Records that are solved at a time: with the kernel as many as were read together, without it half a second's work, so
# that Ctrl-C need not wait for long.
_SLOW_PIECE = 50
_STATUSES = tuple(map(str, columns.STATUSES))
_SINGLE = frozenset(map(str, ONE_SOLUTION))
_TECHNIQUES = tuple(Technique)


class Part(NamedTuple):
    """Records with their answers: packed ``boards``, a hole where there is none; status and nodes of each; ``own`` is
    what they say by themselves."""

    boards: bytes
    statuses: Sequence[str]
    nodes: Sequence[int]
    own: Own


def parts(source: Input, name: str) -> Iterator[Part]:
    """The records of ``source``: an answers file of ours (called ``name``) as it stands, puzzles solved here.

    Raises FormatError for what cannot be read, WrongAnswer for a solver that is wrong.
    """
    asked = Questions.of(canonical=kernel.native, difficulty=True)
    if are_answers(source):
        return in_order(lambda block: _stated(block, asked, name), blocks(source, name))
    work = Work(solvers.DEFAULT, first=False, budget=None, asked=asked)
    return in_order(lambda batch: _solved(work, batch), _pieces(Given(Records(source))))


def _pieces(given: Given) -> Iterator[Batch]:
    for batch in given:
        size = len(batch) if kernel.native else _SLOW_PIECE
        yield from (batch.part(at, min(at + size, len(batch))) for at in range(0, len(batch), size))


def _solved(work: Work, batch: Batch) -> Part:
    sheet = work.sheet(batch, 1)
    statuses = [_STATUSES[code] for code in columns.codes(sheet)]
    return Part(sheet.boards, statuses, struct.unpack(f"<{len(sheet)}I", columns.nodes(sheet)), sheet.own)


def _stated(block: Block, asked: Questions, name: str) -> Part:
    try:
        statuses = [Status(status).value for status in block.statuses]
        return Part(block.boards, statuses, block.nodes, Own.of(asked, block.boards))
    except ValueError as error:
        raise FormatError(f"{name} is no answers file as gridmill writes them: {error}") from error


class Numbers(Counter[int]):
    """How often each number occurred."""

    @property
    def median(self) -> float | None:
        """Half of them are not greater, half not smaller; None where there are none."""
        if not self:
            return None
        numbers = sorted(+self)
        ends = list(accumulate(self[number] for number in numbers))
        low, high = (next(number for number, end in zip(numbers, ends, strict=True) if end > at)
                     for at in ((ends[-1] - 1) // 2, ends[-1] // 2))  # fmt: skip
        return (low + high) / 2


class Stats:
    """The sums. ``nodes`` counts records by the bits of their number of nodes (0; 1; 2 to 3; 4 to 7; …), as a report
    does; ``dressed``, records that are the same as an earlier one in another dress, is None without the kernel."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.givens = Numbers()
        self.techniques: Counter[Technique] = Counter()
        self.nodes: Counter[int] = Counter()
        self.nodes_sum = self.nodes_most = 0
        self.repeated = 0
        self.dressed = 0 if kernel.native else None
        self._boards, self._forms = Seen(), Seen()

    @property
    def records(self) -> int:
        """All."""
        return self.counts.total()

    @property
    def is_decided(self) -> bool:
        """Whether every record has a final answer."""
        return all(Answer(Status(status)).is_decided for status in self.counts)

    def add(self, part: Part) -> Self:
        """Count ``part``, which follows those before."""
        first, own = self.records + 1, part.own
        self.counts.update(part.statuses)
        self.givens.update(number for number, code in zip(own.givens, own.techniques, strict=True) if code != NONE)
        needed = Counter(code for code, status in zip(own.techniques, part.statuses, strict=True) if status in _SINGLE)
        self.techniques.update({_TECHNIQUES[code - 1]: number for code, number in needed.items() if code != NONE})
        self.nodes.update(number.bit_length() for number in part.nodes)
        self.nodes_sum += sum(part.nodes)
        self.nodes_most = max(self.nodes_most, *part.nodes)
        self._compare(part, first)
        return self

    def _compare(self, part: Part, first: int) -> None:
        same = [0 < seen < number for number, seen in enumerate(self._boards.note(part.boards, first), first)]
        self.repeated += sum(same)
        if self.dressed is not None:
            forms = enumerate(self._forms.note(part.own.forms, first), first)
            dressed = (0 < seen < number for number, seen in forms)
            self.dressed += sum(is_so and not is_same for is_so, is_same in zip(dressed, same, strict=True))

    def as_dict(self) -> dict[str, Any]:
        """All of it, for JSON."""
        return {
            "records": self.records,
            "statuses": {status.value: self.counts[status] for status in Status if self.counts[status]},
            "givens": {
                "least": min(self.givens, default=None),
                "median": self.givens.median,
                "most": max(self.givens, default=None),
                "records": {str(number): self.givens[number] for number in range(CELLS + 1) if self.givens[number]},
            },
            "techniques": {str(technique): self.techniques[technique] for technique in Technique},
            "nodes": {
                "mean": round(self.nodes_sum / max(1, self.records), 3),
                "most": self.nodes_most,
                "records": {span(bits): self.nodes[bits] for bits in sorted(self.nodes)},
            },
            "repeated": self.repeated,
            "dressed": self.dressed,
        }


def span(bits: int) -> str:
    """The numbers that have so many bits: ``0``, ``1``, ``2-3``, ``4-7``."""
    return str(bits) if bits < 2 else f"{1 << bits - 1}-{(1 << bits) - 1}"
