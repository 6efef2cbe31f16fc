"""Consecutive records with their answers, in columns: what a writer needs to write them without an object for each."""

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Self

from gridmill import rules
from gridmill.answers import Answer, Status
from gridmill.board import CELLS, HOLE, PACKED, pack, slots, unpack
from gridmill.chunk import Chunk, Fault, Side
from gridmill.errors import WireError
from gridmill.finding import Counted, read_spared
from gridmill.formats import told
from gridmill.formats.row import ONE_SOLUTION, Row
from gridmill.formats.told import Spared
from gridmill.questions import NOTHING, Questions
from gridmill.reply import CODES, HOLE_CODE, STATUSES, WITH_SECOND, Claim, Reply, tally

_NAMES = tuple(map(rules.cell_name, range(CELLS)))
# Codes of records of which more is to be said than the code: what is wrong with it.
_ODD = re.compile(bytes([ord("["), HOLE_CODE, CODES[Status.CLASH], ord("]")]))

_ARE_SINGLE = bytes(STATUSES.get(code) in ONE_SOLUTION for code in range(256))  # by code


@dataclass(frozen=True, slots=True)
class Sheet:
    """A chunk and what a verified ``reply`` says of it; ``rulings``, by index, go before what the reply says.

    ``asked``: what else it has to say; ``own``: of that, what the boards say by themselves.
    """

    boards: bytes
    side: Side
    reply: Reply
    rulings: Mapping[int, Answer]
    asked: Questions = NOTHING
    own: told.Own = told.Own()  # noqa: RUF009  # nothing that can be changed

    @classmethod
    def of(cls, chunk: Chunk, reply: Reply, rulings: Mapping[int, Answer], asked: Questions = NOTHING) -> Self:
        """Raises WireError when the chunk's side data cannot be read."""
        return cls(chunk.boards, chunk.read_side(), reply, rulings, asked, told.Own.of(asked, chunk.boards))

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
        said = list(zip(*self.told(), strict=True)) or [()] * len(self)
        line = 0
        for index, (puzzle, answer) in enumerate(self._answered()):
            line = runs.get(index, line + 1)
            yield Row(side.first + index, line, ids[index], puzzle, answer, extras[index], said[index])

    def answer(self, index: int) -> Answer:
        """The answer of one record."""
        slot = self.boards[PACKED * index : PACKED * (index + 1)]
        return self._said(index, slot, self.reply.claim(index))[1]

    def odd(self) -> Iterator[tuple[int, str, Answer]]:
        """Index, puzzle and answer of each record that needs more than its code and solutions to be written."""
        counts = tally(self.reply.codes)
        are_some = counts[HOLE_CODE] or counts[CODES[Status.CLASH]]
        indices = {match.start() for match in _ODD.finditer(self.reply.codes)} if are_some else set()
        indices |= self.rulings.keys()
        if self.asked.count and counts[WITH_SECOND]:
            yield from self._odd_or_counted(indices)
            return
        for index in sorted(indices):
            slot = self.boards[PACKED * index : PACKED * (index + 1)]
            claim = Claim(STATUSES.get(self.reply.codes[index]))  # without solutions, for none of these shows any
            yield index, *self._said(index, slot, claim)

    def _odd_or_counted(self, odd: Collection[int]) -> Iterator[tuple[int, str, Answer]]:
        for index, (puzzle, answer) in enumerate(self._answered()):
            if index in odd or self.reply.codes[index] == WITH_SECOND:
                yield index, puzzle, answer

    def answers(self) -> Iterator[Answer]:
        """The answers of all records, in order."""
        return (answer for _, answer in self._answered())

    def told(self) -> list[list[str]]:
        """The columns of `gridmill.formats.told`, one text a record. Raises WireError like `rows`."""
        return told.columns(self.asked, self.answers(), self._spared(), self.own, self._single())

    def counts(self) -> Counter[str]:
        """How many records have each status."""
        codes = self.reply.codes
        counts = Counter({_status(code).value: count for code, count in enumerate(tally(codes))})
        for index, answer in self.rulings.items():
            counts[_status(codes[index]).value] -= 1
            counts[answer.status.value] += 1
        return +counts

    def _single(self) -> bytes:
        made = bytearray(self.reply.codes.translate(_ARE_SINGLE))
        for index, answer in self.rulings.items():
            made[index] = answer.status in ONE_SOLUTION
        return bytes(made)

    def _spared(self) -> Iterator[Spared]:
        """What `answers` says of the givens, without an answer for each."""
        findings = self.reply.findings.blobs(len(self))
        for index, (code, finding) in enumerate(zip(self.reply.codes, findings, strict=True)):
            if index in self.rulings:
                yield self.rulings[index].spared
            elif code != CODES[Status.UNIQUE]:
                yield None
            else:
                board = self.boards[PACKED * index : PACKED * (index + 1)]
                yield tuple([_NAMES[cell] for cell in read_spared(finding, board)])

    def _answered(self) -> Iterator[tuple[str, Answer]]:
        """The puzzle, or what stands for it, and its answer of each record."""
        for index, (slot, claim) in enumerate(zip(slots(self.boards), self.reply.claims(), strict=True)):
            yield self._said(index, slot, claim)

    def _said(self, index: int, slot: bytes, claim: Claim) -> tuple[str, Answer]:
        """The puzzle, or what stands for it, and its answer."""
        if slot == HOLE:
            fault = self.side.faults.get(index)
            if fault is None:
                raise WireError(f"side data of a chunk do not say what is wrong with its record {index}")
            return fault.text, Answer(Status.MALFORMED, detail=_explain(fault))
        puzzle = unpack(slot)
        return puzzle, self.rulings.get(index) or _answer(puzzle, claim, self.asked)


def _status(code: int) -> Status:
    return STATUSES.get(code, Status.MALFORMED)


def _explain(fault: Fault) -> str:
    return f"column {fault.column}: {fault.reason}" if fault.column else fault.reason


def _answer(puzzle: str, claim: Claim, asked: Questions) -> Answer:
    assert claim.status is not None  # the judge lets no hole pass for a board
    answer = Answer(
        claim.status,
        solution=unpack(claim.solution) if claim.solution else "",
        solution2=unpack(claim.second) if claim.second else "",
        nodes=claim.nodes,
        detail=str(rules.clash(puzzle)) if claim.status is Status.CLASH else "",
    )
    if claim.status is Status.MULTIPLE and asked.count:
        counted = Counted.decode(claim.finding, asked)
        return replace(answer, counted=counted.shown, listed=tuple(map(unpack, slots(counted.listed))))
    if claim.status is not Status.UNIQUE or not asked.of_workers:
        return answer
    spared = None
    if asked.minimal:
        spared = tuple(map(rules.cell_name, read_spared(claim.finding, pack(puzzle))))
    return replace(answer, listed=(answer.solution,) if asked.every else (), spared=spared)
