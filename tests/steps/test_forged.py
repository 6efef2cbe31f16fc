"""What a hand has written into the ledger and the stream: no step trips over it, and little of it is handed on."""

from typing import Any

import pytest

from gridmill.entry import BROKEN, Place
from gridmill.piece import Piece
from gridmill.reply import size_limit

from .rig import Rig

PIECE = Piece(0, 0, 2)
NO_LINES = [
    "", "x", "q 1 0 0 0 0 -", "q " + "9" * 400 + " 0 0 0 0 - -", "q -1 0 0 0 0 - -", "z 1 0 0 0 0 - -",
    "a 1 0 0 0 0 x -", "a 1 0 0 0 0 99999999999999999999-0 -", "q 1 0 0 0 0 - \xff", "x" * 1_000_000,
]  # fmt: skip
NO_PIECES = ["", "x", "0:0", "0:2:1", "1:0:2", "99999999999:0:2", "0:0:3", "0:0:9999999", "9" * 1000]


@pytest.fixture
def led(rig: Rig) -> str:
    rig.fed(1)
    key: Any
    (key,) = rig.client.keys("*:led")
    return str(key, "ascii")


@pytest.mark.parametrize("line", NO_LINES, ids=lambda line: line[:30])
def test_a_line_that_is_none_is_known_for_what_it_is(rig: Rig, led: str, line: str) -> None:
    rig.client.hset(led, str(PIECE), line)
    assert rig.entry(0).state == BROKEN


@pytest.mark.parametrize(
    "name", ["", "x", "0:0", "0:2:1", "1:0:2", "99999999999:0:2", "0:0:3", "0:0:9999999", "9" * 1000]
)
def test_a_piece_that_cannot_be_is_not_there(rig: Rig, led: str, name: str) -> None:
    rig.client.hset(led, name, "a 1 0 0 0 0 - -")
    snapshot = rig.ledger.scan(rig.job)
    assert snapshot is not None
    assert list(snapshot.entries) == [PIECE]


@pytest.mark.parametrize("line", NO_LINES, ids=lambda line: line[:30])
def test_a_worker_leaves_a_piece_alone_whose_line_is_none(rig: Rig, led: str, line: str) -> None:
    rig.client.hset(led, str(PIECE), line)
    assert rig.ledger.finish(rig.job, PIECE, "w", b"hash", b"reply") in ("ok", "dropped")
    assert rig.ledger.beat(rig.job, PIECE, "w") is False


def test_what_a_hand_has_written_is_deleted_with_the_rest(rig: Rig, led: str) -> None:
    for number, line in enumerate(NO_LINES):
        rig.client.hset(led, f"0:0:{number + 3}", line)
    rig.client.hset(led, "x", "x")
    assert rig.ledger.commit(rig.job, "c", Place(), b"", out="out", own=True) == "ok"

    assert rig.ledger.commit(rig.job, "c", Place(1, 2, b"c" * 16), b"", out="out") == "ok"

    assert not rig.client.exists(led)


def test_an_answer_is_measured_before_it_is_read(rig: Rig) -> None:
    rig.fed(1)
    rig.finish(0)
    (key,) = rig.client.keys("*:answers")
    forged: list[Any] = [
        rig.client.xadd(key, {"piece": str(PIECE), "reply": bytes(size_limit(2) + 1000)}),
        rig.client.xadd(key, {f"field-{number}": b"x" * 100 for number in range(1000)}),
        rig.client.xadd(key, {"reply": b"x"}),
    ]  # fmt: skip

    found = rig.ledger.answers(rig.job, {str(eid, "ascii"): 2 for eid in forged})

    assert [len(answered.reply) for answered in found.values()] == [0, 0, 1]
    assert [answered.piece for answered in found.values()] == [b"", b"", b""]
