"""Beginning an output: what must not be overwritten, whatever is forced."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from collector.journal import path_of
from collector.manuscript import part_of
from collector.opening import opened
from gridmill.errors import OutputRefused
from gridmill.job import WIRE, Spec, new_id
from gridmill.runs import Runs


def _spec(*inputs: Path) -> Spec:
    return Spec(WIRE, "bitmask", 1, False, 1, 1, "", (), tuple(map(str, inputs)))


def _open(out: Path, spec: Spec, tmp_path: Path) -> None:
    with opened(out, new_id(), spec, "csv", Runs(tmp_path / "state"), force=True):
        pass


@pytest.mark.parametrize("place", [lambda out: out, part_of, path_of])
def test_no_file_of_an_output_may_be_an_input_of_its_job(tmp_path: Path, place: Callable[[Path], Path]) -> None:
    out = tmp_path / "same.txt"
    source = place(out)
    source.write_text("precious")

    with pytest.raises(OutputRefused, match="is an input of this job"):
        _open(out, _spec(source), tmp_path)

    assert source.read_text() == "precious"


def test_an_input_is_also_known_by_a_link_to_it(tmp_path: Path) -> None:
    source, link = tmp_path / "puzzles.txt", tmp_path / "link.txt"
    source.write_text("precious")
    link.symlink_to(source)

    with pytest.raises(OutputRefused, match="is an input of this job"):
        _open(link, _spec(source), tmp_path)

    assert source.read_text() == "precious"


def test_an_input_is_also_known_by_a_pattern_that_it_matches(tmp_path: Path) -> None:
    source = tmp_path / "puzzles.csv"
    source.write_text("precious")

    with pytest.raises(OutputRefused, match=r"puzzles\.csv is an input of this job"):
        _open(source, _spec(tmp_path / "*.csv"), tmp_path)

    assert source.read_text() == "precious"


def test_an_output_may_not_lie_in_the_folder_that_is_read(tmp_path: Path) -> None:
    (tmp_path / "set" / "deep").mkdir(parents=True)

    with pytest.raises(OutputRefused, match=r"out\.csv lies in the folder .*set, which is read"):
        _open(tmp_path / "set" / "deep" / "out.csv", _spec(tmp_path / "set"), tmp_path)


def test_inputs_that_are_on_another_machine_are_no_hindrance(tmp_path: Path) -> None:
    _open(tmp_path / "out.csv", _spec(Path("/nowhere/*.csv"), Path("/nowhere/set")), tmp_path)


def test_a_pipe_is_not_replaced_by_a_file(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)

    with pytest.raises(OutputRefused, match="no regular file"):
        _open(pipe, _spec(), tmp_path)

    assert pipe.is_fifo()


def test_an_output_in_a_folder_that_is_missing_is_refused_by_the_folders_name(tmp_path: Path) -> None:
    with pytest.raises(OutputRefused, match=r"there is no folder .*nowhere"):
        _open(tmp_path / "nowhere" / "out.csv", _spec(), tmp_path)


def test_what_a_link_points_to_is_written_and_the_link_stays(tmp_path: Path) -> None:
    target, link = tmp_path / "answers.csv", tmp_path / "link.csv"
    target.write_text("old")
    link.symlink_to(target)

    with opened(link, new_id(), _spec(), "csv", Runs(tmp_path / "state"), force=True) as manuscript:
        manuscript.write([b"new"])
        manuscript.saving(manuscript.state.place, {}, done=True)()
        manuscript.publish()

    assert link.is_symlink()
    assert target.read_bytes() == b"new"
