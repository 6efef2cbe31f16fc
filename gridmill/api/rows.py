"""Boards that lie in memory as rows of 81 bytes, read where they are."""

from collections.abc import Iterator
from typing import NamedTuple, Self

from gridmill.api.cells import fault_in, packed
from gridmill.batch import Batch
from gridmill.board import CELLS
from gridmill.errors import BoardError

BLOCK = 8192  # boards a batch: some milliseconds of solving, so that threads share the work evenly
_LINE = CELLS + 1  # bytes of a row with a line end behind it
_BYTES = ("B", "b", "c")  # formats of the buffer protocol: numbers of one byte, or characters
_WANTED = "give an array of shape (n, 81) or (n, 9, 9) of uint8 (array.astype('uint8')), or 81 bytes a board"


class Rows(NamedTuple):
    """Rows of ``cells``, each beginning ``step`` bytes after the one before."""

    cells: memoryview
    step: int

    @classmethod
    def of(cls, view: memoryview) -> list[Self]:
        """The rows of a buffer or an array, without a copy where it is contiguous. Raises BoardError for others."""
        if view.format not in _BYTES:
            raise BoardError(f"an array of format {view.format!r} and shape {view.shape} holds no boards; {_WANTED}")
        shape = view.shape or ()
        if view.ndim != 1 and shape[1:] not in ((CELLS,), (9, 9)):
            raise BoardError(f"an array of shape {shape} holds no boards; {_WANTED}")
        if view.nbytes == 0:
            return []
        cells = view.cast("B") if view.c_contiguous else memoryview(view.tobytes())
        return [cls(cells, CELLS)] if view.ndim > 1 else cls._of_bytes(cells)

    @classmethod
    def _of_bytes(cls, cells: memoryview) -> list[Self]:
        if len(cells) <= CELLS or cells[CELLS] != ord("\n"):
            if len(cells) % CELLS:
                raise BoardError(f"{len(cells):,} bytes are not a whole number of boards; {_WANTED}")
            return [cls(cells, CELLS)]
        whole = len(cells) // _LINE * _LINE
        ends = cells[CELLS:whole:_LINE].tobytes()
        if len(cells) - whole not in (0, CELLS) or ends.count(b"\n") != len(ends):
            at = next((at for at, end in enumerate(ends, 1) if end != ord("\n")), len(ends) + 1)
            raise BoardError(f"line {at} of the buffer has not 81 cells: {_WANTED}, or read a file with gridmill.read")
        return [cls(cells[:whole], _LINE), cls(cells[whole:], CELLS)]

    def batches(self, first: int) -> Iterator[Batch]:
        """Their records, packed; the first one is number ``first`` of all."""
        size = BLOCK * self.step
        for number, at in enumerate(range(0, len(self.cells), size)):
            block = self.cells[at : at + size]
            boards, holes = packed(block, self.step)
            faults = {hole: fault_in(bytes(block[hole * self.step :][:CELLS])) for hole in holes}
            yield Batch(boards, [(0, first + number * BLOCK)], faults=faults)
