"""Which givens of a unique puzzle can be spared: it is still unique without this one, all others in their places."""

from collections.abc import Callable, Sequence
from itertools import islice

from gridmill import finding, kernel
from gridmill.answers import Status
from gridmill.board import CELLS, slots
from gridmill.reply import CODES, Reply

_UNIQUE = CODES[Status.UNIQUE]

Solve = Callable[[bytes], Reply]


def spared(boards: bytes, solutions: bytes, solve: Solve) -> Sequence[bytes]:
    """The finding (`gridmill.finding.spared`) of each of these packed boards, all unique, with their ``solutions``.

    All boards that lack one given are solved at once, which is what solvers are quick at; the kernel leaves out those
    whose given can be seen to be needed. Where that is not decided within the budget, the given stays.
    """
    if not kernel.native:
        return _one_by_one(boards, solve)
    lacking, cells, counts = kernel.extension.lacking(boards, solutions)
    found = kernel.extension.spared(cells, counts, solve(lacking).codes, _UNIQUE)
    return [found[at : at + finding.SPARED] for at in range(0, len(found), finding.SPARED)]


def _one_by_one(boards: bytes, solve: Solve) -> list[bytes]:
    """Without the kernel: each given is tried."""
    packed = slots(boards)
    givens = [[cell for cell, digit in enumerate(board.hex()[:CELLS]) if digit != "0"] for board in packed]
    lacking = (_without(board, cell) for board, cells in zip(packed, givens, strict=True) for cell in cells)
    codes = iter(solve(b"".join(lacking)).codes)
    return [
        finding.spared(cell for cell, code in zip(cells, islice(codes, len(cells)), strict=True) if code == _UNIQUE)
        for cells in givens
    ]


def _without(board: bytes, cell: int) -> bytes:
    """A packed board with this cell blank."""
    at, kept = cell // 2, 0xF0 if cell % 2 else 0x0F
    return board[:at] + bytes([board[at] & kept]) + board[at + 1 :]
