"""The boards of a file that are measured in memory: enough for a steady time, few enough for a slow solver."""

from itertools import islice
from typing import NamedTuple

from gridmill.board import BLANK, CELLS, PACKED, pack
from gridmill.chunk import Record
from gridmill.errors import FormatError
from gridmill.formats.input import Input
from gridmill.solvers import Solver

CHUNKS: float = 4  # of the solver, so 0.2 to 1 s a repetition: long against the clock's grain and a context switch
MOST_READ = 2_000_000  # records that are held in memory at most: 82 MB packed
WARM = pack(BLANK * CELLS)


class Sample(NamedTuple):
    """``boards`` are packed: of the ``of`` boards that the file has (as far as it was read) some, evenly spread, or all
    of them again and again."""

    boards: bytes
    of: int

    def __len__(self) -> int:
        return len(self.boards) // PACKED


def sample(path: str, solver: Solver) -> Sample:
    """The boards of ``path`` that take ``solver`` about as long as CHUNKS chunks.

    Raises FormatError when there are none, or the file can be read only once.
    """
    records = Input((path,))
    if not records.repeatable:
        raise FormatError(f"{path} can be read only once, and a measurement is repeated: save it to a file")
    found = b"".join(_packed(record) for record in islice(records.records(), MOST_READ))
    have, wanted = len(found) // PACKED, round(CHUNKS * solver.chunk)
    if not have:
        raise FormatError(f"{path} holds no board that could be measured")
    places = (at * have // wanted if have > wanted else at % have for at in range(wanted))
    return Sample(b"".join(found[PACKED * place : PACKED * (place + 1)] for place in places), have)


def _packed(record: Record) -> bytes:
    return b"" if record.board is None else pack(record.board)
