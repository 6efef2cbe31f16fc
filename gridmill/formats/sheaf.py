"""Many lines of an answers file at once: their boards packed, and what each says of its own in columns."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Self

from gridmill import kernel
from gridmill.board import CELLS, PACKED
from gridmill.column import Column
from gridmill.formats.stated import REPEATS, Stated

OWN = frozenset(("canonical", "givens", "technique"))  # what is told of a board by nothing but itself
_NO_BOARD = "!" * CELLS  # stands for a text that is none, of whatever length


@dataclass(frozen=True, slots=True)
class Sheaf:
    """``boards`` are packed, a hole where the kernel knows none. ``statuses`` and ``counts`` may be any texts.

    ``records`` is empty where no line says its own. ``repeats``: details that may name the first record that is the
    same, by the line's index from 0. ``odd``: lines of which these columns tell too little; what stands there in their
    place means nothing. ``stated`` is what one line says by itself. ``told`` as of `Stated`, a column of texts each, of
    `OWN` alone.
    """

    boards: bytes
    statuses: Sequence[str]
    counts: Sequence[str]
    solutions: Column
    seconds: Column
    records: Sequence[int]
    repeats: Mapping[int, str]
    odd: frozenset[int]
    stated: Callable[[int], Stated]
    told: Mapping[str, Sequence[str]] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.boards) // PACKED

    @classmethod
    def of(cls, lines: Sequence[Stated]) -> Self:
        """Lines that have been read one by one."""
        return cls(
            _packed([line.puzzle for line in lines]),
            [line.status or "" for line in lines],
            [line.count for line in lines],
            _column([line.solution for line in lines]),
            _column([line.solution2 for line in lines]),
            [line.record for line in lines],
            {at: line.detail for at, line in enumerate(lines) if REPEATS in line.detail},
            frozenset(at for at, line in enumerate(lines) if line.fault or line.told),
            lines.__getitem__,
        )


def _packed(puzzles: Sequence[str]) -> bytes:
    plain = (text if len(text) == CELLS and text.isascii() and text > " " else _NO_BOARD for text in puzzles)
    return kernel.extension.pack_rows("".join(plain).encode(), CELLS)[0]


def _column(solutions: Sequence[str]) -> Column:
    return Column.of([text if text.isascii() else _NO_BOARD for text in solutions])
