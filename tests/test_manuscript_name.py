"""A file that is written under another name until it is finished, and keeps what it has saved."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from collector.journal import Head, path_of
from collector.manuscript import FileManuscript, part_of
from gridmill.entry import Place
from gridmill.errors import OutputError, OutputRefused

HEAD = Head("23456789ab", b"spec", "csv")
PLACE = Place(1, 1, b"\1" * 16)


@pytest.fixture
def out(tmp_path: Path) -> Path:
    folder = tmp_path / "folder"
    folder.mkdir()
    return folder / "out.csv"


@pytest.fixture
def begun(out: Path) -> Iterator[FileManuscript]:
    """A manuscript that has saved one record."""
    manuscript = FileManuscript.open(out, HEAD)
    manuscript.write([b"one\n"])
    manuscript.saving(PLACE, {"unique": 1})()
    yield manuscript
    manuscript.close()


def test_a_published_output_has_its_name_and_every_byte(begun: FileManuscript, out: Path) -> None:
    begun.saving(PLACE, {"unique": 1}, done=True)()
    begun.publish()
    assert out.read_bytes() == b"one\n"


def test_a_part_that_was_removed_is_an_error_at_the_next_save(begun: FileManuscript, out: Path) -> None:
    part_of(out).unlink()
    with pytest.raises(OutputError, match="was removed, moved or replaced"):
        begun.saving(PLACE, {"unique": 1})()


def test_a_part_that_was_removed_is_never_published(begun: FileManuscript, out: Path) -> None:
    # Given
    begun.saving(PLACE, {"unique": 1}, done=True)()
    part_of(out).unlink()
    # When
    with pytest.raises(OutputError, match="was removed, moved or replaced"):
        begun.publish()
    # Then
    assert not begun.is_published


def test_an_output_whose_folder_was_moved_is_not_taken_for_finished(begun: FileManuscript, out: Path) -> None:
    out.parent.rename(out.parent.with_name("elsewhere"))
    with pytest.raises(OutputError, match="put it back"):
        begun.saving(PLACE, {"unique": 1}, done=True)()


def test_another_file_in_the_place_of_the_part_is_not_published(begun: FileManuscript, out: Path) -> None:
    # Given
    part_of(out).unlink()
    part_of(out).write_text("somebody else's")
    # When
    with pytest.raises(OutputError, match="replaced"):
        begun.publish()
    # Then
    assert not out.exists()


def test_publishing_again_after_a_crash_behind_the_rename_is_no_error(begun: FileManuscript, out: Path) -> None:
    # Given
    begun.saving(PLACE, {"unique": 1}, done=True)()
    begun.publish()
    # When
    begun.publish()
    # Then
    assert out.read_bytes() == b"one\n"


def test_a_part_without_a_journal_is_somebody_elses_and_stays(out: Path) -> None:
    # Given
    part_of(out).write_text("precious")
    # When
    with pytest.raises(OutputRefused, match="has no journal"):
        FileManuscript.open(out, HEAD)
    # Then
    assert part_of(out).read_text() == "precious"
    assert not path_of(out).exists()
