"""The name of a piece."""

import pytest

from gridmill.errors import WireError
from gridmill.piece import Piece


def test_a_piece_is_read_back_from_its_text() -> None:
    assert Piece.parse(str(Piece(7, 16, 32))) == Piece(7, 16, 32)


def test_its_length_is_its_number_of_records() -> None:
    assert len(Piece(7, 16, 32)) == 16


@pytest.mark.parametrize(
    "text", ["", "1:2", "1:2:3:4", "a:0:1", "-1:0:1", "1:5:5", "1:6:5", "1:0:1\n", "\u0663:0:1", "1: 0:1"]
)
def test_what_is_no_piece_is_refused(text: str) -> None:
    with pytest.raises(WireError, match="is not a piece"):
        Piece.parse(text)
