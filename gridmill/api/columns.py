"""The columns of answers as bytes, one value or one row of 81 cells a record, without an object for each."""

import struct
from collections.abc import Callable

from gridmill.answers import Status
from gridmill.api.cells import unpacked
from gridmill.board import BLANK, CELLS
from gridmill.formats.sheet import Sheet
from gridmill.reply import CODES, WITH_SECOND, WITH_SOLUTION

# What the numbers of `codes` mean, in their order: those of a reply, and one that only a collector gives.
STATUSES = (Status.MALFORMED, *CODES, Status.FAILED)

Grid = Callable[[Sheet, bool], bytes]  # the rows of a sheet, as text or as values, see `gridmill.api.cells`

_ALL = frozenset(range(len(STATUSES)))


def codes(sheet: Sheet) -> bytes:
    """A byte a record: its status, as its place in `STATUSES`."""
    if not sheet.rulings:
        return sheet.reply.codes
    made = bytearray(sheet.reply.codes)
    for index, answer in sheet.rulings.items():
        made[index] = STATUSES.index(answer.status)
    return bytes(made)


def nodes(sheet: Sheet) -> bytes:
    """Search nodes of each record, u32, little-endian."""
    if not sheet.rulings:
        return sheet.reply.nodes
    made = bytearray(sheet.reply.nodes)
    for index, answer in sheet.rulings.items():
        struct.pack_into("<I", made, 4 * index, answer.nodes)
    return bytes(made)


def puzzles(sheet: Sheet, text: bool) -> bytes:
    """The boards; a record that is none is blank."""
    return unpacked(sheet.boards, sheet.reply.codes, _ALL, text=text)


def solutions(sheet: Sheet, text: bool) -> bytes:
    """The solutions; a record without one is blank."""
    return _ruled(sheet, unpacked(sheet.reply.solutions, sheet.reply.codes, WITH_SOLUTION, text=text), text)


def second_solutions(sheet: Sheet, text: bool) -> bytes:
    """The second ones of boards with several; a record without one is blank."""
    return _ruled(sheet, unpacked(sheet.reply.seconds, sheet.reply.codes, frozenset((WITH_SECOND,)), text=text), text)


def _ruled(sheet: Sheet, rows: bytes, text: bool) -> bytes:
    """``rows`` without what a ruling has taken back: no ruling shows a solution."""
    if not sheet.rulings:
        return rows
    made = bytearray(rows)
    for index in sheet.rulings:
        made[CELLS * index : CELLS * (index + 1)] = (BLANK.encode() if text else b"\0") * CELLS
    return bytes(made)
