"""A job of four chunks, its collector and a worker, and the clock, the paper and the ledger that they have in tests."""

import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Executor, Future
from typing import Any

from silent import Silent

from collector.collect import Collector
from collector.journal import State
from collector.referee import Referee, Ruling
from gridmill import broker, solvers
from gridmill.answered import Answered
from gridmill.chunk import Record
from gridmill.clock import Clock
from gridmill.connection import Connection
from gridmill.entry import Place
from gridmill.errors import BrokerLost, OutputError
from gridmill.formats.output import writer
from gridmill.incidents import About, Incidents
from gridmill.job import WIRE, Spec, new_id
from gridmill.piece import Piece
from gridmill.testing import FakeBroker
from producer.cut import cut
from worker.solving import Solving

BOARD = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SOLUTION = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
SPEC = Spec(WIRE, "bitmask", solvers.get("bitmask").version, False, 1000, 2, "", (), ())
RECORDS = [Record(line, BOARD) for line in range(1, 8)]
ANSWERS = f"{SOLUTION}\n".encode()
LEASE = 15.0


class Turns(Clock):
    """A clock on which waiting takes no time of ours."""

    def __init__(self) -> None:
        self.time = 100.0

    def now(self) -> float:
        return self.time

    def wait(self, seconds: float, stop: threading.Event | None = None) -> None:
        self.time += seconds


class Paper:
    """A manuscript in memory that notes what happens to it."""

    name, way_on, is_published = "host:/out", "and gridmill resume out goes on", False

    def __init__(self, state: State | None = None) -> None:
        self.state = state or State(0, Place(), 0, {})
        self.written = b""
        self.notes: list[str] = []
        self.refuses = False
        self.steps = 0

    def write(self, rows: Iterable[bytes]) -> int:
        if self.refuses:
            raise OutputError("no space left")
        data = b"".join(rows)
        self.written += data
        return len(data)

    def saving(self, place: Place, counts: dict[str, int], *, done: bool = False) -> Callable[[], None]:
        written = len(self.written)

        def save() -> None:
            self.notes.append("done" if done else "save")
            self.state = State(self.state.turn + 1, place, written, counts, done)

        return save

    def finish(self) -> Iterator[None]:
        for _ in range(self.steps):
            self.notes.append("finish")
            yield

    def publish(self) -> None:
        self.notes.append("publish")

    def close(self) -> None:
        self.notes.append("close")


class AtOnce(Executor):
    """Saves in the thread that asks for it, so that each is at its end when the collector looks again."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **options: Any) -> "Future[Any]":
        ended: Future[Any] = Future()
        ended.set_result(fn(*args, **options))
        return ended


class Nobody:
    """A referee that is never needed."""

    def __init__(self) -> None:
        self.closed, self.stirred = False, threading.Event()

    def ask(self, key: int, questions: Any) -> None:
        raise AssertionError(questions)

    def rulings(self) -> list[Ruling]:
        return []

    def drop(self) -> None:
        pass

    def close(self) -> None:
        self.closed = True


class Breaking(Connection):
    """A connection on which the next ``away`` calls break."""

    away = 0

    def call(self, action: Callable[[Any], Any]) -> Any:
        if self.away:
            self.away -= 1
            raise BrokerLost("away")
        return super().call(action)


class Watched(Silent):
    """A ledger that is waited on without waiting, and notes the collector's steps."""

    def __init__(self, client: Any, prefix: str, queue_key: str, clock: Turns, notes: list[str]) -> None:
        super().__init__(client, prefix, queue_key)
        self._server = self.line = Breaking(client)
        self.clock, self.notes = clock, notes
        self.read: list[Piece] = []  # whose answers were read

    def wait(self, job: str, known: int, seconds: float, *stir: Any) -> bool:
        self.clock.time += seconds
        return super().wait(job, known, 0, *stir)

    def commit(self, *args: Any, **options: Any) -> str:
        self.notes.append("attach" if options.get("own") else "commit")
        return super().commit(*args, **options)

    def answers(self, job: str, wanted: Mapping[Piece, int], **options: Any) -> dict[Piece, Answered]:
        self.read += wanted
        return super().answers(job, wanted, **options)

    def final(self, *args: Any) -> str:
        self.notes.append("final")
        return super().final(*args)


class Rig:
    """A job of four chunks, its collector, and a worker."""

    def __init__(self, fake: FakeBroker, records: list[Record] = RECORDS, *, feeding: bool = True) -> None:
        self.client: Any = fake.client()
        self.settings = fake.settings.model_copy(update={"audit": 0.0})  # or the referee would be needed
        self.clock, self.referee, self.paper = Turns(), Nobody(), Paper()
        self.job, self.feeding = new_id(), feeding
        self.cuts = list(cut(records, 2))
        self.incidents = Incidents(fake.settings.state_dir, self.job, About("", "csv", b""))
        self.ledger = self.connect()
        self.sent = self.ledger.sent
        self.solving = Solving(fake.settings, self.connect, self.clock)
        self.stop = threading.Event()
        self.looks = 0
        self.happens: Callable[[int], None] = lambda look: None

    def connect(self) -> Watched:
        return Watched(self.client, self.settings.prefix, broker.queue_key(self.settings), self.clock, self.paper.notes)

    def feed(self, start: int = 0, stop: int | None = None, *, close: bool = True) -> None:
        self.ledger.create(self.job, "p", SPEC.encode(), self.cuts[start].at if self.cuts else Place())
        for made in self.cuts[start:stop]:
            said = self.ledger.enqueue(self.job, "p", made.at, made.chunk, made.after, 10**6)
            self.sent.append((Piece(made.at.chunk, 0, len(made.chunk)), said.seq))
        if close:
            self.ledger.close(self.job, "p", len(self.cuts))

    def work(self, *numbers: int) -> None:
        """The worker takes the messages of these chunks, or all there are."""
        for piece, seq in [sent for sent in self.sent if not numbers or sent[0].chunk in numbers]:
            self.solving.take(self.job, str(piece), seq)

    def collector(
        self,
        form: str = "lines",
        is_own: Callable[[str], bool] = lambda reason: False,
        referee: Referee | None = None,
    ) -> Collector:
        return Collector(
            self.ledger, self.job, SPEC, self.paper,
            writer(form, ()), self.settings, referee or self.referee, self.incidents,
            feeding=self.feeding, is_own=is_own, clock=self.clock, aside=AtOnce(),
        )  # fmt: skip

    def run(self, collector: Collector | None = None) -> bool:
        def look(progress: object) -> None:
            self.looks += 1
            assert self.looks < 2000, "it never ends"
            self.happens(self.looks)

        return (collector or self.collector()).run(self.stop, look)

    @property
    def count(self) -> int:
        return self.paper.written.count(b"\n")
