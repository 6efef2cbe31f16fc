"""Random solved grids: what puzzles are made from."""

from gridmill.board import CELLS
from gridmill.chance import Chance

Units = tuple[list[int], list[int], list[int]]  # the digits that each row, column and box holds, bit d-1 for digit d

_ALL = 0b111111111
_BOX = tuple(cell // 27 * 3 + cell % 9 // 3 for cell in range(CELLS))


def solved_grid(chance: Chance) -> str:
    """81 digits: three boxes that don't meet are free, the rest is searched, fewest choices first."""
    digits = [1 << number for number in range(9)]
    cells = [0] * CELLS
    units = ([0] * 9, [0] * 9, [0] * 9)
    for box in (0, 4, 8):
        chance.shuffle(digits)
        for cell, digit in zip((cell for cell in range(CELLS) if _BOX[cell] == box), digits, strict=True):
            _toggle(cells, units, cell, digit)
    _complete(cells, units, digits)
    return "".join(str(digit.bit_length()) for digit in cells)


def _complete(cells: list[int], units: Units, digits: list[int]) -> bool:
    """Fill the blanks in place, trying ``digits`` in their order; False, and nothing changed, when that cannot be."""
    rows, columns, boxes = units
    fewest, at, free = 10, -1, 0
    for cell, digit in enumerate(cells):
        if not digit:
            choices = _ALL & ~(rows[cell // 9] | columns[cell % 9] | boxes[_BOX[cell]])
            if choices.bit_count() < fewest:
                fewest, at, free = choices.bit_count(), cell, choices
    if at < 0:
        return True
    for digit in digits:
        if free & digit:
            _toggle(cells, units, at, digit)
            if _complete(cells, units, digits):
                return True
            _toggle(cells, units, at, digit)
    return False


def _toggle(cells: list[int], units: Units, cell: int, digit: int) -> None:
    """Put ``digit`` into a blank cell, or take it out again."""
    for unit, number in zip(units, (cell // 9, cell % 9, _BOX[cell]), strict=True):
        unit[number] ^= digit
    cells[cell] ^= digit
