"""The hardest technique that a puzzle needs, of five that people know, from the easiest on.

A cell's candidates are all digits, or its given. Each technique is a rule that takes candidates away:

naked single         a cell has one candidate: no cell that shares a unit with it has that
hidden single        a digit has one cell left in a unit: that cell has no other candidate
locked candidates    the cells left for a digit in one unit are all in another, too: it is nowhere else in that one
                     (a box and a row or column: pointing, claiming)
subset               two, three or four cells of a unit have as many candidates together: no other cell of the unit has
                     those (naked); or so many digits have as many cells left in a unit: those have no others (hidden)
search               none of these

A puzzle needs the first of them that, together with all before it and each as often as it takes anything away, leaves
one candidate in every cell. In which order they are used makes no difference: taking away more never makes a rule take
away less, so there is one end. What is left then is a solution and the only one, for no rule takes a digit away that
some solution has; so a puzzle with several solutions or none is left to search.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import StrEnum
from itertools import combinations, permutations

from gridmill import kernel
from gridmill.board import BLANK, CELLS, HOLE, slots, unpack
from gridmill.rules import UNITS


class Technique(StrEnum):
    """The five, easiest first."""

    NAKED_SINGLE = "naked single"
    HIDDEN_SINGLE = "hidden single"
    LOCKED_CANDIDATES = "locked candidates"
    SUBSET = "subset"
    SEARCH = "search"


NONE = 0  # the code of a slot that is no board
CODES: dict[Technique, int] = {technique: code for code, technique in enumerate(Technique, 1)}
NAMES = ("", *map(str, Technique))  # by code

Cells = list[int]  # the candidates of each cell, bit d - 1 for the digit d
Rule = Callable[[Cells], bool]  # takes candidates away, in place; whether there were any to take

_DIGITS = tuple(1 << digit for digit in range(9))
_ALL = sum(_DIGITS)
_UNITS = tuple(unit.cells for unit in UNITS)
_PEERS = tuple(
    tuple({other for unit in _UNITS if cell in unit for other in unit if other != cell}) for cell in range(CELLS)
)


def _crossing() -> Iterator[tuple[Sequence[int], Sequence[int], Sequence[int]]]:
    """Of each two units with three cells in common, a box and a line in either order: these, and the rest of each."""
    for one, other in permutations(_UNITS, 2):
        common = [cell for cell in one if cell in other]
        if len(common) == 3:
            yield common, [cell for cell in one if cell not in other], [cell for cell in other if cell not in one]


_CROSSING = tuple(_crossing())
_SIZES = (2, 3, 4)  # of subsets; with nine cells in a unit, a larger one of one kind is a smaller one of the other


def techniques(boards: bytes) -> bytes:
    """The code of what each packed board needs; `NONE` for a hole."""
    if kernel.native:
        return kernel.extension.techniques(boards)
    return bytes(NONE if slot == HOLE else CODES[technique(unpack(slot))] for slot in slots(boards))


def technique(board: str) -> Technique:
    """What a board needs, by nothing but what the module says. The kernel is held against this."""
    cells = [_ALL if sign == BLANK else 1 << int(sign) - 1 for sign in board]
    for needed, rules in _LEVELS:
        while any(rule(cells) for rule in rules):
            pass
        if all(candidates.bit_count() == 1 for candidates in cells):
            return needed
    return Technique.SEARCH


def _naked_singles(cells: Cells) -> bool:
    taken = False
    for cell, peers in enumerate(_PEERS):
        digit = cells[cell]
        if digit.bit_count() == 1:
            taken |= _take(cells, peers, digit)
    return taken


def _hidden_singles(cells: Cells) -> bool:
    taken = False
    for unit in _UNITS:
        once = twice = 0
        for cell in unit:
            twice |= once & cells[cell]
            once |= cells[cell]
        for cell in unit:
            lone = cells[cell] & once & ~twice
            if lone:
                taken |= _take(cells, (cell,), _ALL ^ lone)
    return taken


def _locked_candidates(cells: Cells) -> bool:
    taken = False
    for common, rest, rest_of_other in _CROSSING:
        digits = _union(cells, common) & ~_union(cells, rest)
        taken |= _take(cells, rest_of_other, digits)
    return taken


def _subsets(cells: Cells) -> bool:
    taken = False
    for unit in _UNITS:
        for some, digits in _naked_subsets(cells, unit):
            taken |= _take(cells, (cell for cell in unit if cell not in some), digits)
        for some, digits in _hidden_subsets(cells, unit):
            taken |= _take(cells, some, _ALL ^ digits)
    return taken


def _naked_subsets(cells: Cells, unit: Sequence[int]) -> Iterator[tuple[Sequence[int], int]]:
    for size in _SIZES:
        for some in combinations([cell for cell in unit if 2 <= cells[cell].bit_count() <= size], size):
            digits = _union(cells, some)
            if digits.bit_count() == size:
                yield some, digits


def _hidden_subsets(cells: Cells, unit: Sequence[int]) -> Iterator[tuple[Sequence[int], int]]:
    for size in _SIZES:
        places = {digit: frozenset(cell for cell in unit if cells[cell] & digit) for digit in _DIGITS}
        for digits in combinations([digit for digit in _DIGITS if 2 <= len(places[digit]) <= size], size):
            some = frozenset[int]().union(*(places[digit] for digit in digits))
            if len(some) == size:
                yield tuple(some), sum(digits)


def _union(cells: Cells, some: Iterable[int]) -> int:
    digits = 0
    for cell in some:
        digits |= cells[cell]
    return digits


def _take(cells: Cells, some: Iterable[int], digits: int) -> bool:
    """Take ``digits`` from ``some`` cells; whether any of these had any of those."""
    taken = 0
    for cell in some:
        taken |= cells[cell] & digits
        cells[cell] &= ~digits
    return taken != 0


_RULES: tuple[Rule, ...] = (_naked_singles, _hidden_singles, _locked_candidates, _subsets)
# Each technique with all rules that may be used. Where one comes to its end, the next goes on from there.
_LEVELS = tuple((technique, _RULES[: CODES[technique]]) for technique in Technique if technique is not Technique.SEARCH)
