"""Pieces that no worker will answer any more."""

from typing import Any

import pytest

from collector.unwanted import Unwanted
from gridmill.entry import Entry, Snapshot
from gridmill.piece import Piece

LEASE = 15.0
FIRST, SECOND = Piece(0, 0, 2), Piece(1, 0, 2)


def entry(state: str = "q", *, lies: int = 0, beat: int = 0) -> Entry:
    return Entry(state, 1, 0, lies, False, beat, "-")


def look(*entries: Entry) -> Snapshot:
    job: Any = None
    return Snapshot(job, {Piece(number, 0, 2): entry for number, entry in enumerate(entries)}, 0, 0)


class Rig:
    """Pieces of which all but ``settled`` need an answer."""

    def __init__(self) -> None:
        self._unwanted = Unwanted(lies=3, lease=LEASE)
        self.settled: set[Piece] = set()
        self.reset = self._unwanted.reset

    def of(self, snapshot: Snapshot, now: float) -> list[Piece]:
        return self._unwanted.of(snapshot, now, lambda piece: piece not in self.settled)


@pytest.fixture
def unwanted() -> Rig:
    return Rig()


def test_a_piece_that_the_collector_has_solved_itself_is_nobodys_work(unwanted: Rig) -> None:
    """It may look started for ever."""
    unwanted.settled.add(SECOND)
    seen = look(entry(beat=1), entry("s"))

    assert [unwanted.of(seen, now) for now in (0, LEASE + 1)] == [[], [FIRST]]


def test_a_piece_about_which_too_many_lied_is_sent_to_nobody_any_more(unwanted: Rig) -> None:
    assert unwanted.of(look(entry(lies=2), entry(lies=3), entry("s", lies=3)), 0) == [SECOND]


def test_pieces_for_which_only_refused_workers_come_are_waited_for_one_lease(unwanted: Rig) -> None:
    refused = look(entry(), entry(beat=1))

    assert [unwanted.of(refused, now) for now in (0, LEASE, LEASE + 1)] == [[], [], [FIRST, SECOND]]


def test_while_anybody_works_another_may_come_for_them(unwanted: Rig) -> None:
    unwanted.of(look(entry(beat=1)), 0)
    unwanted.of(look(entry(beat=2), entry("s")), LEASE)

    assert [unwanted.of(look(entry(beat=3)), LEASE + later) for later in (1, LEASE, LEASE + 2)] == [[], [], [FIRST]]


def test_what_simply_waits_is_wanted(unwanted: Rig) -> None:
    assert [unwanted.of(look(entry()), now) for now in (0, 10 * LEASE)] == [[], []]


def test_after_a_reset_the_wait_begins_anew(unwanted: Rig) -> None:
    unwanted.of(look(entry(beat=1)), 0)
    unwanted.reset()

    assert unwanted.of(look(entry(beat=1)), 2 * LEASE) == []
