"""The users of examples/users.acl on a real server: each role does its whole job, and nothing else.

That a worker's user may read the boards and not write them is what "no worker is believed" rests on.
"""

import csv
import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
import redis
from users import FILE, PASSWORD, served, url

from gridmill import broker
from gridmill.badge import Badge
from gridmill.chunk import Chunk, Record
from gridmill.doctor import rights
from gridmill.doctor.finding import Grade
from gridmill.entry import Place
from gridmill.errors import BrokerError, BrokerLost
from gridmill.generate import generate
from gridmill.job import WIRE, Spec
from gridmill.keys import Keys
from gridmill.ledger import Ledger
from gridmill.piece import Piece
from gridmill.settings import Settings

ROLES = ("producer", "worker", "collector", "monitor")
JOB = "abcdefghjk"
PIECE = Piece(0, 0, 1)
KEYS = Keys("gridmill")
QUEUE = "gridmill:mq:gridmill"
PUZZLES = list(generate(50, seed=3))
BOARD = PUZZLES[0][0]
LIMIT = 30  # seconds for a worker to stop

Command = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The socket of a server that has the users of the file."""
    with served(tmp_path_factory.mktemp("users")) as socket:
        yield socket


@pytest.fixture
def admin(place: Path, wait_until: Callable[..., None]) -> Iterator["redis.Redis"]:
    """A client that may do everything, on the empty server."""
    with broker.redis_client(Settings.load(broker=url(place, "admin"))) as client:
        wait_until(lambda: answers(client), "the server answers")
        client.flushall()
        client.script_flush()
        client.acl_log_reset()
        yield client


def answers(client: "redis.Redis") -> bool:
    try:
        return bool(client.ping())
    except redis.ConnectionError:
        return False


@pytest.fixture
def ledgers(place: Path, admin: "redis.Redis") -> dict[str, Ledger]:
    """The ledger of each role, with one job that has one piece, number 1."""
    found = {role: Ledger.connect(Settings.load(broker=url(place, role))) for role in (*ROLES, "admin")}
    found["producer"].create(JOB, "producer", b"spec", Place())
    chunk = Chunk.of(1, [Record(1, BOARD)])
    assert found["producer"].enqueue(JOB, "producer", Place(), chunk, Place(1, 1, b"c" * 16), 1_000_000).seq == 1
    return found


@pytest.fixture
def worker(place: Path, ledgers: dict[str, Ledger]) -> Iterator["redis.Redis"]:
    """A client that is a worker's, beside the job of `ledgers`."""
    with broker.redis_client(Settings.load(broker=url(place, "worker"))) as client:
        yield client


def test_a_whole_job_runs_under_the_users_and_none_of_them_is_refused_anything(
    place: Path, admin: "redis.Redis", start: Any, command: Command, tmp_path: Path
) -> None:
    (tmp_path / "in.txt").write_text("".join(f"{puzzle}\n" for puzzle, _ in PUZZLES))
    work = start("work", "--broker", url(place, "worker"))
    job = command("submit", "--quiet", "in.txt", "--broker", url(place, "producer")).stdout.strip()
    collected = command("collect", job, "-o", "out.csv", "--broker", url(place, "collector"))
    assert collected.returncode == 0, collected.stderr
    assert f"{job}  done" in command("status", "--broker", url(place, "monitor")).stdout
    assert command("watch", job, "--broker", url(place, "monitor")).returncode == 0
    work.terminate()
    assert work.wait(LIMIT) == 0
    with (tmp_path / "out.csv").open(newline="") as file:
        assert [(row["puzzle"], row["solution"]) for row in csv.DictReader(file)] == PUZZLES
    assert refusals(admin) == []


def test_the_collector_ends_and_clears_up_jobs(place: Path, ledgers: dict[str, Ledger], command: Command) -> None:
    broker = url(place, "collector")
    assert command("cancel", JOB, "--broker", broker).stdout == f"job {JOB} is cancelled\n"
    assert f"the record of job {JOB}" in command("clean", "--broker", broker).stdout


def refusals(admin: "redis.Redis") -> list[str]:
    return [f"{entry['username']}: {entry['object']}" for entry in admin.acl_log()]


def test_a_worker_does_all_its_steps(ledgers: dict[str, Ledger], admin: "redis.Redis") -> None:
    ledger = ledgers["worker"]
    ledger.decline(JOB, 1, "another version")
    assert ledger.begin(JOB, PIECE, 1, "w").said == "ok"
    assert ledger.beat(JOB, PIECE, "w")
    assert ledger.lost(JOB, PIECE, 1)
    assert ledger.finish(JOB, PIECE, "w", b"hash", b"reply") == "ok"
    assert ledger.view(JOB).declined == "another version"
    assert refusals(admin) == []


@pytest.mark.parametrize("words", [("submit", "in.txt"), ("collect", JOB, "-o", "out.csv")], ids=["submit", "collect"])
def test_a_worker_who_is_sent_for_somebody_else_hears_whose_user_it_takes(
    words: tuple[str, ...], place: Path, ledgers: dict[str, Ledger], command: Command, tmp_path: Path
) -> None:
    (tmp_path / "in.txt").write_text(f"{BOARD}\n")
    spec = Spec(WIRE, "bitmask", 1, False, 1, 1, "", (), ())
    ledgers["admin"].final(JOB, "cancelled")
    ledgers["admin"].forget(JOB)
    ledgers["producer"].create(JOB, "producer", spec.encode(), Place())

    ended = command(*words, "--broker", url(place, "worker"))

    assert ended.returncode == 3
    assert "submit needs the user of a producer, collect that of a collector" in ended.stderr


def test_a_job_that_nobody_has_cared_for_is_served_although_a_worker_may_not_renew_it(
    ledgers: dict[str, Ledger], admin: "redis.Redis"
) -> None:
    admin.hset(KEYS.job(JOB), "renewed", 1)
    assert ledgers["worker"].begin(JOB, PIECE, 1, "w").said == "ok"


def test_a_worker_waits_for_steps_that_the_server_has_forgotten(ledgers: dict[str, Ledger], admin: Any) -> None:
    admin.script_flush()
    with pytest.raises(BrokerLost, match="may not load them"):
        ledgers["worker"].begin(JOB, PIECE, 1, "w")
    ledgers["collector"].commit(JOB, "collector", Place(), b"{}", out="host:out.csv", own=True)
    assert ledgers["worker"].begin(JOB, PIECE, 1, "w").said == "ok"


@pytest.mark.parametrize("role", ["worker", "collector", "monitor"])
def test_who_has_to_look_at_jobs_may(role: str, ledgers: dict[str, Ledger]) -> None:
    """A worker's health is seen by them, and its supervisor finds there what a dead one had begun."""
    snapshot = ledgers[role].scan(JOB)
    assert snapshot is not None
    assert list(snapshot.entries) == [PIECE]


FORBIDDEN: dict[str, tuple[object, ...]] = {
    "write boards": ("SET", KEYS.boards(JOB, 0), "x"),
    "write a part of boards": ("SETRANGE", KEYS.boards(JOB, 0), 0, "x"),
    "write boards by a command that it has": ("INCRBY", KEYS.boards(JOB, 0), 1),
    "copy over boards": ("COPY", KEYS.mark, KEYS.boards(JOB, 0)),
    "rename something to boards": ("RENAME", KEYS.mark, KEYS.boards(JOB, 0)),
    "delete boards": ("DEL", KEYS.boards(JOB, 0)),
    "let boards expire": ("EXPIRE", KEYS.boards(JOB, 0), 1),
    "read side data": ("GETRANGE", KEYS.side(JOB, 0), 0, -1),
    "write side data": ("SET", KEYS.side(JOB, 0), "x"),
    "change the record of a job": ("HSET", KEYS.job(JOB), "state", "done"),
    "take over as the collector": ("HSET", KEYS.job(JOB), "ctok", "w"),
    "add a job": ("HSET", KEYS.jobs, "zzzzzzzzzz", 1),
    "hand out numbers": ("INCRBY", KEYS.seq, 1),
    "make the mark anything but a number": ("SET", KEYS.mark, "x"),
    "read answers of others": ("GETRANGE", KEYS.answer(JOB, "0:0:1:1"), 0, -1),
    "write answers of others": ("SET", KEYS.answer(JOB, "0:0:1:1"), "x"),
    "rename something to answers of others": ("RENAME", KEYS.answer(JOB, "draft"), KEYS.answer(JOB, "0:0:1:1")),
    "rename answers of others": ("RENAMENX", KEYS.answer(JOB, "0:0:1:1"), KEYS.answer(JOB, "draft")),
    "delete answers of others": ("DEL", KEYS.answer(JOB, "0:0:1:1")),
    "forget answers of others": ("SREM", KEYS.answers(JOB), "0:0:1:1"),
    "delete a ledger": ("DEL", KEYS.led(JOB)),
    "take entries out of a ledger": ("HDEL", KEYS.led(JOB), str(PIECE)),
    "delete the queue": ("DEL", QUEUE),
    "read the whole queue": ("LRANGE", QUEUE, 0, -1),
    "touch what is not gridmill's": ("GET", "other"),
    "list keys": ("KEYS", "*"),
    "go through keys": ("SCAN", 0),
    "empty the server": ("FLUSHALL",),
    "empty a database": ("FLUSHDB",),
    "swap databases": ("SWAPDB", 0, 1),
    "run a script of its own": ("EVAL", "while true do end", 0),
    "bring a script": ("SCRIPT", "LOAD", "return 1"),
    "forget scripts": ("SCRIPT", "FLUSH"),
    "bring a function": ("FUNCTION", "LOAD", "#!lua name=l\nredis.register_function('f', function() end)"),
    "change the server": ("CONFIG", "SET", "maxmemory", "1"),
    "read the server's settings": ("CONFIG", "GET", "*"),
    "change users": ("ACL", "SETUSER", "gridmill-worker", "+@all"),
    "see what others send": ("MONITOR",),
    "see which keys others change": ("CLIENT", "TRACKING", "ON", "BCAST"),
    "see who is connected": ("CLIENT", "LIST"),
    "cut others off": ("CLIENT", "KILL", "TYPE", "normal"),
    "stop the server": ("SHUTDOWN", "NOSAVE"),
    "have it follow another server": ("REPLICAOF", "127.0.0.1", "1"),
    "copy all data": ("SYNC",),
    "write files": ("SAVE",),
    "listen to everything": ("PSUBSCRIBE", "*"),
}


@pytest.mark.parametrize("words", FORBIDDEN.values(), ids=FORBIDDEN.keys())
def test_a_worker_cannot(words: tuple[object, ...], worker: Any) -> None:
    with pytest.raises(redis.exceptions.NoPermissionError):
        worker.execute_command(*words)


def test_no_step_of_another_role_works_for_a_worker(ledgers: dict[str, Ledger]) -> None:
    """They are loaded, and it may call them; but each does only what its caller may."""
    worker, before = ledgers["worker"], ledgers["monitor"].scan(JOB)
    server, chunk = worker._server, Chunk.of(2, [Record(2, BOARD)])
    for step in (
        lambda: worker._server.run(
            "create", [KEYS.job("zzzzzzzzzz"), KEYS.jobs], ["w", "zzzzzzzzzz", b"", 0, 0, b"", 0]
        ),
        lambda: worker.enqueue(JOB, "producer", Place(1, 1, b"c" * 16), chunk, Place(2, 2, b"d" * 16), 1_000_000),
        lambda: worker.close(JOB, "producer", 1),
        lambda: worker.feeding(JOB, "producer"),
        lambda: server.run(
            "commit",
            [KEYS.job(JOB), KEYS.led(JOB), KEYS.answers(JOB)],
            ["w", 1, 0, 0, b"", b"", "o", KEYS.boards(JOB), KEYS.side(JOB), KEYS.answer(JOB)],
        ),
        lambda: worker.final(JOB, "cancelled"),
    ):
        with pytest.raises(BrokerError, match=r"refuses this user .*check the password"):
            step()
    assert ledgers["monitor"].scan(JOB) == before


@pytest.mark.parametrize("role", ["producer", "collector", "monitor"])
@pytest.mark.parametrize("words", [("FLUSHALL",), ("KEYS", "*"), ("CONFIG", "GET", "*"), ("GET", "other")], ids=str)
def test_nobody_can_do_what_no_role_needs(role: str, words: tuple[str, ...], place: Path, admin: Any) -> None:
    client: Any = broker.redis_client(Settings.load(broker=url(place, role)))
    with client, pytest.raises(redis.exceptions.NoPermissionError):
        client.execute_command(*words)


@pytest.mark.parametrize("role", ["producer", "collector"])
def test_who_sends_pieces_adds_them_to_the_queue_and_has_nothing_else_of_celery(
    role: str, place: Path, ledgers: dict[str, Ledger], admin: Any
) -> None:
    ledgers[role].send(JOB, PIECE, 1)
    assert admin.llen(QUEUE) == 1
    client: Any = broker.redis_client(Settings.load(broker=url(place, role)))
    for words in (("SMEMBERS", "gridmill:mq:_kombu.binding.gridmill"), ("GET", "gridmill:mq:celery-task-meta-1")):
        with client, pytest.raises(redis.exceptions.NoPermissionError):
            client.execute_command(*words)


def test_only_the_producer_writes_boards(place: Path, ledgers: dict[str, Ledger]) -> None:
    for role in ("collector", "monitor"):
        client = broker.redis_client(Settings.load(broker=url(place, role)))
        with client, pytest.raises(redis.exceptions.NoPermissionError):
            client.set(KEYS.boards(JOB, 0), "x")


def test_what_a_worker_writes_by_hand_is_no_answer(ledgers: dict[str, Ledger], worker: Any) -> None:
    """A step runs with the rights of its caller, so the rights to BEGIN and FINISH are rights to write entries."""
    worker.hset(KEYS.led(JOB), str(PIECE), "a 1 1 0 0 0 w")
    snapshot = ledgers["collector"].scan(JOB)
    assert snapshot is not None
    assert snapshot.entries[PIECE].state == "a"
    assert ledgers["collector"].answers(JOB, {PIECE: 1}) == {}


def test_a_worker_puts_no_answer_in_the_place_of_another(ledgers: dict[str, Ledger], worker: Any) -> None:
    assert ledgers["worker"].finish(JOB, PIECE, "w", b"hash", b"true") == "ok"
    worker.hset(KEYS.led(JOB), str(PIECE), "s 1 1 0 0 0 w")

    assert ledgers["worker"].finish(JOB, PIECE, "w", b"hash", b"false") == "refused"

    assert ledgers["collector"].answers(JOB, {PIECE: 1})[PIECE].reply == b"true"


def test_somebody_without_a_user_is_not_let_in(place: Path, admin: Any) -> None:
    settings = Settings.load(broker=f"unix://{place}")
    with broker.redis_client(settings) as client, pytest.raises(BrokerError, match="password"):
        broker.check(client, settings)


def test_a_user_of_the_file_as_it_is_shipped_cannot_log_in(place: Path, admin: Any) -> None:
    """Somebody has to give each a password first."""
    (rules,) = [line.split() for line in FILE.read_text().splitlines() if line.startswith("user gridmill-worker ")]
    admin.execute_command("ACL", "SETUSER", "shipped", "reset", *rules[2:])
    for password in ("", "gridmill-worker"):
        with pytest.raises(redis.AuthenticationError):
            admin.execute_command("AUTH", "shipped", password)


@pytest.mark.parametrize("role", ROLES)
def test_the_doctor_knows_a_user_by_what_it_may_do(role: str, place: Path, admin: Any) -> None:
    settings = Settings.load(broker=url(place, role))
    with broker.redis_client(settings) as client:
        assert rights.examine(client, settings).text == f"this user can be {role}"
    assert admin.dbsize() == 0


def test_the_doctor_names_what_a_user_lacks(place: Path, admin: Any) -> None:
    admin.execute_command("ACL", "SETUSER", "gridmill-half", "on", ">pw", "~*", "+@all", "-hgetall", "-hset")
    settings = Settings.load(broker=f"unix://gridmill-half:pw@{place}")
    with broker.redis_client(settings) as client:
        found = rights.examine(client, settings)
    assert found.grade is Grade.PROBLEM
    assert "HSET gridmill:{" in found.text


def test_sending_without_the_right_to_is_no_outage(place: Path, admin: Any) -> None:
    """It would be tried again for ever."""
    admin.execute_command("ACL", "SETUSER", "gridmill-mute", "on", ">pw", "~*", "+@all", "-lpush")
    settings = Settings.load(broker=f"unix://gridmill-mute:pw@{place}")
    with (
        broker.redis_client(settings) as client,
        pytest.raises(BrokerError, match="no permissions to run the 'lpush' command") as caught,
    ):
        Ledger.of(client, settings).send(JOB, PIECE, 1)
    assert not isinstance(caught.value, BrokerLost)


def test_the_password_is_shown_by_nothing_that_goes_wrong(place: Path, admin: Any, command: Command) -> None:
    wrong = url(place, "worker").replace("%25", "%26")
    for words in (["work"], ["status"], ["collect", JOB], ["doctor"]):
        ended = command(*words, "--broker", wrong, env={**os.environ, "GRIDMILL_LOG_LEVEL": "debug"})
        assert ended.returncode != 0
        said = ended.stdout + ended.stderr
        assert "p#/" not in said
        assert "p%23" not in said


def test_a_worker_shows_its_password_neither_in_its_log_nor_in_the_list_of_processes(
    place: Path, admin: Any, start: Any, command: Command, wait_until: Callable[..., None]
) -> None:
    given = {**os.environ, "GRIDMILL_BROKER": url(place, "worker"), "GRIDMILL_LOG_LEVEL": "debug"}
    work = start("work", env=given)
    wait_until(lambda: any(Badge.read(one["name"]) for one in admin.client_list()), "the worker is connected")
    served = command("doctor", "--json", "--broker", url(place, "monitor"))
    commands = [path.read_bytes() for path in Path("/proc").glob("[0-9]*/cmdline") if _is_ours(path, work.pid)]
    work.terminate()
    _, log = work.communicate(timeout=LIMIT)
    assert "Connected to" in log
    said = f"{log} {served.stdout} {served.stderr} {commands}"
    assert [secret for secret in (PASSWORD, quote(PASSWORD), quote(PASSWORD, safe="")) if secret in said] == []


def _is_ours(cmdline: Path, parent: int) -> bool:
    """Whether a process is ``parent`` or one that it has started."""
    try:
        started = int(cmdline.with_name("stat").read_text().rpartition(")")[2].split()[1])
        return parent in (int(cmdline.parent.name), started)
    except OSError:  # it has just ended
        return False
