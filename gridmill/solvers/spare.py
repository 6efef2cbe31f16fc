"""Which givens of a unique puzzle can be spared: it is still unique without this one, all others in their places."""

from collections.abc import Callable, Iterator, Sequence
from itertools import islice

from gridmill.answers import Status
from gridmill.board import CELLS
from gridmill.reply import CODES, Reply

_UNIQUE = CODES[Status.UNIQUE]


def spared(boards: Sequence[bytes], solve: Callable[[bytes], Reply]) -> Iterator[list[int]]:
    """The cells of the givens that can be, of each of these packed boards, all of them unique.

    All boards that lack one given are solved at once, which is what solvers are quick at. Where that is not decided
    within the budget, the given stays.
    """
    givens = [[cell for cell, digit in enumerate(board.hex()[:CELLS]) if digit != "0"] for board in boards]
    lacking = (_without(board, cell) for board, cells in zip(boards, givens, strict=True) for cell in cells)
    codes = iter(solve(b"".join(lacking)).codes)
    for cells in givens:
        yield [cell for cell, code in zip(cells, islice(codes, len(cells)), strict=True) if code == _UNIQUE]


def _without(board: bytes, cell: int) -> bytes:
    """A packed board with this cell blank."""
    at, kept = cell // 2, 0xF0 if cell % 2 else 0x0F
    return board[:at] + bytes([board[at] & kept]) + board[at + 1 :]
