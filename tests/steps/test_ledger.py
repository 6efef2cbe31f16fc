"""Looking at a job, and a server in trouble."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event

import pytest
import redis

from gridmill import broker
from gridmill.embedded import Server
from gridmill.entry import Place
from gridmill.errors import BrokerError, BrokerFull, BrokerLost, UnknownJob
from gridmill.job import new_id
from gridmill.ledger import Ledger
from gridmill.piece import Piece
from gridmill.settings import Settings

from .rig import MINE, OTHER, Rig


def test_a_snapshot_has_the_length_of_the_queue(rig: Rig, settings: Settings) -> None:
    rig.fed(1)
    rig.client.lpush(broker.queue_key(settings), "message", "message")

    snapshot = rig.ledger.scan(rig.job)

    assert snapshot is not None
    assert snapshot.queued == 2


def test_what_waits_is_counted(rig: Rig, settings: Settings) -> None:
    rig.client.lpush(broker.queue_key(settings), "message", "message", "message")

    assert rig.ledger.waiting() == 3


def test_a_new_answer_wakes_who_waits_for_one(rig: Rig) -> None:
    rig.fed(1)
    rig.finish(0)

    assert rig.ledger.wait(rig.job, 0, 5)


def test_who_waits_sees_to_what_stirs_him_and_waits_on(rig: Rig) -> None:
    rig.fed(1)
    stirred, seen = Event(), []
    stirred.set()

    def see_to_it() -> bool:
        seen.append(stirred.is_set())
        rig.finish(0)
        return False

    assert rig.ledger.wait(rig.job, 0, 60, stirred, see_to_it)
    assert seen == [False]


def test_what_stirs_may_end_the_wait(rig: Rig) -> None:
    stirred = Event()
    stirred.set()

    assert not rig.ledger.wait(rig.job, 0, 60, stirred, lambda: True)


def test_who_waits_is_told_of_a_broken_connection_and_may_wait_anew(server: Server) -> None:
    settings, stirred = Settings.load(broker=server.url), Event()
    with broker.redis_client(settings) as client, broker.redis_client(settings) as admin:
        ledger = Ledger.of(client, settings)
        stirred.set()

        with pytest.raises(BrokerLost):
            ledger.wait(new_id(), 0, 0, stirred, lambda: not admin.client_kill_filter(_type="normal", skipme=True))

        assert not ledger.wait(new_id(), 0, 0)


def test_several_may_wait_at_once(rig: Rig) -> None:
    rig.fed(1)
    rig.finish(0)

    def waits(job: str) -> set[bool]:
        return {rig.ledger.wait(job, 0, 0) for _ in range(200)}

    with ThreadPoolExecutor(2) as threads:
        answered, unknown = threads.submit(waits, rig.job), threads.submit(waits, new_id())

    assert (answered.result(), unknown.result()) == ({True}, {False})


def test_waiting_ends_by_itself(rig: Rig) -> None:
    rig.fed(1)
    rig.finish(0)

    assert not rig.ledger.wait(rig.job, 1, 0.01)


def test_answers_that_are_gone_are_missing(rig: Rig) -> None:
    rig.fed(1)
    rig.finish(0)

    assert list(rig.ledger.answers(rig.job, {Piece(0, 0, 2): 1, Piece(0, 0, 1): 1})) == [Piece(0, 0, 2)]
    assert rig.ledger.answers(rig.job, {Piece(0, 0, 2): 2}) == {}
    assert rig.ledger.answers(rig.job, {}) == {}


@pytest.mark.parametrize("kind", ["b", "s"])
def test_a_chunk_of_which_a_part_is_gone_is_gone(rig: Rig, kind: str) -> None:
    rig.fed(1)
    rig.client.delete(*rig.client.keys(f"*:{kind}:0"))

    assert rig.ledger.chunk(rig.job, 0) is None


def test_a_job_that_the_server_does_not_know_is_no_empty_answer(rig: Rig) -> None:
    with pytest.raises(UnknownJob, match=f"knows no job {rig.job}"):
        rig.ledger.view(rig.job)
    assert rig.ledger.scan(rig.job) is None


def test_jobs_are_listed_the_oldest_first(rig: Rig, client: "redis.Redis", settings: Settings) -> None:
    rigs = [rig, Rig(client, settings), Rig(client, settings)]
    for each in rigs:
        each.create()

    assert rig.ledger.jobs() == [each.job for each in rigs]


def age(rig: Rig) -> None:
    """Let an hour pass since the last step."""
    key = rig.client.keys("*:job")[0]
    rig.client.hset(key, "renewed", float(rig.client.hget(key, "renewed")) - 3600)  # type: ignore[arg-type]


RENEWALS: dict[str, tuple[Callable[[Rig], object], bool]] = {
    "enqueue": (lambda rig: rig.enqueue(2), True),
    "begin": (lambda rig: rig.begin(0, 1), True),
    "look of the collector": (lambda rig: rig.ledger.scan(rig.job, MINE), True),
    "look of another": (lambda rig: rig.ledger.scan(rig.job, OTHER), False),
    "view": (lambda rig: rig.ledger.view(rig.job), False),
}


@pytest.mark.parametrize("step", RENEWALS)
def test_a_step_renews_the_job_and_a_look_from_outside_does_not(rig: Rig, step: str) -> None:
    rig.fed(2)
    rig.commit(0, own=True)
    began = rig.ledger.view(rig.job).renewed
    age(rig)

    take, renews = RENEWALS[step]
    take(rig)

    renewed = rig.ledger.view(rig.job).renewed
    assert renewed >= began if renews else renewed == began - 3600


@pytest.fixture(params=["server", "oldest_server"])
def full(request: pytest.FixtureRequest) -> Iterator[Rig]:
    """A job on a real server, new or old, that is at its memory limit."""
    server: Server = request.getfixturevalue(request.param)
    settings = Settings.load(broker=server.url)
    with broker.redis_client(settings) as client:
        client.flushall()
        rig = Rig(client, settings).fed(3)
        rig.begin(0, 1)
        rig.finish(0)
        client.config_set("maxmemory", 1)
        yield rig
        client.config_set("maxmemory", 0)


def test_a_full_server_takes_no_chunk_and_says_what_to_do(full: Rig) -> None:
    with pytest.raises(BrokerFull, match="GRIDMILL_IN_FLIGHT"):
        full.enqueue(3)


def test_what_a_step_is_refused_on_a_full_server_says_what_to_do(full: Rig) -> None:
    with pytest.raises(BrokerFull, match="GRIDMILL_IN_FLIGHT"):
        full.ledger.create(new_id(), MINE, b"spec", Place())


def test_a_collector_attaches_to_a_full_server_and_makes_room(full: Rig) -> None:
    assert full.commit(0, own=True) == "ok"
    assert full.commit(1) == "ok"
    assert full.ledger.chunk(full.job, 0) is None
    assert full.ledger.view(full.job).collector == MINE


def test_a_full_server_brings_its_scripts_back_and_gives_answers(full: Rig) -> None:
    """Or no room would ever be made."""
    full.client.script_flush()

    assert full.commit(0, own=True) == "ok"
    assert full.ledger.answers(full.job, {Piece(0, 0, 2): 1})[Piece(0, 0, 2)].reply == b"reply"


def test_a_full_server_can_be_looked_at_although_the_job_is_old(full: Rig) -> None:
    full.commit(0, own=True)
    full.client.config_set("maxmemory", 0)
    age(full)
    full.client.config_set("maxmemory", 1)

    assert full.ledger.scan(full.job, MINE) is not None
    assert full.commit(1) == "ok"


def test_a_job_on_a_full_server_can_be_ended(full: Rig) -> None:
    assert full.ledger.final(full.job, "cancelled") == "cancelled"
    assert full.ledger.view(full.job).state == "cancelled"


def test_an_answer_is_rejected_on_a_full_server(full: Rig) -> None:
    assert full.requeue(0, lie=True) == 4


def test_a_piece_is_split_on_a_full_server(full: Rig) -> None:
    full.client.config_set("maxmemory", 0)
    full.begin(1, 2)
    full.client.config_set("maxmemory", 1)

    assert full.ledger.split(full.job, Piece(1, 0, 2), full.entry(1), Piece(1, 0, 2).parts(2)) == [4, 5]


def test_a_server_that_forgot_its_scripts_is_given_them_again(rig: Rig) -> None:
    rig.fed(1)
    rig.client.script_flush()

    assert rig.enqueue(1).said == "ok"


def test_a_server_that_is_not_there_is_lost_for_now(tmp_path: Path) -> None:
    settings = Settings.load(broker=f"redis+socket://{tmp_path}/none.sock?virtual_host=0")

    with pytest.raises(BrokerLost, match="connection to the server broke"):
        Ledger.connect(settings).view("2345678923")


@pytest.mark.parametrize(
    "answer", ["LOADING in memory", "BUSY script", "READONLY replica", "MISCONF disk", "NOREPLICAS"]
)
def test_a_server_that_cannot_answer_now_is_lost_for_now(rig: Rig, answer: str) -> None:
    error = redis.ResponseError(answer)

    with pytest.raises(BrokerLost):
        rig.ledger._server.call(lambda _: raising(error))


def test_a_server_that_refuses_the_user_is_no_use_at_all(rig: Rig) -> None:
    with pytest.raises(BrokerError, match="ACL") as caught:
        rig.ledger._server.call(lambda _: raising(redis.exceptions.NoPermissionError("no permissions")))
    assert not isinstance(caught.value, BrokerLost)


def test_a_step_that_the_server_does_not_understand_is_an_error(rig: Rig) -> None:
    rig.client.set(rig.client.keys("*:led")[0] if rig.fed(1) else "", "text")

    with pytest.raises(BrokerError, match=r"refused BEGIN of .*:led, ") as caught:
        rig.begin(0, 1)
    assert not isinstance(caught.value, BrokerLost)


def raising(error: Exception) -> None:
    raise error
