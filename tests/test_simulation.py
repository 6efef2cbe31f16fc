"""The real producer, workers and collector in one process, under a clock that is ours, with everything going wrong.

A seed decides who takes the next step and what fails: calls and replies are lost or repeated, messages are lost,
doubled and shuffled, processes die or stand still, the disk keeps what was not synced or does not, a worker lies, a
board kills, the server goes back in time or loses everything. Whatever happens, the output must be, byte for byte, what
it is when nothing does. GRIDMILL_SIMULATIONS=2000 makes a long run, GRIDMILL_SEED=17 repeats one.
"""

import json
import os
import random
import threading
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from collector import child, journal
from collector.child import Question, settle
from collector.collect import Collector
from collector.journal import Head
from collector.manuscript import FileManuscript
from collector.referee import Ruling
from collector.rows import rows
from gridmill import broker, solvers
from gridmill.answers import FAILED_DETAIL, Answer, Status
from gridmill.board import pack, to_grid
from gridmill.chunk import Chunk, Fault, Record
from gridmill.clock import Clock
from gridmill.entry import Answered, Place
from gridmill.errors import BrokerLost, Incomplete, OutputError, UnknownJob
from gridmill.formats.output import writer
from gridmill.job import WIRE, Spec
from gridmill.ledger import Ledger
from gridmill.piece import Piece
from gridmill.reply import Claim, Reply
from gridmill.settings import Settings
from gridmill.solvers import bitmask, sat
from gridmill.solvers.outcome import Outcome
from gridmill.testing import FakeBroker
from producer.feed import Feed
from worker.solving import Solving

SEEDS = (
    [int(os.environ["GRIDMILL_SEED"])]
    if "GRIDMILL_SEED" in os.environ
    else range(int(os.environ.get("GRIDMILL_SIMULATIONS", "40")))
)
TROUBLE = 150.0  # seconds of the simulated clock in which things go wrong: ten leases
STEPS_MOST = 60_000  # of all processes together; a run takes a hundredth
JOB, OTHER_JOB = "2345678923", "3333333333"
BUDGET = 30  # search nodes a board, so that one of the boards is undecided

UNIQUE = [
    "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79",
    ".23.97645456231978789564312.97.23564231456897564789231645312789978645123312978456",
    ".....7..4.....6..386.2.....5.9.82...64.....8.......7.........42.1..3....7.3.....9",
]
OTHERS = [
    "..3456789456789123789123456..4365897365897214897214365531642978642978531978531642",  # two solutions
    ".....5.8....6.1.43..........1.5........1.6...3.......553.....61........4.........",  # none, but undecided at once
    ".71..4.................6...8....9........2..8.....76......81..6....6....6....38..",  # none, by singles
    "55" + "." * 79,  # a clash
]
POISON = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"
RUBBISH = Fault(3, "no digit", "53x")


class Killed(BaseException):
    """The process is gone. (Not an Exception: nothing in it may handle that.)"""


class Task:
    """A thread that runs only when it is its turn."""

    def __init__(self, world: "World", name: str, body: Callable[[], None]) -> None:
        self.name, self.wake, self.doomed, self.over = name, 0.0, False, False
        self.go = threading.Lock()
        self.go.acquire()
        self._world, self._body = world, body
        self.thread = threading.Thread(target=self._run, name=name, daemon=True)
        self.thread.start()

    def _run(self) -> None:
        self.go.acquire()
        try:
            self._body()
        except Killed:
            pass
        except BaseException as error:
            self._world.failure = self._world.failure or error
        self.over = True
        self._world.pass_on()


class World(Clock):
    """Time, chance and whose turn it is. Each turn `happens` is called, whatever it may do."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.time = 0.0
        self.steps = 0
        self.tasks: list[Task] = []
        self.running: Task | None = None
        self.rate = self.rng.choice([0.0, 0.005, 0.02, 0.06])
        self.calm = False
        self.finished = False
        self.failure: BaseException | None = None
        self.happens: Callable[[], None] = lambda: None
        self._end = threading.Lock()
        self._end.acquire()

    def start(self, name: str, body: Callable[[], None]) -> None:
        self.tasks.append(Task(self, name, body))

    def run(self) -> None:
        """Until all tasks are over; raises what went wrong in any of them."""
        self.pass_on()
        self._end.acquire()
        for task in self.tasks:
            task.thread.join()
        if self.failure is not None:
            raise self.failure

    def now(self) -> float:
        return self.time

    def wait(self, seconds: float, stop: threading.Event | None = None) -> None:
        if stop is None or not stop.is_set():
            self.pause(seconds)

    def pause(self, seconds: float = 0.0) -> None:
        """Give the turn away; die here, if that has been decided meanwhile."""
        me = self.running
        assert me is not None
        me.wake = self.time + seconds
        self.pass_on(me)
        if me.doomed or self.failure is not None:
            raise Killed

    def odds(self, share: float = 1.0) -> bool:
        """Whether something goes wrong now."""
        return not self.calm and self.rng.random() < self.rate * share

    def pass_on(self, me: Task | None = None) -> None:
        """Choose who is next, and wait for the next turn of ``me``, who may be the one."""
        try:
            self.steps += 1
            self.time += self.rng.random() * 0.02
            self.calm = self.calm or self.time > TROUBLE
            assert self.steps < STEPS_MOST, "stuck"
            self.happens()
        except BaseException as error:
            self.failure = self.failure or error
        living = [task for task in self.tasks if not task.over]
        if not living:
            self._end.release()
            return
        self.time = max(self.time, min(task.wake for task in living))
        self.running = self.rng.choice([task for task in living if task.wake <= self.time])
        if self.running is not me:
            self.running.go.release()
            if me is not None:
                me.go.acquire()


class Wire(Ledger):
    """A ledger whose calls and replies may be lost, or repeated as client libraries do."""

    world: World
    broken: set[str]

    def _call(self, action: Callable[[], Any]) -> Any:
        world = self.world
        world.pause()
        assert world.running is not None
        if world.running.name in self.broken:
            self.broken.discard(world.running.name)
            raise BrokerLost("the connection broke")
        if world.odds():
            raise BrokerLost("the call was lost")
        reply = super()._call(action)
        if world.odds():
            world.pause()
            reply = super()._call(action)
        if world.odds():
            raise BrokerLost("the reply was lost")
        return reply

    def wait(self, job: str, after: str, seconds: float) -> dict[str, Answered]:
        found = super().wait(job, after, seconds)
        if not found:
            self.world.pause(seconds)
        return found

    def finish(self, job: str, piece: Piece, token: str, about: bytes, reply: bytes) -> str:
        if self.world.odds(5):
            self.world.pause(self.world.rng.choice([1, 4, 20]))
            self.beat(job, piece, token)
        return super().finish(job, piece, token, about, reply)


class LyingWire(Wire):
    """A ledger that sends something else than it was told to. All of it can be found out."""

    def finish(self, job: str, piece: Piece, token: str, about: bytes, reply: bytes) -> str:
        rng = self.world.rng
        good = Reply.decode(reply, len(piece))
        lies: list[Callable[[], tuple[bytes, bytes]]] = [
            lambda: (about, b""),
            lambda: (about, rng.randbytes(len(reply))),
            lambda: (b"x" * 16, reply),
            lambda: (about, reply + b"x" * 200),
            lambda: (about, Reply.of([denied(claim) for claim in good.claims()]).encode()),
            lambda: (about, Reply.of([Claim(Status.UNDECIDED, 7)] * len(piece)).encode()),
            lambda: (about, Reply(good.codes, good.nodes, good.solutions[::-1], good.seconds).encode()),
        ]
        return super().finish(job, piece, token, *rng.choice(lies)())


def denied(claim: Claim) -> Claim:
    """Says of a board with solutions that it has none. (Said of one that is undecided it could be true.)"""
    return Claim(Status.NONE) if claim.solution else claim


class Disk:
    """The folder of the output, on a disk that may keep what was written since the last sync, or a part of it."""

    def __init__(self, world: World, folder: Path, expected: bytes, patch: pytest.MonkeyPatch) -> None:
        self.world, self.folder, self.expected = world, folder, expected
        self.open: dict[int, Path] = {}
        self.synced: dict[Path, bytes] = {}
        self.renamed: tuple[Path, Path] | None = None
        self.real = {name: getattr(os, name) for name in ("open", "close", "pwrite", "fsync", "rename")}
        for name in self.real:
            patch.setattr(os, name, getattr(self, f"_{name}"))
        patch.setattr(journal, "_sync", self._fsync)

    def moment(self) -> None:
        """One in which the process may die: each of the few around a save matters."""
        self.world.pause()
        if self.world.odds(3):
            raise Killed

    def _open(self, path: Any, flags: int, *args: Any, **options: Any) -> int:
        descriptor: int = self.real["open"](path, flags, *args, **options)
        if self.folder in (Path(path), Path(path).parent):
            self.open[descriptor] = Path(path)
        return descriptor

    def _close(self, descriptor: int) -> None:
        self.open.pop(descriptor, None)
        self.real["close"](descriptor)

    def _pwrite(self, descriptor: int, data: bytes, offset: int) -> int:
        self.moment()
        if self.world.odds():
            self.real["pwrite"](descriptor, data[: len(data) // 2], offset)
            raise OSError(28, "No space left on device")
        some = self.world.rng.randint(1, len(data)) if self.world.odds(10) else len(data)
        written: int = self.real["pwrite"](descriptor, data[:some], offset)
        return written

    def _fsync(self, descriptor: int) -> None:
        path = self.open[descriptor]
        self.moment()
        if path == self.folder:
            self.renamed = None
        else:
            self.synced[path] = path.read_bytes()
        if path.suffix == ".part":
            assert self.expected.startswith(self.synced[path]), "what was saved is not the beginning of the answers"
        self.moment()

    def _rename(self, old: Path, new: Path) -> None:
        self.moment()
        self.real["rename"](old, new)
        self.renamed = (old, new)
        self.synced[new] = self.synced.pop(old)
        self.moment()

    def crash(self, *, power: bool) -> None:
        """The process that had the files is gone, with ``power`` the machine too."""
        for descriptor in list(self.open):
            self._close(descriptor)
        if power and self.renamed and self.world.rng.random() < 0.5:
            old, new = self.renamed
            self.real["rename"](new, old)
            self.synced[old] = self.synced.pop(new)
        self.renamed = None
        for path in self.folder.iterdir() if power else ():
            path.write_bytes(self._torn(self.synced.get(path, b""), path.read_bytes()))

    def _torn(self, before: bytes, now: bytes) -> bytes:
        """Each sector is as it was synced, or as it was written last."""
        size = self.world.rng.choice([max(len(before), 0), len(now)])
        old, new = before.ljust(size, b"\0")[:size], now.ljust(size, b"\0")[:size]
        sectors = range(0, size, 512)
        return b"".join(self.world.rng.choice((old, new))[at : at + 512] for at in sectors)


class InProcessReferee:
    """Settles in this process and in its own time, and dies of the poisonous board."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._asked: list[tuple[int, Sequence[Question]]] = []

    def ask(self, key: int, questions: Sequence[Question]) -> None:
        self._asked.append((key, questions))

    def rulings(self) -> list[Ruling]:
        ready = [asked for asked in self._asked if self._world.rng.random() < 0.5]
        self._asked = [asked for asked in self._asked if asked not in ready]
        return [Ruling(key, [verdict(question) for question in questions]) for key, questions in ready]

    def drop(self) -> None:
        self._asked = []

    def close(self) -> None:
        pass


def verdict(question: Question) -> Claim | None:
    return None if question.board == pack(POISON) else settle(question)


class Memo:
    """A solver that remembers: the worker's, under its name. The boards are few, the runs many."""

    name, summary, version, proves, budget, chunk = "bitmask", "", 1, True, 1000, 3

    def search(self, grid: Any, limit: int, budget: int) -> Outcome:
        return outcome("bitmask", "".join(map("".join, grid)), limit, budget)


class Opinion(Memo):
    """The same for the second opinion."""

    name = "sat"

    def search(self, grid: Any, limit: int, budget: int) -> Outcome:
        return outcome("sat", "".join(map("".join, grid)), limit, budget)


@cache
def outcome(name: str, board: str, limit: int, budget: int) -> Outcome:
    solver = bitmask.Bitmask() if name == "bitmask" else sat.Sat()
    return solver.search(to_grid(board), limit, budget)


class DeadlyMemo(Memo):
    """The worker's: its process dies of the poisonous board."""

    def search(self, grid: Any, limit: int, budget: int) -> Outcome:
        if "".join(map("".join, grid)) == POISON:
            raise Killed
        return super().search(grid, limit, budget)


class Records(list[Record]):
    repeatable = True


class Simulation:
    """A job, its server and its processes."""

    def __init__(self, seed: int, folder: Path, patch: pytest.MonkeyPatch) -> None:
        self.world = world = World(seed)
        rng = world.rng
        self.records = Records(random_records(rng))
        self.fake = FakeBroker(in_flight=rng.choice([300, 3000, 100_000, 100_000]))
        self.settings: Settings = self.fake.settings
        self.client: Any = self.fake.client()
        self.queue = broker.queue_key(self.settings)
        read = self.client.xread
        # The world waits, not the client.
        patch.setattr(self.client, "xread", lambda streams, count, block: read(streams, count))
        self.spec = Spec(WIRE, "bitmask", 1, False, BUDGET, rng.choice([1, 2, 3, 5]), "", (), ("in.txt",))
        self.expected = expected(self.records, self.spec)
        self.out = folder / "out.csv"
        self.disk = Disk(world, folder, self.expected, patch)
        self.broken: set[str] = set()
        self.past: list[dict[bytes, Any]] = []
        self.feed: Feed | None = None
        world.happens = self.happens
        self.apart = rng.random() < 0.3
        self.submitting, self.submitted = self.apart, False
        world.start("collector", self.collecting)
        world.start("feed", self.feeding)
        world.start("life", lambda: self.immortal(self.showing_life))
        for number in range(rng.choice([1, 2, 3])):
            world.start(f"worker {number}", lambda: self.work(Wire))
        if rng.random() < 0.4:
            world.start("liar", lambda: self.work(LyingWire))
        self.noisy = rng.random() < 0.5

    def ledger(self, kind: type[Wire] = Wire) -> Wire:
        made = kind(self.client, self.settings.prefix, self.queue)
        made.world, made.broken = self.world, self.broken
        return made

    def send(self, job: str, piece: Piece, seq: int) -> None:
        world, message = self.world, json.dumps([job, str(piece), seq])
        world.pause()
        if world.odds():
            raise BrokerLost("the message could not be sent")
        for _ in range(0 if world.odds(3) else 2 if world.odds(3) else 1):
            (self.client.rpush if world.odds(3) else self.client.lpush)(self.queue, message)
        if world.odds():
            raise BrokerLost("the message was sent, but nobody said so")

    # -- processes

    def immortal(self, body: Callable[[], None], died: Callable[[], None] = lambda: None) -> None:
        """Run ``body`` again whenever its process has been killed, after a while."""
        world, down = self.world, 0.0
        while not world.finished and world.failure is None:
            try:
                world.pause(down)
                body()
            except Killed:
                assert world.running is not None
                world.running.doomed = False
                down = world.rng.uniform(0.1, 60)
                died()

    def collecting(self) -> None:
        """The process of the collector, and of the producer too unless they are apart."""
        self.immortal(self.collect, lambda: self.crash(power=self.world.rng.random() < 0.5))

    def crash(self, *, power: bool = False) -> None:
        if not self.apart:
            self.feed = None
            for task in self.world.tasks:
                task.doomed = task.doomed or task.name == "feed"
        self.disk.crash(power=power)

    def collect(self) -> None:
        if self.apart and not self.known():
            return
        try:
            manuscript = FileManuscript.open(self.out, Head(JOB, self.spec.encode(), "csv"))
            collector = Collector(
                self.ledger(), self.send, JOB, self.spec, manuscript, writer("csv", ()), self.settings,
                InProcessReferee(self.world), feeding=not self.apart, clock=self.world,
            )  # fmt: skip
            if not self.apart:
                self.feed = self.make_feed(lambda: collector.place)
            assert collector.run(threading.Event(), lambda _: None)
        except (OutputError, Incomplete) as error:
            self.advise(error)
            raise Killed from error
        manuscript.close()
        if self.feed is not None:
            self.feed.stop()
        self.world.finished = True

    def make_feed(self, origin: Callable[[], Place] | None) -> Feed:
        return Feed(
            self.ledger(), self.send, JOB, self.spec.encode(), self.records, chunk=self.spec.chunk,
            budget=int(self.settings.in_flight), beat=5, origin=origin, stay=origin is not None, clock=self.world,
        )  # fmt: skip

    def known(self) -> bool:
        """As the command that collects asks first; with the job gone, and nobody to submit it, one resumes instead."""
        try:
            known = self.ledger().scan(JOB) is not None
        except BrokerLost:
            return False
        self.apart = known or self.submitting
        return known

    def advise(self, error: Exception) -> None:
        """Do as the error says."""
        if self.apart and "gridmill submit" in str(error):
            self.submitting = True
        elif self.apart and "has lost job" in str(error) and "gridmill resume" in str(error):
            self.apart = self.submitting = False
        elif "No space" not in str(error):
            raise AssertionError from error

    def feeding(self) -> None:
        """The producer: a thread of the collector's process, or a process of its own that ends when all is enqueued."""
        self.immortal(self.feed_on)

    def feed_on(self) -> None:
        while not self.world.finished:
            if self.apart and self.submitting:
                self.submit()
            elif self.feed is not None and not self.apart:
                self.feed.run()
            self.world.pause(0.1)

    def submit(self) -> None:
        try:
            if self.submitted:
                self.ledger().view(JOB)
            self.submitted = True
            self.feed = self.make_feed(None)
            self.feed.run()
            self.submitting = False
        except (UnknownJob, Incomplete):
            self.submitting = False
        except BrokerLost:
            self.world.pause(1)
        self.feed = None

    def showing_life(self) -> None:
        while not self.world.finished:
            if self.apart and self.feed is not None:
                self.feed.show_life()
            self.world.pause(0.5)

    def work(self, kind: type[Wire]) -> None:
        """A worker's main process; its child may be killed, which it perhaps notices."""
        solving = Solving(self.settings, lambda: self.ledger(kind), self.world)
        had: list[Any] = []

        def body() -> None:
            if had and self.world.rng.random() < 0.5:
                solving.lost(*had[-1])
            had.clear()
            while not self.world.finished:
                message = self.receive()
                self.world.pause(0.5 if message is None or message[0] != JOB else 6 if self.world.odds(5) else 0)
                if message:
                    had.append(message)
                    solving.take(*had[-1])
                    had.clear()

        self.immortal(body)

    def receive(self) -> list[Any] | None:
        message = self.client.rpop(self.queue)
        if self.noisy and self.client.llen(self.queue) == 0:
            # Another job's messages on the same queue, which is never empty because of them.
            seq = self.client.incr(f"{self.settings.prefix}:seq")
            self.client.lpush(self.queue, json.dumps([OTHER_JOB, "0:0:1", seq]))
        return list(json.loads(message)) if message else None

    # -- trouble

    def happens(self) -> None:
        if self.world.finished:
            return
        if self.world.odds(1.5):
            self.strike()
        if self.world.rng.random() < 0.03:
            self.past = [*self.past[-20:], self.contents()]
            self.check()

    def strike(self) -> None:
        rng = self.world.rng
        blow = rng.choice(["kill", "kill", "freeze", "back", "flush", "trim"])
        spared = ("life",) if self.apart else ("life", "feed")
        task = rng.choice([task for task in self.world.tasks if task.name not in spared])
        if blow == "kill":
            task.doomed = True
        elif blow == "freeze":
            for each in self.world.tasks if rng.random() < 0.3 else [task]:
                each.wake = self.world.time + rng.choice([2, 20, 60])
        elif blow == "back" and self.past:
            del self.past[rng.randrange(len(self.past)) + 1 :]
            self.restore(self.past.pop())
        elif blow == "flush" and rng.random() < 0.3:
            self.past = []
            self.restore({})
        elif blow == "trim":
            for key in self.client.keys("*:answers"):
                for eid, _ in self.client.xrange(key, count=1):
                    self.client.xdel(key, eid)

    def contents(self) -> dict[bytes, Any]:
        read = {b"string": self.client.get, b"hash": self.client.hgetall, b"stream": self.client.xrange}
        read[b"list"] = lambda key: self.client.lrange(key, 0, -1)
        return {key: (kind := self.client.type(key), read[kind](key)) for key in self.client.keys("*")}

    def restore(self, contents: dict[bytes, Any]) -> None:
        """The server starts again, with an older state; some of its clients notice, others call again unseen."""
        self.client.flushall()
        for key, (kind, value) in contents.items():
            if kind == b"string":
                self.client.set(key, value)
            elif kind == b"hash":
                self.client.hset(key, mapping=value)
            elif kind == b"list":
                self.client.rpush(key, *value)
            else:
                for eid, fields in value:
                    self.client.xadd(key, fields, id=eid)
        self.broken = {task.name for task in self.world.tasks if self.world.rng.random() < 0.5}

    def check(self) -> None:
        """What holds at every moment, whatever happens."""
        snapshot = Ledger(self.client, self.settings.prefix, self.queue).scan(JOB)
        if snapshot is None:
            return
        answers = [self.client.xlen(key) for key in self.client.keys("*:answers")]
        assert sum(answers) <= len(snapshot.entries)
        assert len(self.client.keys(f"*{JOB}*:b:*")) <= len(snapshot.entries)
        assert snapshot.job.bytes_in_flight <= max(int(self.settings.in_flight), 2000)
        if snapshot.job.state != "open":
            assert not snapshot.entries


def random_records(rng: random.Random) -> Iterator[Record]:
    for line in range(1, rng.choice([0, 1, 5, 12, 20]) + 1):
        kind = rng.random()
        board = rng.choice(UNIQUE if kind < 0.5 else OTHERS if kind < 0.8 else [POISON] if kind < 0.84 else [""])
        yield Record(line, board or None, None if board else RUBBISH)


@pytest.fixture
def registry(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Solvers that remember, for this test alone."""
    monkeypatch.setitem(solvers._SOLVERS, "bitmask", DeadlyMemo)
    monkeypatch.setitem(solvers._SOLVERS, "sat", Opinion)
    child._solver.cache_clear()
    yield
    child._solver.cache_clear()


def expected(records: Sequence[Record], spec: Spec) -> bytes:
    """The output, made from the records without queue, chunks or workers."""
    chunk = Chunk.of(1, list(records))
    answers: list[Claim | Answer] = []
    for record in records:
        if record.board == POISON:
            answers.append(Answer(Status.FAILED, detail=FAILED_DETAIL))
        elif record.board is None:
            answers.append(Claim(None))
        else:
            answers.append(settle(Question("bitmask", False, spec.budget, pack(record.board), None)))
    made = writer("csv", ())
    return made.header() + made.rows(rows(chunk, answers))


@pytest.mark.timeout(0)
@pytest.mark.parametrize("seed", SEEDS)
def test_the_output_is_the_same_whatever_goes_wrong(
    seed: int, registry: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    simulation = Simulation(seed, tmp_path, monkeypatch)
    simulation.world.run()

    assert simulation.out.read_bytes() == simulation.expected
    assert [path.name for path in tmp_path.iterdir()] == ["out.csv"]
    simulation.check()
