"""A worker that is started ahead of its settings."""

import io
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from gridmill import ahead as module
from gridmill.ahead import Ahead, hear
from gridmill.settings import Settings

LIMIT = 60  # seconds for a worker's imports: they take a third of one

# What it has in the place of a worker: it says what it hears.
ECHO = "from gridmill.ahead import hear; heard = hear(); print(heard and heard.lease, flush=True)"


@pytest.fixture
def echo(monkeypatch: pytest.MonkeyPatch) -> None:
    script = f"import sys; sys.stdout = sys.stderr; {ECHO}"
    monkeypatch.setattr(module, "COMMAND", (sys.executable, "-P", "-c", script))


@contextmanager
def taken_over(ahead: Ahead) -> Iterator[None]:
    """Close its streams at the end, as whoever takes over a process that has been told does."""
    yield
    assert ahead.process.stdin
    assert ahead.process.stderr
    ahead.process.stdin.close()
    ahead.process.stderr.close()


@pytest.mark.usefixtures("echo")
def test_it_hears_the_settings_that_it_is_told() -> None:
    with Ahead() as ahead, taken_over(ahead):
        ahead.tell(Settings.load(lease=7))
        assert ahead.process.stderr
        assert ahead.process.stderr.readline() == b"7.0\n"


@pytest.mark.usefixtures("echo")
def test_one_that_is_never_told_ends_on_the_way_out() -> None:
    with Ahead() as ahead:
        assert ahead.process.poll() is None
    assert ahead.process.returncode is not None


def test_one_that_has_died_can_be_told_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "COMMAND", (sys.executable, "-c", ""))
    with Ahead() as ahead, taken_over(ahead):
        ahead.process.wait(LIMIT)
        ahead.tell(Settings.load())


def test_what_is_heard_has_every_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    settings = Settings.load(broker="redis://:secret@host", in_flight="1MB")
    line = io.BytesIO(settings.model_dump_json().encode() + b"\n")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(line))
    heard = hear()
    assert heard is not None
    names = set(Settings.model_fields) - {"state_dir"}  # a path, which no worker needs
    assert {name: getattr(heard, name) for name in names} == {name: getattr(settings, name) for name in names}


def test_a_worker_ends_when_nobody_tells_it_anything() -> None:
    command = [sys.executable, "-P", "-m", "worker", "--ahead"]
    ended = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=LIMIT, env=os.environ)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, b"", b"")


def test_a_worker_imports_nothing_for_its_settings() -> None:
    """It would take as long again as all else that a worker imports after Celery."""
    code = (
        "import sys, gridmill.ahead, gridmill.broker, worker.tasks, worker.__main__; "
        "print([name for name in ('pydantic', 'pydantic_settings') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-P", "-c", code], capture_output=True, text=True, timeout=LIMIT, check=True)
    assert done.stdout == "[]\n"
