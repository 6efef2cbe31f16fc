"""What a report shows of an answers file, gathered in one pass: counts, histograms, and the few records to look at.

Memory does not grow with the file: of each kind of record only the first are kept, of the hardest only the top.
"""

from collections import Counter
from dataclasses import dataclass
from heapq import nlargest
from typing import Self

from gridmill.answers import Status
from gridmill.board import CELLS
from gridmill.errors import FormatError
from gridmill.formats.input import Input
from gridmill.formats.row import ONE_SOLUTION
from gridmill.report.blocks import Block, Puzzle, Shown, blocks

HARDEST = 12  # puzzles: more are not looked at one by one
FIRST = 50  # records of each other kind: enough to see what is wrong with an input

_BITS_MOST = 32  # of a number of nodes, as a reply has it


@dataclass(slots=True)
class Hard:
    """A puzzle: its ``first`` record, and how many ``records`` are this puzzle."""

    first: Shown
    records: int


class Figures:
    """``nodes[b]`` records took nodes of ``b`` bits (0; 1; 2 to 3; 4 to 7; …), ``givens[g]`` puzzles have ``g`` givens,
    ``techniques[t]`` need the technique ``t``, where the file has that.

    ``first`` has the first records of each status that is no single solution, ``disagreeing`` those that contradict an
    answer of the input, ``disagreements`` how many there are; ``hardest`` took the most nodes, each puzzle once.
    """

    def __init__(self) -> None:
        self.counts: Counter[Status] = Counter()
        self.nodes = [0] * (_BITS_MOST + 1)
        self.givens = [0] * (CELLS + 1)
        self.techniques: Counter[str] = Counter()
        self._hardest: dict[Puzzle, Hard] = {}  # the hardest first
        self.first: dict[Status, list[Shown]] = {status: [] for status in Status if status not in ONE_SOLUTION}
        self.disagreeing: list[Shown] = []
        self.disagreements = 0

    @classmethod
    def of(cls, answers: str) -> Self:
        """Those of the file ``answers``. Raises FormatError when it is none of Gridmill's with all of its fields."""
        figures = cls()
        for block in blocks(Input((answers,)), answers):
            try:
                figures.add(block)
            except (ValueError, IndexError) as error:
                raise FormatError(f"{answers} is no answers file as gridmill writes them: {error}") from error
        return figures

    @property
    def records(self) -> int:
        """All."""
        return self.counts.total()

    @property
    def hardest(self) -> list[Hard]:
        """Those that took the most nodes, the hardest first."""
        return list(self._hardest.values())

    def add(self, block: Block) -> None:
        """Count the answers of ``block``, which follows those before. Raises ValueError for an unknown status."""
        counts = Counter(block.statuses)
        for text, records in counts.items():
            self.counts[Status(text)] += records
        for status, first in self.first.items():
            if counts[status.value] and len(first) < FIRST:
                found = (at for at, text in enumerate(block.statuses) if text == status.value)
                first += [block.shown(at).drawable() for _, at in zip(range(FIRST - len(first)), found, strict=False)]
        for number, puzzles in block.givens().items():
            self.givens[number] += puzzles
        self.techniques.update(filter(None, block.techniques))
        if contradicting := block.contradicting():
            self.disagreements += len(contradicting)
            self.disagreeing += [block.shown(at).drawable() for at in contradicting[: FIRST - len(self.disagreeing)]]
        self._add_nodes(block)

    def _add_nodes(self, block: Block) -> None:
        nodes = block.nodes
        for number, records in Counter(nodes).items():
            self.nodes[min(number.bit_length(), _BITS_MOST)] += records
        least = max(1, self.hardest[-1].first.nodes if len(self._hardest) == HARDEST else 0)
        if max(nodes, default=0) >= least:
            self._add_hard(block, [at for at, number in enumerate(nodes) if number >= least])

    def _add_hard(self, block: Block, places: list[int]) -> None:
        """A puzzle takes as many nodes each time, so whichever is among the hardest was so at its first record."""
        times: Counter[Puzzle] = Counter()
        firsts: dict[Puzzle, int] = {}
        for at in places:
            puzzle = block.puzzle(at)
            times[puzzle] += 1
            firsts.setdefault(puzzle, at)
        for puzzle, hard in self._hardest.items():
            hard.records += times[puzzle]
        fresh = [puzzle for puzzle in firsts if puzzle not in self._hardest]
        for puzzle in nlargest(HARDEST, fresh, key=lambda puzzle: block.nodes[firsts[puzzle]]):
            self._hardest[puzzle] = Hard(block.shown(firsts[puzzle]).drawable(), times[puzzle])
        self._hardest = dict(nlargest(HARDEST, self._hardest.items(), key=lambda item: item[1].first.nodes))
