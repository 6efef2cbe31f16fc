"""What a program gives is read where it is, and again where it can be."""

import numpy
import pytest

from gridmill.api import arrow
from gridmill.api.given import Given
from gridmill.api.rows import Rows

pyarrow = pytest.importorskip("pyarrow")

PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"


def address(rows: Rows) -> int:
    return int(numpy.frombuffer(rows.cells, "uint8").ctypes.data)


@pytest.mark.parametrize("shape", [(4, 81), (4, 9, 9)])
def test_an_array_is_not_copied(shape: tuple[int, ...]) -> None:
    array = numpy.zeros(shape, "uint8")
    (rows,) = Rows.of(array.data)
    assert numpy.shares_memory(numpy.frombuffer(rows.cells, "uint8"), array)
    assert len(rows.cells) == array.nbytes


def test_a_buffer_is_not_copied() -> None:
    buffer = bytearray(PUZZLE.encode() * 3)
    (rows,) = Rows.of(memoryview(buffer))
    assert address(rows) == numpy.frombuffer(buffer, "uint8").ctypes.data


@pytest.mark.parametrize("kind", ["string", "large_string"])
def test_the_texts_of_a_column_are_not_copied(kind: str) -> None:
    column = pyarrow.array([PUZZLE] * 5, kind)[2:]
    (rows,) = arrow.parts(column)
    assert isinstance(rows, Rows)
    assert address(rows) == column.buffers()[2].address + 2 * 81
    assert len(rows.cells) == 3 * 81


@pytest.mark.parametrize(("boards", "can"), [([PUZZLE], True), (PUZZLE.encode(), True), (iter([PUZZLE]), False)])
def test_what_can_be_read_again_says_so(boards: object, can: bool) -> None:
    given = Given(boards)  # type: ignore[arg-type]
    assert given.repeatable is can
    first = list(given)
    assert (list(given) == first) is can


def test_lines_are_counted_through_all_parts() -> None:
    given = Given(pyarrow.chunked_array([[PUZZLE, PUZZLE], [PUZZLE, "x"], [PUZZLE]]))
    assert [record.line for batch in given for record in batch.records()] == [1, 2, 3, 4, 5]
