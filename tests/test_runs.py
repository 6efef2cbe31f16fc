"""Which runs are not finished."""

import os
from pathlib import Path

import pytest

from gridmill.runs import Runs

ONE, OTHER = "abcdefghjk", "bcdefghjkm"


@pytest.fixture
def runs(tmp_path: Path) -> Runs:
    return Runs(tmp_path / "state")


def test_before_the_first_run_there_is_none(runs: Runs) -> None:
    assert (runs.unfinished(), runs.served()) == ({}, [])


def test_a_run_is_known_with_its_output_until_it_is_removed(runs: Runs, tmp_path: Path) -> None:
    runs.add(ONE, tmp_path / "a.csv")
    assert runs.unfinished() == {ONE: tmp_path / "a.csv"}

    runs.remove(ONE)
    assert runs.unfinished() == {}


def test_an_output_is_known_from_any_folder(runs: Runs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    runs.add(ONE, Path("a.csv"))

    monkeypatch.chdir("/")
    assert runs.unfinished() == {ONE: tmp_path / "a.csv"}


def test_an_output_may_have_any_name(runs: Runs, tmp_path: Path) -> None:
    out = tmp_path / "Lösungen\n数独.csv"

    runs.add(ONE, out)

    assert runs.unfinished() == {ONE: out}


def test_the_latest_is_the_last(runs: Runs, tmp_path: Path) -> None:
    for job in (OTHER, ONE):
        runs.add(job, tmp_path / job)
    folder = tmp_path / "state" / "runs"
    os.utime(folder / ONE, (1000, 1000))
    os.utime(folder / OTHER, (1001, 1001))
    assert list(runs.unfinished()) == [ONE, OTHER]

    os.utime(folder / ONE, (1002, 1002))
    assert list(runs.unfinished()) == [OTHER, ONE]


def test_a_run_that_goes_on_is_there_once(runs: Runs, tmp_path: Path) -> None:
    runs.add(ONE, tmp_path / "a.csv")
    runs.add(ONE, tmp_path / "moved.csv")

    assert runs.unfinished() == {ONE: tmp_path / "moved.csv"}


def test_a_run_takes_the_data_of_its_server_along(runs: Runs, tmp_path: Path) -> None:
    runs.add(ONE, tmp_path / "a.csv")
    (runs.server_folder(ONE) / "deep").mkdir(parents=True)
    assert runs.served() == [ONE]

    runs.remove(ONE)
    assert not runs.server_folder(ONE).exists()


def test_what_has_no_jobs_name_is_no_run(runs: Runs, tmp_path: Path) -> None:
    runs.add(ONE, tmp_path / "a.csv")
    (tmp_path / "state" / "runs" / ".DS_Store").touch()
    (tmp_path / "state" / "servers" / "backup of mine").mkdir(parents=True)

    assert list(runs.unfinished()) == [ONE]
    assert runs.served() == []


def test_a_run_that_ends_while_somebody_looks_is_not_there(runs: Runs, tmp_path: Path) -> None:
    runs.add(ONE, tmp_path / "a.csv")
    (tmp_path / "state" / "runs" / OTHER).symlink_to(tmp_path / "removed")

    assert list(runs.unfinished()) == [ONE]


def test_a_state_folder_that_cannot_be_written_stops_no_run(tmp_path: Path) -> None:
    """The journal beside the output is what counts."""
    (tmp_path / "state").touch()
    runs = Runs(tmp_path / "state")

    runs.add(ONE, tmp_path / "a.csv")

    assert runs.unfinished() == {}
    runs.remove(ONE)
