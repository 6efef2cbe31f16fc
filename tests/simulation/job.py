"""What is asked in a simulation, and what the answers must be."""

import random
from collections.abc import Iterator, Sequence

from collector.child import Question, settle
from collector.repeats import Repeats
from gridmill import kernel
from gridmill.answers import FAILED_DETAIL, Answer, Status
from gridmill.board import pack
from gridmill.chunk import Chunk, Fault, Record
from gridmill.formats.output import writer
from gridmill.formats.sheet import Sheet
from gridmill.job import Spec
from gridmill.questions import NOTHING, Questions
from gridmill.reply import Claim, Reply

from .solvers import POISON

BUDGET = 30  # search nodes a board, so that one of the boards is undecided

UNIQUE = [
    "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79",
    ".23.97645456231978789564312.97.23564231456897564789231645312789978645123312978456",
    ".....7..4.....6..386.2.....5.9.82...64.....8.......7.........42.1..3....7.3.....9",
]
OTHERS = [
    "..3456789456789123789123456..4365897365897214897214365531642978642978531978531642",  # two solutions
    ".....5.8....6.1.43..........1.5........1.6...3.......553.....61........4.........",  # none, but undecided at once
    ".71..4.................6...8....9........2..8.....76......81..6....6....6....38..",  # none, by singles
    "55" + "." * 79,  # a clash
]
RUBBISH = Fault(3, "no digit", "53x")


class Records(list[Record]):
    repeatable = True


def random_records(rng: random.Random) -> Iterator[Record]:
    for line in range(1, rng.choice([0, 1, 9, 30, 60]) + 1):
        kind = rng.random()
        board = rng.choice(UNIQUE if kind < 0.5 else OTHERS if kind < 0.8 else [POISON] if kind < 0.84 else [""])
        yield Record(line, board or None, None if board else RUBBISH)


def random_questions(rng: random.Random) -> Questions:
    """What else is asked of each puzzle: nothing in half of the runs."""
    if rng.random() < 0.5:
        return NOTHING
    every, minimal, canonical, dedupe, difficulty = (rng.random() < 0.4 for _ in range(5))
    count = rng.choice([0, 1, 3, 10])
    canonical = canonical and kernel.native
    return Questions(count or 5 * every, every, canonical, dedupe, minimal, difficulty)


def expected(records: Sequence[Record], spec: Spec) -> bytes:
    """The output, made from the records without queue, chunks or workers."""
    chunk = Chunk.of(1, list(records))
    claims = [
        Claim(None) if record.board in (None, POISON)
        else settle(Question("bitmask", False, spec.budget, pack(record.board), None, asked=spec.asked))
        for record in records
    ]  # fmt: skip
    failed = Answer(Status.FAILED, detail=FAILED_DETAIL)
    rulings = {index: failed for index, record in enumerate(records) if record.board == POISON}
    made = writer("csv", (), spec.asked)
    sheet, _ = Repeats(spec.asked).marked(Sheet.of(chunk, Reply.of(claims), rulings, spec.asked))
    return made.header() + made.rows(sheet.rows())
