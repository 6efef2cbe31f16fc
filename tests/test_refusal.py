"""What a server's refusal means: a real server refuses, and a step of the ledger and a message meet it."""

import socketserver
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
import redis
from kombu import pools
from silent import Silent

from gridmill import broker
from gridmill.address import Address
from gridmill.chunk import Record
from gridmill.embedded import Server
from gridmill.entry import Place
from gridmill.errors import BrokerError, BrokerFull, BrokerLost
from gridmill.job import WIRE, Spec
from gridmill.ledger import Ledger
from gridmill.piece import Piece
from gridmill.refusal import explained
from gridmill.settings import Settings
from producer.feed import Feed

JOB = "2345678923"
BOARD = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
ALLOWED = ("+ping", "+info", "+hello", "+client")
ENDLESS = "while true do end"


class Admin:
    """Somebody who may do everything, and has a server of his own to spoil. To be closed."""

    def __init__(self, server: Server) -> None:
        with redis.Redis(unix_socket_path=str(server.socket)) as plain:
            plain.execute_command("ACL", "SETUSER", "admin", "on", ">secret", "~*", "&*", "+@all")
        self.client: Any = redis.Redis(unix_socket_path=str(server.socket), username="admin", password="secret")
        self.settings = Settings.load(broker=server.url)

    def close(self) -> None:
        self.client.close()

    @contextmanager
    def configured(self, **values: object) -> Iterator[None]:
        names = {name: name.replace("_", "-") for name in values}
        before = {name: self.client.config_get(names[name])[names[name]] for name in values}
        for name, value in values.items():
            self.client.config_set(names[name], value)
        try:
            yield
        finally:
            for name, value in before.items():
                self.client.config_set(names[name], value)

    @contextmanager
    def locked(self) -> Iterator[None]:
        with self.configured(requirepass="x"):
            self.client.client_kill_filter(_type="normal", skipme=True)  # those that are in stay in
            yield

    @contextmanager
    def replica(self) -> Iterator[None]:
        self.client.execute_command("REPLICAOF", "127.0.0.1", "1")  # where there is nobody
        try:
            yield
        finally:
            self.client.execute_command("REPLICAOF", "NO", "ONE")

    @contextmanager
    def orphan(self) -> Iterator[None]:
        with self.replica(), self.configured(replica_serve_stale_data="no"):
            yield

    @contextmanager
    def forbidden(self) -> Iterator[None]:
        self.client.execute_command("ACL", "SETUSER", "default", "-@all", *ALLOWED)
        try:
            yield
        finally:
            self.client.execute_command("ACL", "SETUSER", "default", "+@all")

    @contextmanager
    def busy(self) -> Iterator[None]:
        """A script without end."""
        with self.configured(lua_time_limit=1):
            thread = threading.Thread(target=lambda: _is_refused(lambda: self.client.eval(ENDLESS, 0)))
            thread.start()
            while not _is_refused(lambda: self.client.get("x")):
                pass
            try:
                yield
            finally:
                self.client.script_kill()
                thread.join()


def _is_refused(call: Callable[[], object]) -> bool:
    try:
        call()
    except redis.ResponseError:
        return True
    return False


Trouble = Callable[[Admin], Any]
PASSING: dict[str, tuple[Trouble, type[BrokerError], str]] = {
    "full": (lambda admin: admin.configured(maxmemory=1), BrokerFull, "raise its maxmemory, or lower GRIDMILL_IN_FL"),
    "replica": (lambda admin: admin.replica(), BrokerLost, "it is a replica, and takes no writes"),
    "orphan": (lambda admin: admin.orphan(), BrokerLost, "it is a replica(, and takes no writes| that has lost)"),
    "lonely": (lambda admin: admin.configured(min_replicas_to_write=1), BrokerLost, "min-replicas-to-write"),
    "busy": (lambda admin: admin.busy(), BrokerLost, "SCRIPT KILL"),
}
LASTING: dict[str, tuple[Trouble, type[BrokerError], str]] = {
    "password": (lambda admin: admin.locked(), BrokerError, "check the password"),
    "forbidden": (lambda admin: admin.forbidden(), BrokerError, "what the server's ACL lets this user do"),
}
TROUBLES = PASSING | LASTING


@pytest.fixture(scope="module")
def spoilt(session_server: Server, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("spoilt")) as server:
        yield server
        pools.reset()  # type: ignore[no-untyped-call]  # or what has sent messages stays connected


@pytest.fixture
def admin(spoilt: Server) -> Iterator[Admin]:
    with closing(Admin(spoilt)) as made:
        made.client.flushall()
        yield made


@contextmanager
def ledger_of(settings: Settings) -> Iterator[Ledger]:
    with broker.redis_client(settings) as client:
        yield Ledger.of(client, settings)


def step(settings: Settings) -> None:
    with ledger_of(settings) as ledger:
        ledger.create(JOB, "token", b"spec", Place())


def send(settings: Settings) -> None:
    with ledger_of(settings) as ledger:
        ledger.send(JOB, Piece(0, 0, 2), 1)


def look(settings: Settings) -> None:
    with broker.redis_client(settings) as client:
        broker.check(client, settings)


@pytest.mark.parametrize("call", [step, send])
@pytest.mark.parametrize("name", TROUBLES)
def test_a_refusal_says_what_it_means_and_whether_it_passes(
    admin: Admin, name: str, call: Callable[[Settings], None]
) -> None:
    trouble, kind, text = TROUBLES[name]

    with trouble(admin), pytest.raises(BrokerError, match=text) as caught:
        call(admin.settings)

    assert type(caught.value) is kind
    call(admin.settings)


@pytest.mark.parametrize("name", ["full", "replica", "lonely"])
def test_a_transaction_that_is_refused_only_when_it_is_complete_means_the_same(admin: Admin, name: str) -> None:
    """Its parts were taken: the trouble began after them."""
    trouble, kind, text = TROUBLES[name]
    client: Any = broker.redis_client(admin.settings)
    connection = client.connection_pool.get_connection()
    for command in (("MULTI",), ("SET", "a", "b")):
        connection.send_command(*command)
        connection.read_response()

    with trouble(admin):
        connection.send_command("EXEC")
        with pytest.raises(redis.RedisError) as caught:
            connection.read_response()

    connection.disconnect()
    found = explained(caught.value)
    assert type(found) is kind
    assert text in str(found)


@pytest.mark.parametrize("call", [step, send])
def test_a_server_that_does_not_answer_is_lost_for_now(
    admin: Admin, call: Callable[[Settings], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(broker, "ANSWER_SECONDS", 0.1)
    admin.client.client_pause(1000)

    with pytest.raises(BrokerLost, match=r"(?i)time"):
        call(admin.settings)
    admin.client.ping()  # answered when the pause is over


class Loading(socketserver.StreamRequestHandler):
    """Answers everything as a server does that reads its data."""

    def handle(self) -> None:
        while self.rfile.readline().startswith(b"*") and self.rfile.read1():
            self.wfile.write(b"-LOADING Valkey is loading the dataset in memory\r\n")


@pytest.fixture
def loading(tmp_path: Path) -> Iterator[Settings]:
    path = str(tmp_path / "loading")
    with socketserver.ThreadingUnixStreamServer(path, Loading) as server:
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, args=(0.01,)).start()
        yield Settings.load(broker=Address(path=path).celery)
        server.shutdown()


@pytest.mark.parametrize("call", [step, send, look])
def test_a_server_that_reads_its_data_is_lost_for_now(loading: Settings, call: Callable[[Settings], None]) -> None:
    with pytest.raises(BrokerLost, match="it is still reading its data"):
        call(loading)


@pytest.fixture
def ledger(admin: Admin) -> Iterator[Silent]:
    with broker.redis_client(admin.settings) as client:
        yield Silent.of(client, admin.settings)


class Again(list[Record]):
    repeatable = True


@pytest.mark.parametrize("name", PASSING)
def test_a_producer_waits_until_it_has_passed(admin: Admin, ledger: Silent, name: str) -> None:
    # Given a producer, and a server that refuses
    lost = threading.Event()
    spec = Spec(WIRE, "bitmask", 1, False, 1, 2, "", (), ())
    create = ledger.create

    def noticing(*args: Any) -> Any:
        try:
            return create(*args)
        except BrokerLost:
            lost.set()
            raise

    ledger.create = noticing  # type: ignore[method-assign, assignment]
    records = Again(Record(line, BOARD) for line in range(1, 5))
    feed = Feed(ledger, JOB, spec.encode(), records, chunk=2, budget=10**6, beat=5, stay=False)
    thread = threading.Thread(target=feed.run)

    with PASSING[name][0](admin):
        thread.start()
        assert lost.wait(20)
        assert ledger.sent == []

    thread.join(20)
    assert not thread.is_alive()
    assert [piece for piece, _ in ledger.sent] == [Piece(0, 0, 2), Piece(1, 0, 2)]


@pytest.mark.parametrize("name", LASTING)
def test_what_does_not_pass_ends_a_command_with_one_line(
    admin: Admin, name: str, command: Callable[..., Any], tmp_path: Path
) -> None:
    (tmp_path / "puzzles.txt").write_text(f"{BOARD}\n")

    with LASTING[name][0](admin):
        ended = command("submit", "puzzles.txt", "--broker", admin.settings.broker)

    assert (ended.returncode, ended.stdout) == (3, "")
    (line,) = ended.stderr.splitlines()
    assert line.startswith("gridmill: ")
    assert "password" in line


def test_what_a_server_says_that_nobody_knows_is_an_error_that_quotes_it() -> None:
    error = explained(redis.ResponseError("WRONGTYPE of a key"), "this")

    assert type(error) is BrokerError
    assert str(error) == "this: the server refused a step: WRONGTYPE of a key"
