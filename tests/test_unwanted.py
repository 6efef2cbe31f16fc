"""Pieces that no worker will answer any more."""

from typing import Any

import pytest

from collector.unwanted import Unwanted
from gridmill.entry import Entry, Snapshot
from gridmill.piece import Piece

LEASE = 15.0
FIRST, SECOND = Piece(0, 0, 2), Piece(1, 0, 2)


def entry(state: str = "q", *, lies: int = 0, beat: int = 0) -> Entry:
    return Entry(state, 1, 0, lies, False, beat, "-", "-")


def look(*entries: Entry) -> Snapshot:
    job: Any = None
    return Snapshot(job, {Piece(number, 0, 2): entry for number, entry in enumerate(entries)}, 0, 0)


@pytest.fixture
def unwanted() -> Unwanted:
    return Unwanted(lies=3, lease=LEASE)


def test_a_piece_about_which_too_many_lied_is_sent_to_nobody_any_more(unwanted: Unwanted) -> None:
    assert unwanted.of(look(entry(lies=2), entry(lies=3), entry("s", lies=3)), 0) == [SECOND]


def test_pieces_for_which_only_refused_workers_come_are_waited_for_one_lease(unwanted: Unwanted) -> None:
    refused = look(entry(), entry(beat=1))

    assert [unwanted.of(refused, now) for now in (0, LEASE, LEASE + 1)] == [[], [], [FIRST, SECOND]]


def test_while_anybody_works_another_may_come_for_them(unwanted: Unwanted) -> None:
    unwanted.of(look(entry(beat=1)), 0)
    unwanted.of(look(entry(beat=2), entry("s")), LEASE)

    assert [unwanted.of(look(entry(beat=3)), LEASE + later) for later in (1, LEASE, LEASE + 2)] == [[], [], [FIRST]]


def test_what_simply_waits_is_wanted(unwanted: Unwanted) -> None:
    assert [unwanted.of(look(entry()), now) for now in (0, 10 * LEASE)] == [[], []]


def test_after_a_reset_the_wait_begins_anew(unwanted: Unwanted) -> None:
    unwanted.of(look(entry(beat=1)), 0)
    unwanted.reset()

    assert unwanted.of(look(entry(beat=1)), 2 * LEASE) == []
