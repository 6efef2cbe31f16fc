"""The ledger's model: random steps, repeated and stale ones among them, on a server that may go back in time.

The scripts are driven beside a model in Python and must say and hold what it does. `Model` is the protocol in its
shortest form; what must always be true of it stands in `Machine.check`. GRIDMILL_MODEL_EXAMPLES=2000 makes a long run.
"""

import os
from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest
import redis
from hypothesis import HealthCheck, strategies
from hypothesis import settings as profile
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from gridmill.board import PACKED
from gridmill.entry import Entry, Snapshot
from gridmill.job import new_id
from gridmill.ledger import Ledger
from gridmill.piece import Piece
from gridmill.said import Blame
from gridmill.settings import Settings

from .model import BUDGETS, CUTS, PLACES, Job, Model, whole

EXAMPLES = int(os.environ.get("GRIDMILL_MODEL_EXAMPLES", "25"))  # walks of STEPS steps, on each server; a third of
# them on fakeredis, which takes twice as long for one and is nobody's server
STEPS = 80
HISTORY = 25  # states that the server may go back to

TOKENS = strategies.sampled_from(["", "", "", "t1", "t2"])  # empty: the right one
NUMBERS = strategies.integers(0, len(CUTS))
WHICH = strategies.integers(0, 9)  # of the pieces in flight; of all that could be when there are none, or for 9
WORKERS = strategies.sampled_from(["h/1/2/w1/x", "h/1/2/w2/x"])
LIES = strategies.sampled_from([None, None, Blame(), Blame("w1", "h/1", 2)])
AHEAD = strategies.sampled_from([0, 0, 0, 0, -1, 1, -2])  # of the place that is expected


NEW = "q 1 0 0 0 0 -"
NO_LINES = ["x", "q 999999 0 0 0 0 -"]
# A piece, given one of those in flight, and what somebody writes about it; empty: its entry is deleted.
FORGERIES: dict[str, Callable[[Piece], tuple[Piece, str]]] = {
    "deleted": lambda piece: (piece, ""),
    "no entry": lambda piece: (piece, NO_LINES[0]),
    "a number that was never handed out": lambda piece: (piece, NO_LINES[1]),
    "the whole": lambda piece: (whole(piece.chunk), NEW),
    "a part": lambda piece: (Piece(piece.chunk, 0, 1), NEW),
}


class Machine(RuleBasedStateMachine):
    """Every rule takes one step on the server and on the model; both must say the same."""

    def __init__(self, client: "redis.Redis", settings: Settings) -> None:
        super().__init__()
        self.client: Any = client
        self.client.flushall()
        self.ledger = Ledger.of(client, settings)
        self.name = new_id()
        self.model = Model()
        self.past: list[tuple[Model, dict[bytes, Any]]] = []
        self.seen: list[tuple[Piece, Entry]] = []  # what the collector has seen, perhaps long ago
        self.highest = 0  # the cursor, since the server last went back in time

    @initialize()
    def begin_with_a_job(self) -> None:
        self.create("t1", 0)

    @property
    def producer(self) -> str:
        return self.model.job.producer if self.model.job else "t1"

    def pick(self, which: int) -> Piece:
        pieces = sorted(self.model.entries) if which < 9 else []
        return pieces[which % len(pieces)] if pieces else whole(which % len(CUTS))

    @rule(token=strategies.sampled_from(["t1", "t1", "t2"]), start=NUMBERS)
    def create(self, token: str, start: int) -> None:
        said = self.ledger.create(self.name, token, b"spec", PLACES[start])
        assert said.said == self.model.create(token, start)
        if said.said == "ok":
            assert (said.place, said.generation) == (PLACES[self.model.open.next], self.model.open.generation)

    @rule(token=TOKENS, ahead=AHEAD, budget=strategies.sampled_from(BUDGETS))
    def enqueue(self, token: str, ahead: int, budget: int) -> None:
        token = token or self.producer
        expected = self.model.job.next if self.model.job else 0
        number = min(max(expected + ahead, 0), len(CUTS) - 1)
        made = CUTS[number]
        said = self.ledger.enqueue(self.name, token, made.at, made.chunk, made.after, budget)
        assert said.said == self.model.enqueue(token, number, budget)
        if said.said == "ok":
            assert said.seq == self.model.entries[whole(number)].seq
            assert self.model.bytes <= budget or self.model.open.cursor == number or number < expected
        if said.said == "rewind":
            assert said.place == PLACES[self.model.open.next]

    @rule(token=TOKENS, number=NUMBERS, right=strategies.booleans())
    def close(self, token: str, number: int, right: bool) -> None:
        token = token or self.producer
        number = self.model.job.next if right and self.model.job else number
        assert self.ledger.close(self.name, token, number).said == self.model.close(token, number)

    @rule(which=WHICH, seq=strategies.integers(0, 30), token=WORKERS)
    def begin(self, which: int, seq: int, token: str) -> None:
        piece = self.pick(which)
        seq = seq or (self.model.entries[piece].seq if piece in self.model.entries else 1)
        begun = self.ledger.begin(self.name, piece, seq, token)
        assert begun.said == self.model.begin(piece, seq, token)
        boards = CUTS[piece.chunk].chunk.boards[PACKED * piece.lo : PACKED * piece.hi]
        assert begun.boards == (boards if begun.said == "ok" else b"")

    @rule(which=WHICH, token=WORKERS)
    def finish(self, which: int, token: str) -> None:
        piece = self.pick(which)
        said = self.ledger.finish(self.name, piece, token, b"hash", b"reply")
        assert said == self.model.finish(piece, token)

    @rule(which=WHICH, token=WORKERS)
    def beat(self, which: int, token: str) -> None:
        piece = self.pick(which)
        assert self.ledger.beat(self.name, piece, token) == self.model.beat(piece, token)

    @rule(which=WHICH, off=strategies.sampled_from([0, 0, 1]), back=strategies.booleans())
    def lost(self, which: int, off: int, back: bool) -> None:
        piece = self.pick(which)
        seq = off + (self.model.entries[piece].seq if piece in self.model.entries else 1)
        assert self.ledger.lost(self.name, piece, seq, back=back) == self.model.lost(piece, seq, back)

    @rule()
    def look(self) -> None:
        """As the collector does before it judges: what it sees may be old when it acts."""
        snapshot = self.ledger.scan(self.name)
        self.seen = list(snapshot.entries.items()) if snapshot else []

    @precondition(lambda self: self.seen)
    @rule(which=strategies.integers(0, 10), lie=LIES)
    def requeue(self, which: int, lie: Blame | None) -> None:
        piece, entry = self.seen[which % len(self.seen)]
        assert self.ledger.requeue(self.name, piece, entry, lie) == self.model.requeue(piece, entry, lie)

    @rule(which=WHICH, deed=strategies.sampled_from(["none", *FORGERIES]), dice=strategies.integers(0, 3))
    def write_by_hand(self, which: int, deed: str, dice: int) -> None:
        """And what that tears is restored."""
        pieces, (led,) = sorted(self.model.entries), self.client.keys("*:led") or [b"none"]
        if dice == 3 and pieces and deed in FORGERIES:
            piece, line = FORGERIES[deed](pieces[which % len(pieces)])
            self.drop_answer(piece)
            if line:
                self.client.hset(led, str(piece), line)
                self.model.entries[piece] = Entry("q", 1, 0, 0, False, 0, "-")
            else:
                self.client.hdel(led, str(piece))
            if not line or line in NO_LINES:
                self.model.entries.pop(piece, None)
        assert self.ledger.restore(self.name, 0) == self.model.restore()

    def drop_answer(self, piece: Piece) -> None:
        """Nobody would know of it any more."""
        for key in self.client.keys(f"*:a:{piece}:*"):
            self.client.delete(key)
            self.client.srem(self.client.keys("*:answers")[0], key.split(b":a:")[1])

    @rule(dice=strategies.integers(0, 20))
    def lose_the_ledger(self, dice: int) -> None:
        if dice == 5:
            names = [name for kind in ("led", "a:*", "answers") for name in self.client.keys(f"*:{kind}")]
            self.client.delete(*names, b"none")
            self.model.entries = {}
            assert self.ledger.restore(self.name, 0) == self.model.restore()

    @precondition(lambda self: self.seen)
    @rule(which=strategies.integers(0, 10))
    def split(self, which: int) -> None:
        piece, entry = self.seen[which % len(self.seen)]
        parts = piece.parts(2)
        if len(parts) > 1:
            assert self.ledger.split(self.name, piece, entry, parts) == self.model.split(piece, entry, parts)

    @rule(token=TOKENS, ahead=AHEAD, own=strategies.booleans(), out=strategies.sampled_from(["a", "a", "a", "b"]))
    def commit(self, token: str, ahead: int, own: bool, out: str) -> None:
        job = self.model.job
        token = token or (job.collector if job and job.collector else "t1")
        to = min(max((job.cursor if job else 0) + ahead, 0), len(CUTS))
        said = self.ledger.commit(self.name, token, PLACES[to], b"{}", out=out, own=own)
        assert said == self.model.commit(token, to, own, out)

    @rule(dice=strategies.integers(0, 30), state=strategies.sampled_from(["done", "cancelled"]))
    def final(self, dice: int, state: str) -> None:
        if dice == 5:  # seldom, or nothing else would ever happen
            assert self.ledger.final(self.name, state) == self.model.final(state)

    @precondition(lambda self: self.model.refusal not in ("", "nojob"))
    @rule()
    def forget(self) -> None:
        assert self.ledger.forget(self.name) == self.model.refusal
        self.model.job, self.highest = None, 0

    @precondition(lambda self: self.past)
    @rule(dice=strategies.integers(0, 9), back=strategies.integers(1, HISTORY))
    def go_back_in_time(self, dice: int, back: int) -> None:
        if dice == 5:
            del self.past[len(self.past) - min(back, len(self.past)) + 1 :]
            self.model, contents = self.past.pop()
            self.restore(contents)
            self.highest = 0

    @rule(dice=strategies.integers(0, 30))
    def lose_everything(self, dice: int) -> None:
        if dice == 5:
            self.client.flushall()
            self.model, self.highest = Model(), 0

    @invariant()
    def check(self) -> None:
        """The server holds what the model does, and what it holds can be trusted."""
        self.past = [*self.past[1 - HISTORY :], (deepcopy(self.model), self.contents())]
        snapshot, job = self.ledger.scan(self.name), self.model.job
        if snapshot is None or job is None:
            assert snapshot is None
            assert job is None
            return
        view = snapshot.job
        assert (view.state, view.total, view.bytes_in_flight) == (job.state, job.total, self.model.bytes)
        assert (view.place, view.cursor, view.written) == (PLACES[job.next], job.cursor, PLACES[job.cursor].record)
        assert view.refused == job.refused
        assert (snapshot.torn, snapshot.scribbled) == ((), False)
        assert (view.producer, view.collector, view.out) == (job.producer, job.collector, job.out)
        assert snapshot.mark == self.model.mark
        assert snapshot.entries == self.model.entries
        self.check_answers(snapshot)
        self.check_chunks(job)
        assert job.cursor >= self.highest
        self.highest = job.cursor

    def check_answers(self, snapshot: Snapshot) -> None:
        """One answer for each answered piece, and no other; the set of their names says the same.

        A chunk that was born answered has none, unless it was restored and somebody has finished it.
        """
        answered = {f"{piece}:{entry.seq}": piece for piece, entry in snapshot.entries.items() if entry.state == "a"}
        found = {key.decode().split(":a:")[1] for key in self.client.keys("*:a:*")}
        assert found <= answered.keys()
        assert all(not CUTS[answered[name].chunk].chunk.has_work for name in answered.keys() - found)
        assert {
            name.decode() for name in self.client.smembers(next(iter(self.client.keys("*:answers")), "none"))
        } == found

    def check_chunks(self, job: Job) -> None:
        """The chunks in flight are there, as the input has them, and nothing else is."""
        in_flight = range(job.cursor, job.next) if job.state == "open" else range(0)
        assert len(self.client.keys("*:b:*")) == len(self.client.keys("*:s:*")) == len(in_flight)
        assert all(self.ledger.chunk(self.name, number) == CUTS[number].chunk for number in in_flight)
        pieces = sorted(self.model.entries)
        assert sorted({piece.chunk for piece in pieces}) == list(in_flight)
        for number in in_flight:  # each record is in one piece
            records = [record for piece in pieces if piece.chunk == number for record in range(piece.lo, piece.hi)]
            assert records == list(range(len(CUTS[number].chunk)))

    def contents(self) -> dict[bytes, Any]:
        keys = self.client.keys("*")
        with self.client.pipeline(transaction=False) as pipe:
            for key in keys:
                pipe.type(key)
            read = {b"string": pipe.get, b"hash": pipe.hgetall, b"set": pipe.smembers}
            for key, kind in zip(keys, pipe.execute(), strict=True):
                read[kind](key)
            return dict(zip(keys, pipe.execute(), strict=True))

    def restore(self, contents: dict[bytes, Any]) -> None:
        self.client.flushall()
        for key, value in contents.items():
            if isinstance(value, bytes):
                self.client.set(key, value)
            elif isinstance(value, dict):
                self.client.hset(key, mapping=value)
            else:
                self.client.sadd(key, *value)


@pytest.mark.timeout(0 if EXAMPLES > 100 else 300)
def test_the_steps_do_what_the_model_does(
    client: "redis.Redis", settings: Settings, request: pytest.FixtureRequest
) -> None:
    is_fake = request.node.callspec.params["place"] == "fakeredis"
    run_state_machine_as_test(
        lambda: Machine(client, settings),  # type: ignore[arg-type]  # any function that makes one does
        settings=profile(
            max_examples=EXAMPLES // 3 if is_fake else EXAMPLES,
            stateful_step_count=STEPS,
            deadline=None,
            suppress_health_check=list(HealthCheck),
            database=None,
        ),
    )
