"""What a worker sends about a piece."""

import pytest
from hypothesis import given, strategies

from gridmill.answered import BESIDES, Answered

EMPTY = Answered(b"", "", b"", b"")
SHORT = strategies.binary(max_size=255)
TEXT = strategies.text(max_size=63)  # of up to four bytes each


@given(strategies.builds(Answered, SHORT, TEXT, SHORT, strategies.binary(max_size=1000), TEXT))
def test_what_was_sent_is_what_is_read(sent: Answered) -> None:
    assert Answered.decode(sent.encode()) == sent


def test_all_but_the_reply_is_no_longer_than_it_says() -> None:
    longest = Answered(b"p" * 255, "t" * 255, b"h" * 255, b"", "s" * 255)

    assert len(longest.encode()) == BESIDES


@pytest.mark.parametrize(
    "sent",
    [
        EMPTY._replace(piece=b"x" * 256),
        EMPTY._replace(token="ä" * 128),
        EMPTY._replace(boards_hash=b"x" * 256),
        EMPTY._replace(secret="x" * 256),
    ],
    ids=["piece", "token", "hash", "secret"],
)
def test_a_part_that_is_too_long_is_an_error(sent: Answered) -> None:
    with pytest.raises(ValueError, match="too long"):
        sent.encode()


@given(strategies.binary(max_size=40))
def test_whatever_somebody_has_put_there_can_be_read(data: bytes) -> None:
    read = Answered.decode(data)

    if read != EMPTY:
        parts = read.piece, data[4 + len(read.piece) : -len(read.reply) or None], read.reply
        assert data[4:] == b"".join(parts)
        assert sum(data[:4]) == len(data) - 4 - len(read.reply)


@pytest.mark.parametrize("data", [b"", b"\0\0\0", b"\1\0\0\0", b"\0\0\0\5abcd"])
def test_what_is_too_short_is_empty(data: bytes) -> None:
    assert Answered.decode(data) == EMPTY
