"""Following a job from elsewhere: what is seen, and when it has ended."""

import os
import signal
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from threading import Event
from typing import NamedTuple

import pytest
import redis
from clocks import Hand
from dying import died_with

from collector.progress import Progress
from gridmill.chunk import Chunk, Record
from gridmill.embedded import Server
from gridmill.entry import Place
from gridmill.errors import BrokerLost, UnknownJob
from gridmill.job import WIRE, Spec
from gridmill.keys import Keys
from gridmill.ledger import Ledger
from gridmill.onlooker import Look, Onlooker, OnServer, OnThisMachine
from gridmill.settings import Settings
from gridmill.track import Track, Tracker, Tracks

JOB = "abcdefghjk"
BOARD = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
PATIENCE = 15.0
PERIOD = 0.001  # s between two looks
SPEC = Spec(WIRE, "bitmask", 1, False, 9, 9, "", (), ("puzzles.txt",)).encode()


class Source(NamedTuple):
    size: int | None
    position: int
    read: int


def begun(ledger: Ledger) -> Ledger:
    """Put a job there of which three records were sent, and two were collected."""
    for number, records in enumerate((2, 1)):
        if not number:
            ledger.create(JOB, "producer", SPEC, Place())
        chunk = Chunk.of(2 * number + 1, [Record(1, BOARD)] * records)
        place, after = Place(number, 2 * number), Place(number + 1, 2 * number + records)
        ledger.enqueue(JOB, "producer", place, chunk, after, 1_000_000)
    ledger.commit(JOB, "collector", Place(1, 2), b'{"unique":1,"none":1}', out="host:out.csv", own=True)
    return ledger


@pytest.fixture
def ledger(client: "redis.Redis", settings: Settings) -> Ledger:
    return begun(Ledger.of(client, settings))


@pytest.fixture
def tracks(tmp_path: Path) -> Tracks:
    return Tracks(tmp_path)


def readable(out: str) -> str:
    return ""


def progress(written: int) -> Progress:
    return Progress(written=written, enqueued=written + 5, counts=Counter(unique=written), job=JOB)


class Script:
    """Follows, and does one thing after another: each when a look has been shown."""

    def __init__(self, onlooker: Onlooker, *steps: Callable[[], object], stop: Event | None = None) -> None:
        self._steps = iter(steps)
        self.shown: list[Look] = []
        self.last = onlooker.follow(self._show, stop or Event(), PERIOD)

    def _show(self, look: Look) -> None:
        self.shown.append(look)
        next(self._steps, lambda: None)()

    @property
    def states(self) -> list[str]:
        return [look.state for look in self.shown]


def quiet(text: str) -> None:
    pytest.fail(f"nobody asked: {text}")


def test_a_server_knows_what_is_sent_and_what_is_safe_in_the_output(ledger: Ledger) -> None:
    seen = OnServer(ledger, JOB).look()
    assert seen == Look(JOB, "running", written=2, enqueued=3, total=None, counts={"unique": 1, "none": 1})


def test_the_total_is_known_when_all_is_sent(ledger: Ledger) -> None:
    ledger.close(JOB, "producer", 2)
    assert OnServer(ledger, JOB).look().total == 3


def test_looking_does_not_renew_a_job(ledger: Ledger, client: "redis.Redis") -> None:
    client.hset(Keys("gridmill").job(JOB), "renewed", 0)
    before = client.hgetall(Keys("gridmill").job(JOB))
    OnServer(ledger, JOB).look()
    assert client.hgetall(Keys("gridmill").job(JOB)) == before


@pytest.mark.parametrize("state", ["done", "cancelled"])
def test_a_job_is_followed_to_its_end(ledger: Ledger, state: str) -> None:
    written = (3, b'{"unique":3}') if state == "done" else ()
    script = Script(
        Onlooker(OnServer(ledger, JOB), PATIENCE, quiet), lambda: None, lambda: ledger.final(JOB, state, written)
    )
    assert script.states == ["running", "running", state]
    assert script.last.counts == ({"unique": 3} if state == "done" else {"unique": 1, "none": 1})


def test_a_job_that_nobody_knows_is_not_followed(ledger: Ledger) -> None:
    with pytest.raises(UnknownJob):
        Script(Onlooker(OnServer(ledger, "kjhgfedcba"), PATIENCE, quiet))


def test_a_job_that_becomes_unknown_is_lost_after_a_while(ledger: Ledger, clock: Hand) -> None:
    def forget() -> None:
        ledger.final(JOB, "cancelled")
        ledger.forget(JOB)

    def later() -> None:
        clock.now += PATIENCE + 1

    script = Script(Onlooker(OnServer(ledger, JOB), PATIENCE, quiet, clock), forget, later)
    assert script.states == ["running", "running", "lost"]
    assert script.last.written == 2


def test_a_job_that_is_made_again_is_followed_on(ledger: Ledger, client: "redis.Redis", clock: Hand) -> None:
    """As solve does on a server that has lost its data."""

    def again() -> None:
        clock.now += PATIENCE
        begun(ledger)

    def later() -> None:
        clock.now += PATIENCE

    onlooker = Onlooker(OnServer(ledger, JOB), PATIENCE, quiet, clock)
    script = Script(onlooker, client.flushall, again, later, client.flushall, lambda: begun(ledger).final(JOB, "done"))
    assert script.states == ["running"] * 5 + ["done"]


def test_whoever_is_told_to_stop_has_seen_no_end(ledger: Ledger) -> None:
    stop = Event()
    script = Script(Onlooker(OnServer(ledger, JOB), PATIENCE, quiet), stop.set, stop=stop)
    assert script.states == ["running"]
    assert ledger.view(JOB).state == "open"


def test_a_server_that_is_away_is_waited_for_and_that_is_said(tmp_path: Path) -> None:
    # Given a server that goes, and comes back when somebody says that it is away
    said = []
    with Server(tmp_path / "server", durable=True) as server:
        ledger = begun(Ledger.connect(Settings.load(broker=server.url)))

        def say(text: str) -> None:
            said.append(text.partition(":")[0])
            if len(said) == 1:
                server.restart()
            else:
                ledger.final(JOB, "done")

        # When
        last = Onlooker(OnServer(ledger, JOB), PATIENCE, say).follow(
            lambda _: None if said else os.kill(server.pid, signal.SIGTERM), Event(), PERIOD
        )
    # Then
    assert said == ["waiting for the server", "the server is back"]
    assert (last.state, last.written) == ("done", 2)


def test_a_server_that_is_away_from_the_start_is_an_error(tmp_path: Path) -> None:
    ledger = Ledger.connect(Settings.load(broker=f"unix://{tmp_path}/nowhere"))
    with pytest.raises(BrokerLost):
        Script(Onlooker(OnServer(ledger, JOB), PATIENCE, quiet))


def test_a_run_on_this_machine_is_followed_to_its_end(tracks: Tracks, clock: Hand) -> None:
    # Given
    tracker = Tracker(tracks, JOB, None, Source(1000, 250, 9), clock)
    tracker.note(progress(3))
    # When
    script = Script(
        Onlooker(OnThisMachine(tracks, JOB, readable), PATIENCE, quiet), lambda: tracker.end(progress(9), finished=True)
    )
    # Then
    assert script.states == ["running", "done"]
    first = script.shown[0]
    assert (first.written, first.enqueued, first.counts) == (3, 8, {"unique": 3})
    assert (first.size, first.position, first.read) == (1000, 250, 9)
    assert (script.last.written, script.last.enqueued) == (9, 14)


def test_a_run_that_is_stopped_is_unfinished(tracks: Tracks) -> None:
    tracker = Tracker(tracks, JOB, None)
    tracker.note(progress(3))
    view = OnThisMachine(tracks, JOB, readable)
    script = Script(Onlooker(view, PATIENCE, quiet), lambda: tracker.end(progress(9), finished=False))
    assert script.states == ["running", "unfinished"]


def test_a_run_that_was_killed_is_unfinished(tracks: Tracks) -> None:
    died_with(tracks, Track(JOB, ""))
    assert OnThisMachine(tracks, JOB, readable).look().state == "unfinished"


def test_a_run_that_nobody_knows_says_where_else_it_may_be(tracks: Tracks) -> None:
    with pytest.raises(UnknownJob, match=rf"no run on this machine is job {JOB}; .* --broker"):
        OnThisMachine(tracks, JOB, readable).look()


def test_a_run_goes_on_while_its_process_lives(tracks: Tracks) -> None:
    tracks.save(Track(JOB, "", written=7))
    assert OnThisMachine(tracks, JOB, readable).look() == Look(JOB, "running", 7, 0, None)


def test_a_job_of_another_release_is_followed_and_that_is_said(client: "redis.Redis", settings: Settings) -> None:
    ledger = Ledger.of(client, settings)
    spec = Spec(WIRE - 1, "bitmask", 1, False, 9, 9, "", (), ("puzzles.txt",))
    ledger.create(JOB, "producer", spec.encode(), Place())
    said: list[str] = []
    script = Script(Onlooker(OnServer(ledger, JOB), PATIENCE, said.append), lambda: ledger.final(JOB, "done"))
    assert script.states == ["running", "done"]
    (reason,) = said
    assert reason.startswith(f"another release made the job (wire version {WIRE - 1}")
    assert reason.endswith("; that release goes on with it")


def test_a_run_that_is_stopped_says_why_this_release_cannot_go_on_with_it(tracks: Tracks) -> None:
    died_with(tracks, Track(JOB, "/answers.csv"))
    assert OnThisMachine(tracks, JOB, "{} is of another release".format).look().unread == (
        "/answers.csv is of another release"
    )
