"""Workers that decline, and whether anybody else is there."""

from pathlib import Path

import pytest
from structlog.testing import capture_logs

from collector.declines import KNOWN_MOST, Declines
from gridmill.entry import Entry, JobView, Place, Snapshot
from gridmill.incidents import About, Incidents
from gridmill.piece import Piece

LEASE = 15.0
WHY = "host/1: no solver is called 'magic'"
AGAIN = "nobody begins: workers decline, and no other comes"
SECOND = Piece(1, 0, 2)
JOB = JobView("open", b"", Place(2), 0, 0, 2, 0, 0.0, 0.0, b"", "c", "p", 0, "", WHY, {})


@pytest.fixture
def incidents(tmp_path: Path) -> Incidents:
    return Incidents(tmp_path, "2345678923", About("", "csv", b""))


def entry(state: str = "q", seq: int = 1) -> Entry:
    return Entry(state, seq, 0, 0, False, 0, "-")


def look(*entries: Entry, declined: str = WHY, mark: int = 9) -> Snapshot:
    pieces = {Piece(number, 0, 2): entry for number, entry in enumerate(entries)}
    return Snapshot(JOB._replace(declined=declined), pieces, mark, 0)


class Rig:
    """Pieces of which all but ``settled`` need an answer."""

    def __init__(self, incidents: Incidents) -> None:
        self.declines = Declines(incidents, LEASE)
        self.settled: set[Piece] = set()

    def look(self, snapshot: Snapshot, now: float) -> str:
        return self.declines.look(snapshot, now, lambda piece: piece not in self.settled)


@pytest.fixture
def rig(incidents: Incidents) -> Rig:
    return Rig(incidents)


def test_nobody_else_is_there_when_nobody_has_begun_anything_for_a_lease(rig: Rig) -> None:
    seen = look(entry())

    assert [rig.look(seen, now) for now in (0, LEASE, LEASE + 1)] == ["", "", WHY]


def test_whoever_is_at_a_piece_is_there(rig: Rig) -> None:
    seen = look(entry(), entry("s"))

    assert [rig.look(seen, now) for now in (0, LEASE, 10 * LEASE)] == ["", "", ""]


def test_so_is_who_answered_between_two_looks(rig: Rig) -> None:
    assert [rig.look(look(entry(), entry("a", seq)), LEASE * seq) for seq in range(1, 5)] == [""] * 4


def test_answers_from_before_are_nobody(rig: Rig) -> None:
    """They stay until it is their turn, behind the piece that nobody begins."""
    seen = look(entry(), entry("a"))

    assert [rig.look(seen, now) for now in (-1, 0, LEASE, LEASE + 1)] == ["", "", "", WHY]


def test_what_the_collector_solves_itself_is_nobody_at_work(rig: Rig) -> None:
    rig.settled.add(SECOND)
    seen = look(entry(), entry("s"))

    assert [rig.look(seen, now) for now in (-1, 0, LEASE, LEASE + 1)] == ["", "", "", WHY]


def test_what_waits_may_be_taken_by_another_than_who_declined_long_ago(rig: Rig) -> None:
    seen = look(entry(seq=10), mark=9)

    assert [rig.look(seen, now) for now in (0, LEASE, 10 * LEASE)] == ["", "", ""]


def test_without_a_reason_nobody_has_declined(rig: Rig) -> None:
    seen = look(entry(), declined="")

    assert [rig.look(seen, now) for now in (0, LEASE, 10 * LEASE)] == ["", "", ""]


def test_after_a_reset_the_wait_begins_anew(rig: Rig) -> None:
    seen = look(entry())
    rig.look(seen, 0)
    rig.declines.reset()

    assert rig.look(seen, 2 * LEASE) == ""


def test_each_reason_is_said_and_noted_once_and_with_what_to_do(rig: Rig, incidents: Incidents) -> None:
    with capture_logs() as logs:
        for reason in (WHY, WHY, "host/2: another"):
            rig.look(look(entry(), declined=reason), 0)

    assert [(line["event"], line["reason"]) for line in logs] == [
        ("workers decline", WHY),
        ("workers decline", "host/2: another"),
    ]
    assert all("gridmill doctor" in line["remedy"] for line in logs)
    assert [(each.what, each.cause) for each in incidents] == [("declined", WHY), ("declined", "host/2: another")]


def test_it_is_said_again_ever_more_rarely_while_it_lasts(rig: Rig) -> None:
    with capture_logs() as logs:
        for tick in range(300):
            rig.look(look(entry()), tick)

    again = [line for line in logs if line["event"] == AGAIN]
    assert [line["seconds"] for line in again] == [16, 31, 61, 121, 241]
    assert {line["reason"] for line in again} == {WHY}


def test_whoever_has_ever_new_reasons_is_not_heard_for_ever(rig: Rig, incidents: Incidents) -> None:
    for number in range(2 * KNOWN_MOST):
        rig.look(look(declined=f"reason {number}"), 0)

    assert len(list(incidents)) == KNOWN_MOST
