"""Where a producer leaves the chunks that it has sent, for a collector in the same process.

The server hands them out again, but that costs both of them more than checking the answers does.
"""

from threading import Lock

from gridmill.chunk import Chunk


class Shelf:
    """Chunks of one job, by number, of up to ``room`` bytes; the rest is not kept, and has to come from the server."""

    def __init__(self, room: int) -> None:
        self._room = room
        self._lock = Lock()
        self._chunks: dict[int, Chunk] = {}

    def put(self, number: int, chunk: Chunk) -> None:
        """Keep a chunk while there is room."""
        with self._lock:
            kept = self._chunks | {number: chunk}
            if sum(map(_size, kept.values())) <= self._room:
                self._chunks = kept

    def get(self, number: int) -> Chunk | None:
        """The chunk of that number, if it is here."""
        with self._lock:
            return self._chunks.get(number)

    def drop(self, number: int) -> None:
        """Nobody wants this one any more, nor any before it."""
        with self._lock:
            self._chunks = {known: chunk for known, chunk in self._chunks.items() if known > number}

    def clear(self) -> None:
        """Keep nothing of what is here."""
        with self._lock:
            self._chunks.clear()


def _size(chunk: Chunk) -> int:
    return len(chunk.boards) + len(chunk.side)
