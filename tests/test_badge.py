"""What a worker says of itself, in the name of its connection."""

import os
from collections.abc import Callable

import pytest
import redis

from gridmill import __version__, broker, kernel, solvers
from gridmill.badge import Badge
from gridmill.embedded import Server
from gridmill.settings import Settings
from gridmill.testing import fake_worker


def test_what_is_written_is_read_again() -> None:
    badge = Badge.own("box")
    assert Badge.read(str(badge)) == badge


def test_it_says_who_this_is_and_what_it_solves_with() -> None:
    badge = Badge.own("box")
    assert badge[:4] == (__version__, "box", str(os.getpid()), kernel.name())
    assert f"{solvers.DEFAULT}={solvers.get(solvers.DEFAULT).version}" in badge.solvers.split(",")


@pytest.mark.parametrize(
    "name", ["", "celery", "gridmill-worker", "gridmill-worker|1|2", "gridmill-worker|1|2|3|4|5|6"]
)
def test_another_name_is_no_badge(name: str) -> None:
    assert Badge.read(name) is None


def test_a_server_takes_it_as_a_name_and_shows_it_while_the_worker_is_connected(
    server: Server, wait_until: Callable[..., None]
) -> None:
    settings = Settings.load(broker=server.url)
    badge = Badge.own("box")

    def shown(client: "redis.Redis") -> bool:
        return badge in {Badge.read(one["name"]) for one in client.client_list()}

    with broker.redis_client(settings) as client:
        with fake_worker(broker.make_app(settings, str(badge))):
            wait_until(lambda: shown(client), "the worker's name")
        wait_until(lambda: not shown(client), "the worker has gone")
