"""One job with an input of four chunks, producers for it, and a clock."""

import threading
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from silent import Silent

from gridmill.chunk import Record
from gridmill.clock import Clock
from gridmill.entry import Place
from gridmill.job import new_id
from gridmill.testing import FakeBroker
from producer.cut import cut
from producer.feed import Feed

BOARD = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
LINES = [Record(line, BOARD) for line in range(1, 11)]
CUTS = list(cut(LINES, 3))  # four of them


class Records:
    """An input that counts how often it is read."""

    def __init__(self, records: Iterable[Record] = LINES, *, repeatable: bool = True) -> None:
        self.records, self.repeatable, self.readings = list(records), repeatable, 0

    def __iter__(self) -> Iterator[Record]:
        self.readings += 1
        return iter(self.records)


class Turns(Clock):
    """A clock on which time passes at once, and something may happen meanwhile."""

    def __init__(self) -> None:
        self.time = 0.0
        self.waits: list[float] = []
        self.happens: Callable[[], None] = lambda: None

    def now(self) -> float:
        return self.time

    def wait(self, seconds: float, stop: threading.Event | None = None) -> None:
        assert len(self.waits) < 200, "it waits for ever"
        self.waits.append(seconds)
        self.time += seconds
        self.happens()


class Rig:
    """One job, and producers for it."""

    def __init__(self, fake: FakeBroker) -> None:
        self.client: Any = fake.client()
        self.ledger = Silent.of(self.client, fake.settings)
        self.job = new_id()
        self.clock = Turns()

    def feed(self, records: Records | None = None, **options: Any) -> Feed:
        defaults = {"chunk": 3, "budget": 100_000, "beat": 5.0, "stay": False}
        return Feed(self.ledger, self.job, b"spec", records or Records(), clock=self.clock, **defaults | options)

    @property
    def sent(self) -> list[tuple[str, int]]:
        assert self.ledger.about <= {self.job}
        return [(str(piece), seq) for piece, seq in self.ledger.sent]

    def collected(self, number: int, *, own: bool = True) -> None:
        """The collector has written everything before chunk ``number``."""
        place = CUTS[number - 1].after if number else Place()
        assert self.ledger.commit(self.job, "c", place, b"{}", out="out", own=own) == "ok"

    @property
    def place(self) -> Place:
        return self.ledger.view(self.job).place
