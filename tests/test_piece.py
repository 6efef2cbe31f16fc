"""The name of a piece."""

import pytest

from gridmill.errors import WireError
from gridmill.piece import Piece


def test_a_piece_is_read_back_from_its_text() -> None:
    assert Piece.parse(str(Piece(7, 16, 32))) == Piece(7, 16, 32)


def test_its_length_is_its_number_of_records() -> None:
    assert len(Piece(7, 16, 32)) == 16


@pytest.mark.parametrize(
    ("size", "most", "sizes"), [(32, 16, [2] * 16), (33, 16, [3] * 11), (5, 16, [1] * 5), (7, 3, [3, 3, 1])]
)
def test_its_parts_are_all_of_it_in_order_and_of_one_size(size: int, most: int, sizes: list[int]) -> None:
    parts = Piece(7, 10, 10 + size).parts(most)

    assert [len(part) for part in parts] == sizes
    assert [record for part in parts for record in range(part.lo, part.hi)] == list(range(10, 10 + size))
    assert {part.chunk for part in parts} == {7}


@pytest.mark.parametrize(
    "text", ["", "1:2", "1:2:3:4", "a:0:1", "-1:0:1", "1:5:5", "1:6:5", "1:0:1\n", "\u0663:0:1", "1: 0:1"]
)
def test_what_is_no_piece_is_refused(text: str) -> None:
    with pytest.raises(WireError, match="is not a piece"):
        Piece.parse(text)
