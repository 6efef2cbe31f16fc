"""Workers that get no work."""

from pathlib import Path

import pytest
from structlog.testing import capture_logs

from collector.outcasts import KNOWN_MOST, Outcasts
from gridmill.entry import JobView
from gridmill.incidents import About, Incidents

FIELDS = {
    b"state": b"open", b"spec": b"", b"next": b"0", b"record": b"0", b"chain": b"", b"cursor": b"0", b"written": b"0",
    b"bytes": b"0", b"created": b"0", b"renewed": b"0",
}  # fmt: skip


@pytest.fixture
def incidents(tmp_path: Path) -> Incidents:
    return Incidents(tmp_path, "2345678923", About("", "csv", b""))


def view(**fields: str) -> JobView:
    return JobView.parse(FIELDS | {name.replace("__", ":").encode(): text.encode() for name, text in fields.items()})


def test_each_is_said_and_noted_once(incidents: Incidents) -> None:
    outcasts = Outcasts(incidents)
    seen = view(refused__abc="host/1")

    with capture_logs() as logs:
        for _ in range(3):
            outcasts.look(seen)

    assert [(line["event"], line["worker"]) for line in logs] == [("worker refused", "host/1")]
    assert [(each.what, each.worker) for each in incidents] == [("refused", "host/1 (worker abc)")]


def test_whoever_takes_ever_new_names_is_not_said_for_ever(incidents: Incidents) -> None:
    outcasts = Outcasts(incidents)

    for number in range(2 * KNOWN_MOST):
        outcasts.look(view(**{f"refused__{number}": "host/1"}))

    assert len(list(incidents)) == KNOWN_MOST
