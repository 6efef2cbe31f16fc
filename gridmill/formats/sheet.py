"""Consecutive records with their answers, in columns: what a writer needs to write them without an object for each."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Self

from gridmill import rules
from gridmill.answers import Answer, Status
from gridmill.board import HOLE, PACKED, slots, unpack
from gridmill.chunk import Chunk, Fault, Side
from gridmill.errors import WireError
from gridmill.formats.row import Row
from gridmill.reply import CODES, HOLE_CODE, STATUSES, Claim, Reply

# Codes of records of which more is to be said than the code: what is wrong with it.
_ODD = re.compile(bytes([ord("["), HOLE_CODE, CODES[Status.CLASH], ord("]")]))


@dataclass(frozen=True, slots=True)
class Sheet:
    """A chunk and what a verified ``reply`` says of it; ``rulings``, by index, go before what the reply says."""

    boards: bytes
    side: Side
    reply: Reply
    rulings: Mapping[int, Answer]

    @classmethod
    def of(cls, chunk: Chunk, reply: Reply, rulings: Mapping[int, Answer]) -> Self:
        """Raises WireError when the chunk's side data cannot be read."""
        return cls(chunk.boards, chunk.read_side(), reply, rulings)

    def __len__(self) -> int:
        return len(self.reply.codes)

    def rows(self) -> Iterator[Row]:
        """One row a record. Raises WireError when the side data are not of as many records."""
        side = self.side
        runs = dict(side.lines)
        try:
            ids = side.ids.texts(len(self))
            extras = list(zip(*(column.texts(len(self)) for column in side.extras), strict=True)) or [()] * len(self)
        except ValueError as error:
            raise WireError(f"side data of a chunk cannot be read: {error}") from error
        line = 0
        for index, (slot, claim) in enumerate(zip(slots(self.boards), self.reply.claims(), strict=True)):
            line = runs.get(index, line + 1)
            yield Row(side.first + index, line, ids[index], *self._said(index, slot, claim), extras[index])

    def answer(self, index: int) -> Answer:
        """The answer of one record."""
        slot = self.boards[PACKED * index : PACKED * (index + 1)]
        return self._said(index, slot, self.reply.claim(index))[1]

    def odd(self) -> Iterator[tuple[int, str, Answer]]:
        """Index, puzzle and answer of each record that needs more than its code and solutions to be written."""
        indices = {match.start() for match in _ODD.finditer(self.reply.codes)}
        for index in sorted(indices | self.rulings.keys()):
            slot = self.boards[PACKED * index : PACKED * (index + 1)]
            claim = Claim(STATUSES.get(self.reply.codes[index]))  # without solutions, for none of these shows any
            yield index, *self._said(index, slot, claim)

    def counts(self) -> Counter[str]:
        """How many records have each status."""
        codes = self.reply.codes
        counts = Counter({_status(code).value: codes.count(code) for code in (HOLE_CODE, *STATUSES)})
        for index, answer in self.rulings.items():
            counts[_status(codes[index]).value] -= 1
            counts[answer.status.value] += 1
        return +counts

    def _said(self, index: int, slot: bytes, claim: Claim) -> tuple[str, Answer]:
        """The puzzle, or what stands for it, and its answer."""
        if slot == HOLE:
            fault = self.side.faults.get(index)
            if fault is None:
                raise WireError(f"side data of a chunk do not say what is wrong with its record {index}")
            return fault.text, Answer(Status.MALFORMED, detail=_explain(fault))
        puzzle = unpack(slot)
        return puzzle, self.rulings.get(index) or _answer(puzzle, claim)


def _status(code: int) -> Status:
    return STATUSES.get(code, Status.MALFORMED)


def _explain(fault: Fault) -> str:
    return f"column {fault.column}: {fault.reason}" if fault.column else fault.reason


def _answer(puzzle: str, claim: Claim) -> Answer:
    assert claim.status is not None  # the judge lets no hole pass for a board
    return Answer(
        claim.status,
        solution=unpack(claim.solution) if claim.solution else "",
        solution2=unpack(claim.second) if claim.second else "",
        nodes=claim.nodes,
        detail=str(rules.clash(puzzle)) if claim.status is Status.CLASH else "",
    )
