"""The reference solver: candidates as bits of one Python integer, singles to a fixpoint, then the fewest choices.

Sudoku as an exact cover has 324 **demands**: each cell wants a digit, each row, column and box wants a place for each
digit. Each demand can be met in nine ways, each of the 729 candidates (cell, digit) is a way to meet four. The state of
a search is one integer with a field of nine bits a demand, so a candidate has four bits, always cleared together:

    demand            0..80        81..161       162..242        243..323
    what              cell c       row r, digit  column c, digit box b, digit
    bit in its field  the digit    the column    the row         the place in the box

One pass over the integer counts "none, one, more" for all demands at once. A field with one bit is a naked single (of
a cell) or a hidden one (of a unit); a field with none is a contradiction; and when every field has one bit, each cell
has one digit and each unit each digit once, so a finished state is a solution by construction.
Integers do not change, so undoing a choice costs nothing: the state before it is still there.
"""

from collections.abc import Iterator

from gridmill.board import BLANK, CELLS, Grid, fill, pack, to_grid, unpack
from gridmill.solvers.outcome import Budget, Outcome, Spent, Tally

_DEMANDS = 4 * CELLS
_EVERY = (1 << 9 * _DEMANDS) - 1  # all bits of all fields
_FIRST = _EVERY // 0b111111111  # the lowest bit of each field
_THIRDS = _FIRST * 0b001001001  # the lowest bit of each third of a field


def _demands(cell: int, digit: int) -> tuple[tuple[int, int], ...]:
    """The four demands that a candidate meets, each with its bit in that field."""
    row, column = divmod(cell, 9)
    box, place = row // 3 * 3 + column // 3, row % 3 * 3 + column % 3
    return (
        (cell, digit),
        (81 + 9 * row + digit, column),
        (162 + 9 * column + digit, row),
        (243 + 9 * box + digit, place),
    )


def _images() -> list[int]:
    """The four bits of each candidate; candidate 9 * cell + digit, digits 0..8."""
    return [sum(1 << 9 * demand + bit for demand, bit in _demands(*divmod(number, 9))) for number in range(9 * CELLS)]


def _owners() -> list[int]:
    """The candidate that a bit belongs to, by the ``bit_length`` that the bit gives an integer."""
    owners = [0] * (9 * _DEMANDS + 1)
    for number in range(9 * CELLS):
        for demand, bit in _demands(*divmod(number, 9)):
            owners[9 * demand + bit + 1] = number
    return owners


def _survivors() -> list[int]:
    """What stays possible when a candidate is placed: all but the other ways to meet the same demands."""
    ways = [0] * _DEMANDS
    for number, image in enumerate(_IMAGE):
        for demand, _ in _demands(*divmod(number, 9)):
            ways[demand] |= image
    survivors = []
    for number, image in enumerate(_IMAGE):
        lost = 0
        for demand, _ in _demands(*divmod(number, 9)):
            lost |= ways[demand]
        survivors.append(_EVERY ^ lost | image)
    return survivors


_IMAGE = _images()
_OWNER = _owners()
_SURVIVE = _survivors()
_DIGIT_AT = {f"{1 << digit:03o}": str(digit + 1) for digit in range(9)}  # a cell's field as three octal digits


class Bitmask:
    """Finds up to ``limit`` solutions, and proves it when there are no more."""

    name = "bitmask"
    summary = "pure Python: naked and hidden singles on bit masks, then the cell or unit with the fewest choices"
    version = 1
    proves = True
    budget = 500_000  # nodes: about 2 s; the worst of many boards made to be hard for singles took half of it
    chunk = 2000  # 250 ms of 17-clue boards: a chunk costs all that have to do with it 5 ms together

    def search(self, grid: Grid, limit: int, budget: int) -> Outcome:
        """See `gridmill.solvers.Solver`. Givens that clash leave a demand unmet, so they end without a node."""
        meter = Budget(budget)
        found: list[str] = []
        spent = False
        try:
            for solution in _solutions(*_placed(grid), meter):
                found.append(solution)
                if len(found) == limit:
                    break
        except Spent:
            spent = True
        if found:
            fill(grid, found[0])
        return Outcome(tuple(found), meter.nodes, spent)

    def tally(self, board: bytes, limit: int, budget: int, *, keep: bool) -> Tally:
        """See `gridmill.solvers.Counts`."""
        found, kept = 0, []
        try:
            for solution in _solutions(*_placed(to_grid(unpack(board))), Budget(budget)):
                found += 1
                if keep and found <= limit:
                    kept.append(pack(solution))
                if found > limit:
                    break
        except Spent:
            return Tally(found, True, b"".join(sorted(kept)))
        return Tally(found, False, b"".join(sorted(kept)))


def _placed(grid: Grid) -> tuple[int, int]:
    """The state with nothing but the givens placed, and the bits of those."""
    state, placed = _EVERY, 0
    for cell, sign in enumerate("".join(map("".join, grid))):
        if sign != BLANK:
            number = 9 * cell + int(sign) - 1
            state &= _SURVIVE[number]
            placed |= _IMAGE[number]
    return state, placed


def _solutions(state: int, placed: int, budget: Budget) -> Iterator[str]:
    """Every solution below a state, in an order that depends on the state alone. At most 81 deep. Raises Spent."""
    state, placed, unmet = _settle(state, placed)
    if not state:
        return
    if not unmet:
        yield _text(state)
        return
    choices = _fewest(state, unmet)
    while choices:
        bit = choices.bit_length()
        choices ^= 1 << bit - 1
        number = _OWNER[bit]
        budget.spend()
        yield from _solutions(state & _SURVIVE[number], placed | _IMAGE[number], budget)


def _settle(state: int, placed: int) -> tuple[int, int, int]:
    """Place singles until there are none: the state (0 at a contradiction), what is placed, the fields with more ways.

    Counting in a field goes by its thirds: which have a bit (``some``), which have two or more (``more``).
    """
    while True:
        second, third = state >> 1, state >> 2
        either = state | second
        some = (either | third) & _THIRDS
        more = (state & second | either & third) & _THIRDS
        middle, high = some >> 3, some >> 6
        low_or_middle = some | middle
        if (low_or_middle | high) & _FIRST != _FIRST:
            return 0, 0, 0
        unmet = (more | more >> 3 | more >> 6 | some & middle | low_or_middle & high) & _FIRST
        single = _FIRST ^ unmet
        fresh = state & ((single << 9) - single) ^ placed  # all nine bits of those fields; what is placed is single too
        if not fresh:
            return state, placed, unmet
        while fresh:
            number = _OWNER[fresh.bit_length()]
            image = _IMAGE[number]
            state &= _SURVIVE[number]
            placed |= image
            fresh &= ~image


def _fewest(state: int, unmet: int) -> int:
    """The bits of a field with the fewest ways to meet its demand: the first of those with two, cells before units."""
    three = _three_or_more(state)
    two = unmet & ~three
    if two:
        first = two & -two
        return state & (first << 9) - first
    fields = [state & 0b111111111 << 9 * demand for demand in range(_DEMANDS) if three >> 9 * demand & 1]
    return min(fields, key=int.bit_count)


def _three_or_more(state: int) -> int:
    """The lowest bit of each field that has three bits or more, counted by thirds as in `_settle`."""
    second, third = state >> 1, state >> 2
    some = (state | second | third) & _THIRDS
    more = (state & second | (state | second) & third) & _THIRDS
    full = state & second & third & _THIRDS
    some_middle, some_high = some >> 3, some >> 6
    two_and_one = more & (some_middle | some_high) | more >> 3 & (some | some_high) | more >> 6 & (some | some_middle)
    return (full | full >> 3 | full >> 6 | two_and_one | some & some_middle & some_high) & _FIRST


def _text(state: int) -> str:
    """The board text of a finished state: the fields of the 81 cells are its lowest 729 bits."""
    octal = f"{state & (1 << 9 * CELLS) - 1:0243o}"
    return "".join([_DIGIT_AT[octal[at : at + 3]] for at in range(3 * CELLS - 3, -1, -3)])
