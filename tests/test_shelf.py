"""Chunks between a producer and a collector in one process."""

import pytest

from gridmill.chunk import Chunk
from gridmill.shelf import Shelf

ROOM = 100


def chunk(size: int = 41) -> Chunk:
    return Chunk(bytes(size), b"side")


@pytest.fixture
def shelf() -> Shelf:
    return Shelf(ROOM)


def test_what_was_put_there_is_the_same_when_it_is_taken(shelf: Shelf) -> None:
    shelf.put(3, made := chunk())

    assert shelf.get(3) is made
    assert shelf.get(4) is None


def test_more_than_there_is_room_for_is_not_kept_until_there_is(shelf: Shelf) -> None:
    for number in (1, 2, 3):
        shelf.put(number, chunk())
    assert [number for number in (1, 2, 3) if shelf.get(number)] == [1, 2]

    shelf.drop(1)
    shelf.put(3, chunk())

    assert [number for number in (1, 2, 3) if shelf.get(number)] == [2, 3]


def test_what_is_put_there_again_takes_no_more_room(shelf: Shelf) -> None:
    """A producer that goes back sends the same chunk once more."""
    for _ in range(3):
        shelf.put(1, chunk())
    shelf.put(2, chunk())

    assert shelf.get(2) is not None


def test_with_a_chunk_all_before_it_go(shelf: Shelf) -> None:
    shelf.put(1, chunk())
    shelf.put(2, chunk())

    shelf.drop(5)

    assert (shelf.get(1), shelf.get(2)) == (None, None)


def test_a_cleared_shelf_is_empty(shelf: Shelf) -> None:
    shelf.put(1, chunk())

    shelf.clear()

    assert shelf.get(1) is None
