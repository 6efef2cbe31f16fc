"""Which pieces are overdue: by how long this process has seen them in the same state."""

from typing import Any

import pytest

from collector.overdue import Overdue
from gridmill.entry import Entry, JobView, Snapshot
from gridmill.piece import Piece

PIECE = Piece(0, 0, 2)
QUEUED = Entry("q", 5, 0, 0, False, 0, "-")
STARTED = Entry("s", 5, 1, 0, False, 0, "w")
LEASE, GRACE, MOST = 15.0, 5.0, 60.0


@pytest.fixture
def overdue() -> Overdue:
    return Overdue(lease=LEASE, grace=GRACE, grace_max=MOST)


def seen(entry: Entry, *, mark: int = 9, queued: int = 3) -> Snapshot:
    job: Any = JobView
    return Snapshot(job, {PIECE: entry}, mark, queued)


def due(overdue: Overdue, snapshot: Snapshot, now: float) -> bool:
    return [each.piece for each in overdue.due(snapshot, now)] == [PIECE]


def looks(overdue: Overdue, snapshot: Snapshot, until: float, begin: float = 0.0) -> list[float]:
    """When the piece was due, looked at every half second."""
    times = [begin + step / 2 for step in range(int((until - begin) * 2) + 1)]
    return [now for now in times if due(overdue, snapshot, now)]


def test_a_started_piece_is_due_after_the_lease(overdue: Overdue) -> None:
    assert looks(overdue, seen(STARTED), LEASE) == []
    assert due(overdue, seen(STARTED), LEASE + 0.1)


def test_a_beat_begins_the_lease_anew(overdue: Overdue) -> None:
    looks(overdue, seen(STARTED), 14)

    assert looks(overdue, seen(STARTED._replace(beat=1)), 29, begin=14) == []
    assert due(overdue, seen(STARTED._replace(beat=1)), 29.1)


def test_another_worker_begins_the_lease_anew(overdue: Overdue) -> None:
    looks(overdue, seen(STARTED), 14)

    assert not due(overdue, seen(STARTED._replace(token="w2")), 20)


def test_a_piece_whose_child_is_lost_is_due_at_once(overdue: Overdue) -> None:
    assert due(overdue, seen(STARTED._replace(lost=True)), 0)


def test_a_piece_that_waits_its_turn_is_never_due(overdue: Overdue) -> None:
    assert looks(overdue, seen(QUEUED, mark=5), 5000) == []


@pytest.mark.parametrize("snapshot", [seen(QUEUED, mark=6), seen(QUEUED, mark=0, queued=0)])
def test_a_piece_whose_message_is_gone_is_due_after_the_grace_time(overdue: Overdue, snapshot: Snapshot) -> None:
    """Gone: a later one has been taken, or there are none."""
    assert looks(overdue, snapshot, GRACE) == []
    assert due(overdue, snapshot, GRACE + 0.1)


def test_the_grace_time_begins_when_the_message_is_gone(overdue: Overdue) -> None:
    looks(overdue, seen(QUEUED, mark=5), 100)

    assert not due(overdue, seen(QUEUED, mark=6), 101)
    assert due(overdue, seen(QUEUED, mark=6), 107)


def test_the_grace_time_doubles_with_each_sending_up_to_a_limit(overdue: Overdue) -> None:
    now, waits = 0.0, []
    for number in range(7):
        entry = QUEUED._replace(seq=5 + number)  # sent again, and lost again
        sent, now = now, now + 0.5
        while not due(overdue, seen(entry, mark=99), now):
            now += 0.5
        waits.append(now - sent)

    assert waits == [6.0, 11.0, 21.0, 41.0, 61.0, 61.0, 61.0]


def test_the_grace_time_has_a_limit_after_days_too(overdue: Overdue) -> None:
    """2 to the power of every sending so far is soon more than a number can hold."""
    sendings = 0
    for minute in range(5000):
        sendings += due(overdue, seen(QUEUED._replace(seq=sendings + 1), mark=10**9), minute * 61.0)

    assert sendings > 2000


def test_how_often_a_piece_was_sent_again_is_said(overdue: Overdue) -> None:
    said = []
    for number in range(3):
        entry = QUEUED._replace(seq=5 + number)
        for now in (100.0 * number, 100.0 * number + 99):
            said += [each.sent for each in overdue.due(seen(entry, mark=99), now)]

    assert said == [0, 1, 2]


def test_a_start_ends_the_doubling(overdue: Overdue) -> None:
    for number in range(3):
        looks(overdue, seen(QUEUED._replace(seq=5 + number)), 100.0 * number + 99, begin=100.0 * number)
    due(overdue, seen(STARTED._replace(seq=8)), 300)

    assert looks(overdue, seen(QUEUED._replace(seq=9), mark=10), 320, begin=301)[0] == 306.5


def test_an_answered_piece_is_not_due(overdue: Overdue) -> None:
    assert looks(overdue, seen(STARTED._replace(state="a")), 100) == []


def test_all_ages_begin_anew_after_a_reset(overdue: Overdue) -> None:
    looks(overdue, seen(STARTED), 14)

    overdue.reset()

    assert looks(overdue, seen(STARTED), 29, begin=14) == []
    assert due(overdue, seen(STARTED), 30)


def test_what_has_left_the_ledger_is_forgotten(overdue: Overdue) -> None:
    looks(overdue, seen(STARTED), 14)
    list(overdue.due(Snapshot(seen(STARTED).job, {}, 9, 3), 14.5))

    assert not due(overdue, seen(STARTED), 20)


def test_the_first_look_finds_nothing_old(overdue: Overdue) -> None:
    """A collector that has just started does not know since when."""
    assert not due(overdue, seen(STARTED), 1e9)
