"""One job, and short names for its steps."""

from collections.abc import Callable
from typing import Any

import redis

from gridmill.chunk import Record
from gridmill.entry import Entry, Place
from gridmill.job import new_id
from gridmill.ledger import Ledger
from gridmill.piece import Piece
from gridmill.said import Begun, Blame, Created, Enqueued
from gridmill.settings import Settings
from producer.cut import Cut, cut

BOARD = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
BUDGET = 1_000_000
MINE, OTHER = "mine", "other"  # tokens
OUT = "host:/out.csv"
UNPROVEN = Blame()


def records(count: int) -> list[Record]:
    return [Record(line, BOARD) for line in range(1, count + 1)]


class Rig:
    """One job of chunks of two records, and short names for its steps."""

    def __init__(self, client: "redis.Redis", settings: Settings) -> None:
        self.client = client
        self.ledger = Ledger.of(client, settings)
        self.job = new_id()
        self.cuts = list(cut(records(8), 2))

    def create(self, token: str = MINE, spec: bytes = b"spec", start: Place = Place()) -> Created:  # noqa: B008
        return self.ledger.create(self.job, token, spec, start)

    def enqueue(self, number: int, token: str = MINE, budget: int = BUDGET, made: Cut | None = None) -> Enqueued:
        made = made or self.cuts[number]
        return self.ledger.enqueue(self.job, token, made.at, made.chunk, made.after, budget)

    def begin(self, number: int, seq: int, token: str = "w") -> Begun:
        return self.ledger.begin(self.job, Piece(number, 0, 2), seq, token)

    def finish(self, number: int, token: str = "w", reply: bytes = b"reply") -> str:
        return self.ledger.finish(self.job, Piece(number, 0, 2), token, b"hash", reply)

    def commit(self, number: int, token: str = MINE, *, own: bool = False, out: str = OUT) -> str:
        place = self.cuts[number - 1].after if number else Place()
        return self.ledger.commit(self.job, token, place, b"{}", out=out, own=own)

    def requeue(self, number: int, *, lie: bool = False, blame: Blame = UNPROVEN, **seen: Any) -> int:
        entry = self.entry(number)._replace(**seen)
        return self.ledger.requeue(self.job, Piece(number, 0, 2), entry, blame if lie else None)

    def entry(self, number: int) -> Entry:
        snapshot = self.ledger.scan(self.job)
        assert snapshot is not None
        return snapshot.entries[Piece(number, 0, 2)]

    def mark(self) -> int:
        snapshot = self.ledger.scan(self.job)
        assert snapshot is not None
        return snapshot.mark

    def fed(self, count: int) -> "Rig":
        """The job, created, with ``count`` chunks."""
        assert self.create().said == "ok"
        for number in range(count):
            assert self.enqueue(number).said == "ok"
        return self

    def contents(self) -> dict[bytes, object]:
        """Everything in the server."""
        read: dict[bytes, Callable[[bytes], object]] = {
            b"string": self.client.get,
            b"hash": self.client.hgetall,
            b"set": self.client.smembers,
        }
        keys: Any = self.client.keys("*")
        kinds: Any = {key: self.client.type(key) for key in keys}
        return {key: read[kinds[key]](key) for key in keys}
