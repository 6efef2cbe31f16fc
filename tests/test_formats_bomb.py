"""A packed file may grow, but not without end."""

from collections.abc import Iterator

import pytest

from gridmill.errors import FormatError
from gridmill.formats import bomb
from gridmill.formats.bomb import FREE, RATIO, Balance

PIECE = b"\0" * (1 << 20)


def pieces(size: int) -> Iterator[bytes]:
    return (PIECE for _ in range(size // len(PIECE)))


def unpack(packed: int, content: int) -> int:
    """How much is let through of ``content`` bytes out of ``packed``."""
    balance = Balance("f")
    list(balance.weighed(iter((b"\0" * packed,))))
    return sum(map(len, balance.checked(pieces(content))))


def test_what_is_free_may_come_out_of_nothing() -> None:
    assert unpack(0, FREE) == FREE


def test_more_may_come_out_of_a_file_that_is_large_enough() -> None:
    assert unpack(2 * FREE // RATIO + 1, 2 * FREE) == 2 * FREE


def test_more_may_not_come_out_of_a_smaller_one() -> None:
    with pytest.raises(FormatError, match=r"f grows more than 200 times when it is unpacked.*unpack it yourself"):
        unpack(2 * FREE // RATIO - 10_000, 2 * FREE)


def test_what_is_known_to_lie_there_counts_from_the_start() -> None:
    balance = Balance("f", 2 * FREE // RATIO + 1)
    assert sum(map(len, balance.checked(pieces(2 * FREE)))) == 2 * FREE


def test_there_is_a_limit_whatever_the_ratio(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bomb, "MOST", len(PIECE))
    with pytest.raises(FormatError):
        unpack(FREE, 2 * len(PIECE))
