"""From a chunk and its verified replies to the rows of the output."""

from collections.abc import Iterable, Iterator

from gridmill import rules
from gridmill.answers import Answer, Status
from gridmill.board import HOLE, slots, unpack
from gridmill.chunk import Chunk, Fault
from gridmill.formats.row import Row
from gridmill.reply import Claim


def rows(chunk: Chunk, claims: Iterable[Claim | Answer]) -> Iterator[Row]:
    """One row a record of ``chunk``; ``claims`` are as many, an Answer where the collector has its own."""
    side = chunk.read_side()
    runs = dict(side.lines)
    line = 0
    for index, (packed, claim) in enumerate(zip(slots(chunk.boards), claims, strict=True)):
        line = runs.get(index, line + 1)
        if packed == HOLE:
            fault = side.faults[index]
            puzzle, answer = fault.text, Answer(Status.MALFORMED, detail=_explain(fault))
        else:
            puzzle = unpack(packed)
            answer = claim if isinstance(claim, Answer) else _answer(puzzle, claim)
        yield Row(
            record=side.first + index,
            line=line,
            id=side.ids[index] if side.ids else "",
            puzzle=puzzle,
            answer=answer,
            extras=side.extras[index] if side.extras else (),
        )


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
