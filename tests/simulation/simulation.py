"""A job, its server and its processes, and all that may happen to them."""

import json
import re
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hostile.scribbler import DEEDS, Scribbler

from collector import intake
from collector.collect import Collector
from collector.journal import Head
from collector.manuscript import FileManuscript, part_of
from collector.repeats import Repeats
from gridmill import broker
from gridmill.entry import Place
from gridmill.errors import BrokerLost, Incomplete, OutputError, UnknownJob
from gridmill.finding import share
from gridmill.formats.output import writer
from gridmill.incidents import About, Incidents
from gridmill.job import WIRE, Spec
from gridmill.keys import Keys
from gridmill.ledger import Ledger
from gridmill.piece import Piece
from gridmill.settings import Settings
from gridmill.shelf import Shelf
from gridmill.testing import FakeBroker
from producer.feed import Feed
from worker.solving import Solving

from .aside import Aside
from .disk import Disk
from .job import BUDGET, Records, expected, random_questions, random_records
from .solvers import InProcessReferee
from .wire import LyingWire, Wire
from .world import Killed, World

JOB, OTHER_JOB = "2345678923", "3333333333"


class Simulation:
    """A job, its server and its processes."""

    def __init__(self, seed: int, folder: Path, patch: pytest.MonkeyPatch) -> None:
        self.world = world = World(seed)
        rng = world.rng
        self.records = Records(random_records(rng))
        audit = rng.choice([0.0, 0.3, 1.0])
        self.fake = FakeBroker(in_flight=rng.choice([300, 1000, 3000, 3000, 100_000]), audit=audit)
        self.settings: Settings = self.fake.settings
        self.client: Any = self.fake.client()
        self.queue = broker.queue_key(self.settings)
        read = self.client.xread
        # The world waits, not the client.
        patch.setattr(self.client, "xread", lambda streams, count, block: read(streams, count))
        asked, chunk = random_questions(rng), rng.choice([1, 2, 3, 5, 12])
        self.spec = Spec(WIRE, "bitmask", 1, False, BUDGET, chunk, "", (), ("in.txt",), asked=asked)
        patch.setattr(intake, "WAYS", rng.choice([2, 3, 16]))
        self.expected = expected(self.records, self.spec)
        self.incidents = Incidents(self.settings.state_dir, JOB, About("", "csv", b""))
        self.out = folder / "out.csv"
        self.disk = Disk(world, folder, self.expected, patch)
        self.broken: set[str] = set()
        self.overheard: list[str] = []  # tokens of honest workers
        self.past: list[dict[bytes, Any]] = []
        self.looked = 0.0
        self.feed: Feed | None = None
        world.happens = self.happens
        self.apart = rng.random() < 0.3
        self.submitting, self.submitted = self.apart, False
        world.start("collector", self.collecting)
        world.start("feed", self.feeding)
        world.start("life", lambda: self.immortal(self.showing_life))
        self.lied_to = rng.random() < 0.4
        self.honest: set[str] = set()  # names
        for number in range(rng.choice([0, 1, 2, 3] if self.lied_to else [1, 2, 3])):
            world.start(f"worker {number}", lambda: self.work(Wire))
        if self.lied_to:
            world.start("liar", lambda: self.work(LyingWire))
        self.noisy = rng.random() < 0.5
        self.spoilt = 0  # how often somebody deleted or wrote what is not his
        self.scribbles = rng.random() < 0.4
        self.scribbler = Scribbler(self.client, Keys(self.settings.prefix), self.queue, JOB, seed)

    def ledger(self, kind: type[Wire] = Wire) -> Wire:
        made = kind(self.client, self.settings.prefix, self.queue, self.world, self.broken, self.send)
        if isinstance(made, LyingWire):
            made.overheard, made.audited = self.overheard, self.settings.audit == 1
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
                # The producer's thread comes back with the collector's process.
                with_another = world.running.name == "feed" and not self.apart
                down = 0.1 if with_another else world.rng.choice([0.1, 1, 5, 20])
                died()

    def collecting(self) -> None:
        """The process of the collector, and of the producer too unless they are apart."""
        self.immortal(self.collect, lambda: self.crash(power=self.world.rng.random() < 0.5))

    def crash(self, *, power: bool = False) -> None:
        if not self.apart:
            self.feed = None
            for task in self.world.tasks:
                if task.name == "feed":
                    self.world.doom(task)
        self.disk.crash(power=power)

    def collect(self) -> None:
        if self.apart and not self.known():
            return
        try:
            head = Head(JOB, self.spec.encode(), "csv")
            manuscript = FileManuscript.open(self.out, head, aside=Aside(self.world))
            shelf = Shelf(self.settings.in_flight)
            asked, written = self.spec.asked, 0 if manuscript.state.done else manuscript.state.place.record
            collector = Collector(
                self.ledger(), JOB, self.spec, manuscript, writer("csv", (), asked), self.settings,
                InProcessReferee(self.world, alone=self.is_alone), self.incidents, feeding=not self.apart,
                repeats=Repeats.recalled(asked, part_of(self.out), written), shelf=shelf, clock=self.world,
                aside=Aside(self.world),
            )  # fmt: skip
            if not self.apart:
                self.feed = self.make_feed(lambda: collector.place, shelf)
            assert collector.run(threading.Event(), lambda _: None)
        except (OutputError, Incomplete) as error:
            self.advise(error)
            raise Killed from error
        manuscript.close()
        if self.feed is not None:
            self.feed.stop()
        self.world.finished = True

    def is_alone(self) -> bool:
        return not self.lied_to and not self.scribbles and self.spoilt < self.settings.lies

    def make_feed(self, origin: Callable[[], Place] | None, shelf: Shelf | None = None) -> Feed:
        budget = int(self.settings.in_flight * share(self.spec.asked))
        return Feed(
            self.ledger(), JOB, self.spec.encode(), self.records, chunk=self.spec.chunk,
            budget=budget, beat=5, origin=origin, stay=origin is not None, shelf=shelf, clock=self.world,
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
        elif self.apart and re.search("has lost job .*(gridmill resume|begin anew)", str(error)):
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
        if kind is Wire:
            self.honest.add(solving.identity.name)
            self.overheard.append(solving.identity.new_token())
        had: list[Any] = []

        def body() -> None:
            if had and self.world.rng.random() < 0.5:
                solving.lost(*had[-1])
            had.clear()
            while not self.world.finished:
                message = self.receive()
                is_ours = message is not None and message[:1] == [JOB]
                self.world.pause((6 if self.world.odds(5) else 0) if is_ours else 0.5)
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
        found = None
        with suppress(ValueError, RecursionError):
            found = json.loads(message) if message else None
        return found if isinstance(found, list) and len(found) == 3 else None  # else it is none of ours

    # -- trouble

    def happens(self) -> None:
        if self.world.finished:
            return
        if self.world.strikes():
            self.strike()
        if self.world.time > self.looked + 1:
            self.looked = self.world.time
            if not self.world.calm:  # then nothing goes back in time any more
                self.past = [*self.past[-20:], self.contents()]
            self.check()

    def strike(self) -> None:
        rng = self.world.rng
        blow = rng.choice(["kill", "kill", "freeze", "back", "back", "flush", "trim", "led", "scribble"])
        spared = ("life",) if self.apart else ("life", "feed")
        task = rng.choice([task for task in self.world.tasks if task.name not in spared])
        if blow == "kill":
            self.world.doom(task)
        elif blow == "freeze":
            for each in self.world.tasks if rng.random() < 0.3 else [task]:
                each.wake = self.world.time + rng.choice([1, 5, 20])
        elif blow == "back" and self.past:
            del self.past[rng.randrange(len(self.past)) + 1 :]
            self.restore(self.past.pop())
        elif blow == "flush" and rng.random() < 0.2:
            self.past = []
            self.restore({})
        elif blow == "scribble" and self.scribbles:
            self.spoilt += 1
            self.scribbler.scribble(DEEDS[rng.choice([*DEEDS.keys() - {"a flood of entries"}])])
        elif blow == "led":
            self.spoilt += 1
            self.client.delete(*self.client.keys("*:led"), b"none")
            self.client.delete(*self.client.keys("*:a:*"), b"none")
        elif blow == "trim":
            self.spoilt += 1
            self.client.delete(*sorted(self.client.keys("*:a:*"))[:1], b"none")

    def contents(self) -> dict[bytes, Any]:
        read = {b"string": self.client.get, b"hash": self.client.hgetall, b"set": self.client.smembers}
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
            elif kind == b"set":
                self.client.sadd(key, *value)
            else:
                self.client.rpush(key, *value)
        self.broken.update(task.name for task in self.world.tasks if self.world.rng.random() < 0.5)

    def check(self) -> None:
        """What holds at every moment, whatever happens."""
        snapshot = Ledger(self.client, self.settings.prefix, self.queue).scan(JOB)
        if snapshot is None:
            return
        answers = len(self.client.keys("*:a:*"))
        assert answers <= len(snapshot.entries) or self.spoilt
        chunks = len(self.client.keys(f"*{JOB}*:b:*"))
        assert chunks <= len(snapshot.entries) + len(snapshot.torn)
        assert snapshot.job.bytes_in_flight <= max(int(self.settings.in_flight), 2000)
        assert not self.honest & snapshot.job.refused.keys()
        if snapshot.job.state != "open":
            assert not snapshot.entries
