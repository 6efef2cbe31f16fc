"""The worker's end of the queue: whatever stands there, the message behind it is taken."""

from collections.abc import Callable
from typing import Any

import pytest
from structlog.testing import capture_logs

from gridmill import broker, inbox, logs
from gridmill.embedded import Server
from gridmill.ledger import Ledger
from gridmill.piece import Piece
from gridmill.refusals import Refusals
from gridmill.settings import Settings
from gridmill.testing import FakeBroker, fake_worker

from .messages import NO_MESSAGES


@pytest.fixture(params=["embedded", "fakeredis"])
def app(request: pytest.FixtureRequest) -> Any:
    """An app whose piece task notes what it is called with, on a real server and on fakeredis."""
    if request.param == "fakeredis":
        fake: FakeBroker = request.getfixturevalue("fake")
        app, client, settings = fake.app(), fake.client(), fake.settings
    else:
        server: Server = request.getfixturevalue("server")
        settings = Settings.load(broker=server.url)
        app, client = broker.make_app(settings), broker.redis_client(settings)
    app.taken = []

    def piece(_job: str, _piece: str, seq: int) -> None:
        app.taken.append(seq)

    app.task(piece, name=broker.PIECE_TASK, shared=False)
    app.throw = lambda *data: client.lpush(broker.queue_key(settings), *data)
    app.send = Ledger.of(client, settings).send
    app.waiting = lambda: client.llen(broker.queue_key(settings))
    yield app
    client.close()


def test_nothing_that_stands_in_the_queue_keeps_the_next_message_from_being_taken(
    app: Any, wait_until: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """One worker, never restarted; and a flood is one line of its log."""
    monkeypatch.setattr(inbox, "_refusals", refusals := Refusals(logs.get("inbox")))
    with capture_logs() as lines, fake_worker(app):
        for seq, data in enumerate(NO_MESSAGES.values(), 1):
            app.throw(data)
            app.send("2345678923", Piece(0, 0, 1), seq)
        wait_until(lambda: len(app.taken) == len(NO_MESSAGES), "every message of ours")
    assert app.taken == [*range(1, len(NO_MESSAGES) + 1)]
    assert app.waiting() == 0
    assert refusals.number == len(NO_MESSAGES)
    assert [line["event"] for line in lines if line["log_level"] != "info"] == ["message refused"]
