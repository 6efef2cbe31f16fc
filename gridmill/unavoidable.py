"""Unavoidable sets of a solved grid: cells of which every unique puzzle must give at least one.

If none of such a set is given, its digits can be exchanged and the units still hold each digit once: a second
solution. Listed are those that are found without any search: the places of two digits, and two lines of one band or
stack, each cut into the smallest parts that can be exchanged by themselves. A set of cells is an integer, bit c for
cell c.
"""

from itertools import combinations

from gridmill.board import CELLS
from gridmill.rules import DIGITS, UNITS

_UNITS_OF = tuple(tuple(number for number, unit in enumerate(UNITS) if cell in unit.cells) for cell in range(CELLS))
_LINE_PAIRS = tuple(
    (UNITS[first].cells, UNITS[second].cells)
    for first, second in combinations(range(18), 2)
    if first // 3 == second // 3  # rows of one band, columns of one stack
)


def unavoidable(solution: str) -> list[int]:
    """The sets of ``solution`` (81 digits): about 80, of 4 to 18 cells, in an order that depends on it alone."""
    return [*_digit_pairs(solution), *_line_pairs(solution)]


def _digit_pairs(solution: str) -> list[int]:
    """Places of two digits that are linked by common units: within them the two can change places."""
    places = [{solution[cell]: cell for cell in unit.cells} for unit in UNITS]
    cells_of = {digit: [cell for cell in range(CELLS) if solution[cell] == digit] for digit in DIGITS}
    found = []
    for one, two in combinations(sorted(DIGITS), 2):
        links = {cell: [places[unit][two] for unit in _UNITS_OF[cell]] for cell in cells_of[one]}
        links |= {cell: [places[unit][one] for unit in _UNITS_OF[cell]] for cell in cells_of[two]}
        found += _parts(links)
    return found


def _line_pairs(solution: str) -> list[int]:
    """Cells of two lines that hold the same digits: within them the lines can change places."""
    found = []
    for one, two in _LINE_PAIRS:
        place = {solution[cell]: cell for cell in one}
        links = {}
        for first, second in zip(one, two, strict=True):
            links[first] = [second]
            links[second] = [place[solution[second]]]
        found += _parts(links)
    return found


def _parts(links: dict[int, list[int]]) -> list[int]:
    """Cut the cells into the parts that hang together. A link leads back, directly or round a cycle."""
    parts = []
    unseen = dict.fromkeys(links)  # a set that keeps its order
    while unseen:
        part, open_ends = 0, [next(iter(unseen))]
        while open_ends:
            cell = open_ends.pop()
            if cell in unseen:
                del unseen[cell]
                part |= 1 << cell
                open_ends += links[cell]
        parts.append(part)
    return parts
