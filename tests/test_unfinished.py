"""What a journal tells about a run that is not finished."""

from pathlib import Path

import msgspec
import pytest

from collector.journal import Head, path_of
from collector.manuscript import FileManuscript
from collector.unfinished import Unfinished, described
from gridmill.entry import Place
from gridmill.job import WIRE, Spec

JOB = "abcdefghjk"
SPEC = Spec(WIRE, "bitmask", 1, False, 1, 1, "", (), ("/data/in.txt",))


@pytest.fixture
def out(tmp_path: Path) -> Path:
    """An output of which seven records are written."""
    path = tmp_path / "out.csv"
    manuscript = FileManuscript.open(path, Head(JOB, SPEC.encode(), "csv"))
    manuscript.write([b"rows"])
    manuscript.saving(Place(2, 7), {"unique": 6, "none": 1})()
    manuscript.close()
    return path


def test_an_unfinished_run_says_what_it_has_and_from_what(out: Path) -> None:
    assert described(out) == Unfinished(JOB, out, 7, {"unique": 6, "none": 1}, "bitmask", ("/data/in.txt",))


def test_looking_does_not_take_the_run(out: Path) -> None:
    described(out)

    FileManuscript.open(out, Head(JOB, SPEC.encode(), "csv")).close()


def test_a_run_that_goes_on_at_this_moment_can_be_looked_at(out: Path) -> None:
    manuscript = FileManuscript.open(out, Head(JOB, SPEC.encode(), "csv"))
    try:
        assert described(out) is not None
    finally:
        manuscript.close()


def test_without_a_journal_there_is_no_run(tmp_path: Path) -> None:
    assert described(tmp_path / "out.csv") is None


def test_a_damaged_journal_is_left_to_whoever_goes_on_with_it(out: Path) -> None:
    path_of(out).write_bytes(b"X" * 9000)

    assert described(out) is None


def test_a_run_of_another_release_says_that_it_is_one(tmp_path: Path) -> None:
    out = tmp_path / "new.csv"
    spec = msgspec.msgpack.encode({"wire": WIRE + 1, "what": "nobody knows here"})
    manuscript = FileManuscript.open(out, Head(JOB, spec, "csv"))
    manuscript.write([b"rows"])
    manuscript.saving(Place(1, 1), {"unique": 1})()
    manuscript.close()

    unread = f"another release made the job (wire version {WIRE + 1}, this is version {WIRE})"
    assert described(out) == Unfinished(JOB, out, 1, {"unique": 1}, "", (), unread)
