"""What waits for the referee: claims that cannot be checked, answers to be audited, pieces to be solved here."""

import itertools
from collections.abc import Iterator
from dataclasses import dataclass

from collector.child import Question
from collector.referee import Referee, Ruling
from gridmill.answers import Status
from gridmill.board import PACKED
from gridmill.entry import Entry
from gridmill.job import Spec
from gridmill.piece import Piece
from gridmill.reply import STATUSES, Reply


@dataclass(frozen=True, slots=True)
class Case:
    """A piece that waits for the referee. ``entry`` None: no worker's reply, the collector solves the whole piece.

    ``indices`` are the records whose answer the ruling decides; those of ``audited`` only have to be confirmed.
    ``size`` is of the reply as it travelled, ``teller`` is who proved to have sent it.
    """

    piece: Piece
    entry: Entry | None
    reply: Reply | None
    size: int
    indices: list[int]
    audited: tuple[int, ...] = ()
    teller: tuple[str, str] | None = None


class Docket:
    """The open cases of one job."""

    def __init__(self, referee: Referee, spec: Spec) -> None:
        self._referee, self._spec = referee, spec
        self._keys = itertools.count()
        self._cases: dict[int, Case] = {}

    def __contains__(self, piece: Piece) -> bool:
        """Whether one case is about all of ``piece``."""
        return any(
            case.piece.chunk == piece.chunk and case.piece.lo <= piece.lo and piece.hi <= case.piece.hi
            for case in self._cases.values()
        )

    @property
    def own(self) -> int:
        """How many pieces the collector is solving."""
        return sum(case.entry is None for case in self._cases.values())

    @property
    def pieces(self) -> set[Piece]:
        """Those of all cases."""
        return {case.piece for case in self._cases.values()}

    def open(self, case: Case, boards: bytes) -> None:
        """Ask the referee about ``case``; ``boards`` are all of its piece."""
        key = next(self._keys)
        self._cases[key] = case
        decisive = [self._question(boards, index, _claimed(case, index)) for index in case.indices]
        self._referee.ask(key, decisive + [self._question(boards, index, None, audit=True) for index in case.audited])

    def closed(self) -> Iterator[tuple[Case, Ruling]]:
        """The cases that are ruled; the claims are for ``indices`` and ``audited``. Raises Incomplete."""
        for ruling in self._referee.rulings():
            case = self._cases.pop(ruling.key, None)
            if case is not None:  # else it was dropped
                yield case, ruling

    def drop(self, chunk: int) -> None:
        """Forget the cases about a chunk: it is known in another way."""
        self._cases = {key: case for key, case in self._cases.items() if case.piece.chunk != chunk}

    def clear(self) -> None:
        """Forget all cases."""
        self._cases.clear()
        self._referee.drop()

    def _question(self, boards: bytes, index: int, claimed: Status | None, *, audit: bool = False) -> Question:
        board = boards[PACKED * index : PACKED * (index + 1)]
        spec = self._spec
        return Question(spec.solver, spec.first, spec.budget, board, claimed, audit, spec.asked)


def _claimed(case: Case, index: int) -> Status | None:
    return None if case.reply is None else STATUSES[case.reply.codes[index]]
