"""Where a collector gets the chunks that it examines and writes."""

import pytest

from collector.chunks import MISSES, Chunks
from gridmill.chunk import Chunk
from gridmill.errors import BrokerLost, Incomplete
from gridmill.shelf import Shelf

CHUNK = Chunk(bytes(41), b"side")


class Server:
    """Holds ``chunks``; a ledger, as far as it is asked here."""

    def __init__(self) -> None:
        self.chunks: dict[int, Chunk] = {}
        self.asked = 0

    def chunk(self, job: str, number: int) -> Chunk | None:
        self.asked += 1
        return self.chunks.get(number)


@pytest.fixture
def server() -> Server:
    return Server()


@pytest.fixture
def shelf() -> Shelf:
    return Shelf(1000)


@pytest.fixture
def chunks(server: Server, shelf: Shelf) -> Chunks:
    return Chunks(server, "job", shelf)  # type: ignore[arg-type]


def test_what_the_producer_has_left_is_not_asked_for(server: Server, shelf: Shelf, chunks: Chunks) -> None:
    shelf.put(3, CHUNK)
    chunks.clear()  # as whoever takes a job over does: the producer may have been sooner

    assert chunks.get(3) is CHUNK
    assert server.asked == 0


def test_what_is_not_there_comes_from_the_server_and_is_asked_for_once(server: Server, chunks: Chunks) -> None:
    server.chunks[3] = CHUNK

    assert [chunks.get(3), chunks.get(3)] == [CHUNK, CHUNK]
    assert server.asked == 1


def test_a_written_chunk_is_held_nowhere(server: Server, shelf: Shelf, chunks: Chunks) -> None:
    shelf.put(3, CHUNK)
    chunks.get(3)

    chunks.drop(3)

    with pytest.raises(BrokerLost):
        chunks.get(3)


def test_boards_that_stay_lost_end_the_job_though_the_producer_had_left_them(shelf: Shelf, chunks: Chunks) -> None:
    """A worker cannot solve them: a step says so again and again, and in between the chunk is looked at."""
    shelf.put(3, CHUNK)
    said = []
    for _ in range(MISSES + 1):
        said.append(chunks.missed(3))
        chunks.clear()
        with pytest.raises((BrokerLost, Incomplete)):
            chunks.get(3)

    assert isinstance(said[0], BrokerLost)
    assert isinstance(said[-1], Incomplete)
