"""What is of no use any more, and what must not be taken for it."""

from pathlib import Path

import pytest

from gridmill.embedded import Server
from gridmill.incidents import About, Incident, Incidents, jobs
from gridmill.leftovers import idle_servers, incidents_without_output, runs_without_journal, tracks_without_output
from gridmill.runs import Runs
from gridmill.track import Track, Tracks

JOB = "abcdefghjk"


@pytest.fixture
def runs(tmp_path: Path) -> Runs:
    return Runs(tmp_path / "state")


def journal_of(out: Path) -> Path:
    return out.with_suffix(".journal")


def test_a_run_with_a_journal_stays(runs: Runs, tmp_path: Path) -> None:
    runs.add(JOB, tmp_path / "a.csv")
    journal_of(tmp_path / "a.csv").touch()
    assert list(runs_without_journal(runs, journal_of, dry_run=False)) == []
    assert list(runs.unfinished()) == [JOB]


@pytest.mark.parametrize("there", ["a.csv", "a.journal", ""])
def test_what_went_wrong_goes_with_its_output(tmp_path: Path, there: str) -> None:
    Incidents(tmp_path, JOB, About(str(tmp_path / "a.csv"), "csv", b"")).note(Incident("lost"))
    if there:
        (tmp_path / there).touch()

    said = list(incidents_without_output(tmp_path, journal_of, dry_run=True))
    assert len(said) == len(list(incidents_without_output(tmp_path, journal_of, dry_run=False))) == (not there)
    assert jobs(tmp_path) == ([JOB] if there else [])


@pytest.mark.parametrize("there", ["a.csv", "a.journal", ""])
def test_a_track_goes_with_its_output(tmp_path: Path, there: str) -> None:
    tracks = Tracks(tmp_path)
    tracks.save(Track(JOB, str(tmp_path / "a.csv"), state="done"))
    if there:
        (tmp_path / there).touch()

    said = list(tracks_without_output(tracks, journal_of, dry_run=True))
    assert len(said) == len(list(tracks_without_output(tracks, journal_of, dry_run=False))) == (not there)
    assert tracks.jobs() == ([JOB] if there else [])


def test_the_track_of_a_run_that_goes_on_stays(tmp_path: Path) -> None:
    tracks = Tracks(tmp_path)
    tracks.save(Track(JOB, ""))
    assert list(tracks_without_output(tracks, journal_of, dry_run=False)) == []


def test_the_data_of_a_server_that_was_left_goes(runs: Runs) -> None:
    runs.server_folder(JOB).mkdir(parents=True)
    assert list(idle_servers(runs, dry_run=False)) == [f"the data of a private server: {runs.server_folder(JOB)}"]
    assert not runs.server_folder(JOB).exists()


def test_the_data_of_an_unfinished_run_s_server_stays(runs: Runs, tmp_path: Path) -> None:
    runs.server_folder(JOB).mkdir(parents=True)
    runs.add(JOB, tmp_path / "a.csv")
    assert list(idle_servers(runs, dry_run=False)) == []


def test_the_data_of_a_server_that_runs_stays(runs: Runs, session_server: Server) -> None:
    with Server(runs.server_folder(JOB)):
        assert list(idle_servers(runs, dry_run=False)) == []
    assert len(list(idle_servers(runs, dry_run=True))) == 1
