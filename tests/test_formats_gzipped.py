"""Packed output is the plain output, packed."""

import gzip

import pytest

from gridmill.answers import Answer, Status
from gridmill.chunk import Chunk, Record
from gridmill.formats.output import FINISHES, WRITERS, writer
from gridmill.formats.row import Row
from gridmill.formats.sheet import Sheet
from gridmill.reply import Claim, Reply

PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
ROWS = [Row(n, n, "id", PUZZLE, Answer(Status.UNDECIDED, nodes=n), ("x",)) for n in range(1, 4)]
PACKABLE = [name for name in WRITERS if name not in FINISHES]


@pytest.mark.parametrize("name", PACKABLE)
def test_unpacked_it_is_what_is_written_plainly(name: str) -> None:
    plain, packed = writer(name, ["note"]), writer(f"{name}.gz", ["note"])
    parts = [packed.header(), packed.rows(ROWS[:1]), packed.rows([]), packed.rows(ROWS[1:])]
    assert gzip.decompress(b"".join(parts)) == plain.header() + plain.rows(ROWS)


@pytest.mark.parametrize("name", PACKABLE)
def test_a_sheet_is_packed_too(name: str) -> None:
    chunk = Chunk.of(1, [Record(1, PUZZLE, extras=("x",))] * 3)
    sheet = Sheet.of(chunk, Reply.of([Claim(Status.NONE)] * 3), {})
    plain, packed = writer(name, ["note"]), writer(f"{name}.gz", ["note"])
    assert gzip.decompress(b"".join(packed.sheet(sheet))) == b"".join(plain.sheet(sheet))


def test_the_same_rows_give_the_same_bytes() -> None:
    assert writer("csv.gz", []).rows(ROWS) == writer("csv.gz", []).rows(ROWS)
