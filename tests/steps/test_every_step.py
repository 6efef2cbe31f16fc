"""What holds for all steps: nothing happens to a job that is not open, and all may be repeated."""

from collections.abc import Callable
from typing import Any

import pytest

from gridmill.entry import Entry
from gridmill.piece import Piece

from .rig import MINE, OTHER, UNPROVEN, Rig

SEEN = Entry("s", 2, 1, 0, False, 0, "w")
STEPS: dict[str, tuple[Callable[[Rig], object], object]] = {
    "enqueue": (lambda rig: rig.enqueue(2).said, None),
    "close": (lambda rig: rig.ledger.close(rig.job, MINE, 2).said, None),
    "feeding": (lambda rig: rig.ledger.feeding(rig.job, MINE), False),
    "begin": (lambda rig: rig.begin(0, 1).said, None),
    "decline": (lambda rig: rig.ledger.decline(rig.job, 1, "why"), False),
    "beat": (lambda rig: rig.ledger.beat(rig.job, Piece(1, 0, 2), "w"), False),
    "lost": (lambda rig: rig.ledger.lost(rig.job, Piece(1, 0, 2), 2), False),
    "finish": (lambda rig: rig.finish(1), "dropped"),
    "requeue": (lambda rig: rig.ledger.requeue(rig.job, Piece(1, 0, 2), SEEN), 0),
    "split": (lambda rig: rig.ledger.split(rig.job, Piece(1, 0, 2), SEEN, Piece(1, 0, 2).parts(2)), []),
    "restore": (lambda rig: rig.ledger.restore(rig.job, 0), []),
    "commit": (lambda rig: rig.commit(1, own=True), None),
}


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("state", ["done", "cancelled", "nojob"])
def test_nothing_happens_to_a_job_that_is_not_open(rig: Rig, step: str, state: str) -> None:
    # Given two chunks, one of them begun, and then the end, which leaves the pieces behind as it never should
    rig.fed(2)
    rig.begin(1, 2)
    key: Any = rig.client.keys("*:led")[0]
    pieces: Any = rig.client.hgetall(key)
    rig.ledger.final(rig.job, "done" if state == "nojob" else state)
    if state == "nojob":
        rig.ledger.forget(rig.job)
    rig.client.hset(key, mapping=pieces)
    before = rig.contents()

    take, refusal = STEPS[step]
    said = take(rig)

    assert said == (state if refusal is None else refusal) or (step == "decline" and said is None)
    assert rig.contents() == before


REPEATED: dict[str, Callable[[Rig], object]] = {
    "create": lambda rig: rig.create(OTHER),
    "enqueue": lambda rig: rig.enqueue(2),
    "close": lambda rig: rig.ledger.close(rig.job, MINE, 2),
    "begin": lambda rig: rig.begin(0, 1, "w0"),
    "decline": lambda rig: rig.ledger.decline(rig.job, 1, "why"),
    "lost": lambda rig: rig.ledger.lost(rig.job, Piece(1, 0, 2), 2),
    "commit": lambda rig: rig.commit(1, own=True),
    "done": lambda rig: rig.ledger.final(rig.job, "done"),
}


@pytest.mark.parametrize("step", REPEATED)
def test_a_step_whose_reply_was_lost_may_be_taken_again(rig: Rig, step: str) -> None:
    """Client libraries repeat a call by themselves: the second says the same and changes nothing."""
    rig.fed(2)
    rig.begin(1, 2)

    said = REPEATED[step](rig)
    after = rig.contents()

    assert REPEATED[step](rig) == said
    assert rig.contents() == after


def test_finishing_again_changes_nothing(rig: Rig) -> None:
    rig.fed(1)
    rig.begin(0, 1)
    rig.finish(0)
    after = rig.contents()

    assert rig.finish(0) == "dropped"
    assert rig.contents() == after


def test_splitting_again_changes_nothing(rig: Rig) -> None:
    rig.fed(1)
    rig.begin(0, 1)
    seen = rig.entry(0)
    parts = Piece(0, 0, 2).parts(2)
    assert rig.ledger.split(rig.job, Piece(0, 0, 2), seen, parts) == [2, 3]
    after = rig.contents()

    assert rig.ledger.split(rig.job, Piece(0, 0, 2), seen, parts) == []
    assert rig.contents() == after


def test_restoring_again_changes_nothing(rig: Rig) -> None:
    rig.fed(2)
    rig.client.delete(*rig.client.keys("*:led"))
    assert rig.ledger.restore(rig.job, 0) == [(Piece(0, 0, 2), 3), (Piece(1, 0, 2), 4)]
    after = rig.contents()

    assert rig.ledger.restore(rig.job, 0) == []
    assert rig.contents() == after


@pytest.mark.parametrize("lie", [False, True])
def test_requeuing_again_changes_nothing(rig: Rig, lie: bool) -> None:
    rig.fed(1)
    rig.begin(0, 1)
    rig.finish(0)
    seen = rig.entry(0)
    assert rig.ledger.requeue(rig.job, Piece(0, 0, 2), seen, UNPROVEN if lie else None) == 2
    after = rig.contents()

    assert rig.ledger.requeue(rig.job, Piece(0, 0, 2), seen, UNPROVEN if lie else None) == 0
    assert rig.contents() == after
