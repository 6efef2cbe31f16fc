"""A board as text, as a grid and packed. Pure: no I/O, no rules.

Text    81 characters in row-major order, ``1``-``9`` and ``.`` for a blank.
Grid    ``list[list[str]]``, nine rows of nine such characters (LeetCode 37's board); solvers work on it in place.
Packed  41 bytes, two cells a byte, the first in the high half, blank = 0; the low half of the last byte is 0.
        That is the hexadecimal reading of the text, so Python packs and unpacks it at C speed.
"""

from collections.abc import Iterable, Sequence
from itertools import combinations

from gridmill.errors import BoardError

CELLS = 81
BLANK = "."
BLANKS = ".0*_xX-?"  # every sign that some puzzle file uses for a blank
PACKED = 41  # bytes of a packed board
HOLE = b"\xff" * PACKED  # the slot of a record that is not a board; no board packs to it

Grid = list[list[str]]

_TO_HEX = str.maketrans(".", "0")
_FROM_HEX = str.maketrans("0", ".")
_CANONICAL = str.maketrans(dict.fromkeys(BLANKS, BLANK))
_LEGAL = frozenset("123456789.")


def parse(text: str) -> str:
    """Return ``text`` with every blank sign as ``.``.

    Raises BoardError naming the first wrong column, or the length when it is not 81. ASCII digits only:
    ``str.isdigit`` would let ``²`` and full-width digits through.
    """
    board = text.translate(_CANONICAL)
    if not _LEGAL.issuperset(board):
        column, found = next((at, sign) for at, sign in enumerate(text, 1) if sign.translate(_CANONICAL) not in _LEGAL)
        raise BoardError(f"column {column}: {found!a} is neither a digit 1-9 nor a blank", column=column, found=found)
    if len(board) != CELLS:
        raise BoardError(f"{counted(len(board))} instead of {CELLS}", found=str(len(board)))
    return board


def counted(number: int) -> str:
    """``1 cell``, ``80 cells``."""
    return f"{number} cell{'' if number == 1 else 's'}"


def pack(board: str) -> bytes:
    """Pack one board text (as `parse` returns it) into 41 bytes."""
    return bytes.fromhex(board.translate(_TO_HEX) + "0")


def unpack(packed: bytes) -> str:
    """The board text of 41 packed bytes. Raises BoardError when they are no board."""
    digits = packed.hex()
    if len(packed) != PACKED or digits[-1] != "0" or not digits.isdecimal():
        raise BoardError("not a packed board")
    return digits[:CELLS].translate(_FROM_HEX)


def slots(packed: bytes) -> list[bytes]:
    """Cut many packed boards into one ``bytes`` a board."""
    return [packed[at : at + PACKED] for at in range(0, len(packed), PACKED)]


def to_grid(board: str) -> Grid:
    """The nine rows of a board text, as lists that a solver may fill."""
    return [list(board[at : at + 9]) for at in range(0, CELLS, 9)]


def check_apart(grid: Sequence[object]) -> None:
    """Raises BoardError when rows cannot be filled each for itself: one is no list, or two are the same list.

    (As in ``[["."] * 9] * 9``: what is filled in one is in both.)
    """
    for number, row in enumerate(grid, 1):
        if not isinstance(row, list):
            raise BoardError(
                f"row {number} is of type {type(row).__name__} and cannot be filled in place; make each a list: "
                "[list(row) for row in rows]"
            )
    for upper, lower in combinations(range(len(grid)), 2):
        if grid[upper] is grid[lower]:
            raise BoardError(
                f"rows {upper + 1} and {lower + 1} are the same list, so they cannot hold different digits; "
                'make each of its own: [["."] * 9 for _ in range(9)]'
            )


def fill(grid: Grid, board: str) -> None:
    """Write a board text into the rows of a grid, in place."""
    for at, row in enumerate(grid):
        row[:] = board[9 * at : 9 * at + 9]


def from_grid(grid: Sequence[Iterable[str]]) -> str:
    """The board text of a grid; ``""`` and any blank sign become ``.``.

    Raises BoardError when it is not nine rows of nine one-character cells.
    """
    rows = [[cell or BLANK for cell in row] for row in grid]
    if len(rows) != 9 or any(len(row) != 9 for row in rows):
        shape = ", ".join(str(len(row)) for row in rows)
        raise BoardError(f"a grid has 9 rows of 9 cells, not rows of ({shape})")
    for number, row in enumerate(rows, 1):
        for column, cell in enumerate(row, 1):
            if not isinstance(cell, str) or len(cell) != 1:
                raise BoardError(f"r{number}c{column}: {cell!r} is not one character", column=column, found=repr(cell))
    return parse("".join("".join(row) for row in rows))


def draw(board: str) -> str:
    """Eleven lines for a terminal, boxes set apart."""
    lines = []
    for row in range(9):
        if row in (3, 6):
            lines.append("------+-------+------")
        cells = board[9 * row : 9 * row + 9]
        lines.append(" | ".join(" ".join(cells[at : at + 3]) for at in (0, 3, 6)))
    return "\n".join(lines)
