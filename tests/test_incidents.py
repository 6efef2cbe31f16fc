"""What went wrong in a job."""

import json
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from gridmill import incidents as module
from gridmill.errors import UnknownJob, WireError
from gridmill.incidents import About, Incident, Incidents, jobs

JOB, OTHER = "2345678923", "abcdefghjk"
ABOUT = About("/data/out.csv", "csv", b"spec\xff")


@pytest.fixture
def incidents(tmp_path: Path) -> Incidents:
    return Incidents(tmp_path, JOB, ABOUT)


def test_nothing_is_left_where_nothing_went_wrong(tmp_path: Path, incidents: Incidents) -> None:
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(UnknownJob, match=JOB):
        Incidents.load(tmp_path, JOB)


def test_what_was_noted_is_read_back_with_what_the_job_is(tmp_path: Path, incidents: Incidents) -> None:
    incidents.note(Incident("lost", "start 1", 1, 50, "host/1"))
    Incidents(tmp_path, JOB, ABOUT).note(Incident("failed", "exit code -9", 7, 7, puzzle="1."))

    found = Incidents.load(tmp_path, JOB)

    assert found.about == ABOUT
    assert [(each.what, each.first, each.last, each.puzzle) for each in found] == [
        ("lost", 1, 50, ""),
        ("failed", 7, 7, "1."),
    ]
    assert all(each.at > 1.7e9 for each in found)


def test_the_file_is_of_lines_that_any_program_reads(tmp_path: Path, incidents: Incidents) -> None:
    incidents.note(Incident("lost"))

    _, line = (tmp_path / "dead" / f"{JOB}.jsonl").read_text().splitlines()
    assert json.loads(line)["what"] == "lost"


def test_many_incidents_do_not_fill_the_disk_and_failed_records_are_noted_longer(
    incidents: Incidents, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "BYTES_MOST", 1000)
    monkeypatch.setattr(module, "FAILED_BYTES_MOST", 2000)
    for what in ("lost", "failed"):
        for _ in range(100):
            incidents.note(Incident(what, "x" * 50))

    whats = [each.what for each in incidents]
    assert 5 < whats.count("lost") < 20
    assert 5 < whats.count("failed") < 20


def test_a_line_that_was_cut_short_hides_no_other(tmp_path: Path, incidents: Incidents) -> None:
    incidents.note(Incident("lost"))
    with (tmp_path / "dead" / f"{JOB}.jsonl").open("ab") as file:
        file.write(b'{"what": "fa\n')
    incidents.note(Incident("split"))

    assert [each.what for each in incidents] == ["lost", "split"]


def test_a_folder_that_cannot_be_written_ends_no_run(tmp_path: Path, incidents: Incidents) -> None:
    (tmp_path / "dead").write_text("no folder")

    with capture_logs() as logs:
        incidents.note(Incident("lost"))

    assert [line["event"] for line in logs] == ["not noted for gridmill dead"]


def test_a_file_of_another_form_is_an_error_that_names_it(tmp_path: Path, incidents: Incidents) -> None:
    incidents.note(Incident("lost"))
    (tmp_path / "dead" / f"{JOB}.jsonl").write_text("else\n")

    with pytest.raises(WireError, match=f"{JOB}.jsonl cannot be read"):
        Incidents.load(tmp_path, JOB)


@pytest.mark.parametrize("job", ["", "../x", "0", JOB])
def test_a_job_that_is_not_known_is_said_to_be_so(tmp_path: Path, job: str) -> None:
    with pytest.raises(UnknownJob, match="nothing is known here"):
        Incidents.load(tmp_path, job)


def test_jobs_are_listed_the_latest_last(tmp_path: Path, incidents: Incidents) -> None:
    Incidents(tmp_path, OTHER, ABOUT).note(Incident("lost"))
    incidents.note(Incident("lost"))
    assert sorted(jobs(tmp_path)) == [JOB, OTHER]


def test_what_another_job_noted_is_taken_over(tmp_path: Path, incidents: Incidents) -> None:
    incidents.note(Incident("failed", first=7, last=7))
    Incidents(tmp_path, OTHER, ABOUT).note(Incident("failed", "again", first=1, last=1, puzzle="1."))

    incidents.adopt(OTHER)
    incidents.adopt(OTHER)

    assert [(each.first, each.puzzle) for each in incidents] == [(7, ""), (0, "1.")]
    assert jobs(tmp_path) == [JOB]
