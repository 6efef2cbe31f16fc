"""Many boards as rows of 81 bytes, as programs hold them, and packed.

A row is text, digits and one of the signs for a blank (`gridmill.board.BLANKS`), or values, 0 for a blank and 1 to 9.
"""

from gridmill import kernel
from gridmill.board import BLANK, CELLS, HOLE, pack, slots, unpack
from gridmill.errors import BoardError
from gridmill.formats.cells import plain, read_cells
from gridmill.formats.reader import fault_of
from gridmill.record import Fault

_VALUES = bytes.maketrans(bytes(range(10)), b".123456789")
_TO_VALUES = bytes.maketrans(b".123456789", bytes(range(10)))
_MOST = 9  # the greatest value of a cell
_TEXT = 32  # no sign of a text is lower, and no value of a cell as high


def packed(cells: memoryview, step: int) -> tuple[bytes, list[int]]:
    """The packed boards of rows that begin ``step`` bytes apart, and which of them (from 0) are none, hence holes."""
    if kernel.native:
        boards, holes = kernel.extension.pack_rows(cells, step)
        return boards, list(memoryview(holes).cast("Q"))
    found = [_packed_row(bytes(cells[at : at + CELLS])) for at in range(0, len(cells), step)]
    return b"".join(found), [at for at, slot in enumerate(found) if slot == HOLE]


def unpacked(boards: bytes, codes: bytes, having: frozenset[int], *, text: bool) -> bytes:
    """One row for each of ``codes``: the next of ``boards`` where ``having`` has the code; others and holes blank.

    ``text``: as text with ``.`` for a blank, else as values.
    """
    if kernel.native:
        return kernel.extension.unpack_rows(boards, codes, sum(1 << code for code in having), text)
    following = iter(slots(boards))
    rows = ["" if code not in having or (slot := next(following)) == HOLE else unpack(slot) for code in codes]
    made = "".join(row or BLANK * CELLS for row in rows).encode()
    return made if text else made.translate(_TO_VALUES)


def fault_in(row: bytes) -> Fault:
    """What is wrong with a row that is no board."""
    if row[0] >= _TEXT:
        text = row.decode("utf-8", "surrogateescape")
        try:
            read_cells(text)
        except BoardError as error:
            return fault_of(error, text)
    elif max(row) > _MOST:
        at = next(at for at, value in enumerate(row) if value > _MOST)
        return Fault(at + 1, f"{row[at]} is neither 0 nor a digit 1-9", " ".join(map(str, row)))
    return Fault(0, "it was changed while it was read", "")


def _packed_row(row: bytes) -> bytes:
    if row[0] < _TEXT:
        board = row.translate(_VALUES).decode("ascii") if max(row) <= _MOST else None
    else:
        board = plain(row.decode("latin-1"))
    return HOLE if board is None else pack(board)
