"""The fixtures of the pytest plugin. What they are made of is imported when a test asks for them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from gridmill.embedded import Server
    from gridmill.testing.broker import FakeBroker
    from gridmill.testing.trial import TrialMill

# Seconds. What is lost is looked for soon, since tests lose much, and yet not while a busy machine has only to begin.
QUICK = {"tick": 0.05, "grace": 1.0, "beat": 1.0, "lease": 5.0}


@pytest.fixture
def gridmill_settings(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The settings of the mills, by name: quick to find what is lost, and no trace in the user's folders. Override it
    for others."""
    return {**QUICK, "state_dir": tmp_path_factory.mktemp("gridmill")}


@pytest.fixture
def gridmill_fake() -> FakeBroker:
    """A new, empty broker inside the process."""
    from gridmill.testing.broker import FakeBroker

    return FakeBroker()


@pytest.fixture
def gridmill_mill(gridmill_settings: dict[str, Any]) -> Iterator[TrialMill]:
    """A mill inside the process, its worker in a thread: starts in a tenth of a second."""
    from gridmill.testing.broker import FakeBroker
    from gridmill.testing.trial import inside

    with inside(FakeBroker(**gridmill_settings)) as mill:
        yield mill


@pytest.fixture
def gridmill_local_mill(gridmill_settings: dict[str, Any]) -> Iterator[TrialMill]:
    """A mill with a private server and two worker processes."""
    from gridmill.testing.trial import local

    with local(workers=2, **gridmill_settings) as mill:
        yield mill


@pytest.fixture(scope="session")
def gridmill_session_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One private server for the whole session; use `gridmill_server`, which is empty."""
    from gridmill.embedded import Server

    with Server(tmp_path_factory.mktemp("server")) as started:
        yield started


@pytest.fixture
def gridmill_server(gridmill_session_server: Server) -> Server:
    """A private server with nothing in it, running, whatever the test before did to it."""
    from gridmill import broker
    from gridmill.settings import Settings

    if not gridmill_session_server.alive():
        gridmill_session_server.restart()
    with broker.redis_client(Settings.load(broker=gridmill_session_server.url)) as client:
        client.flushall()
    return gridmill_session_server
