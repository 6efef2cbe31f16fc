"""A file gets its name when it is whole, and where it cannot have it that is said before anything is done."""

import errno
import os
from pathlib import Path

import pytest

from gridmill.errors import OutputError, OutputRefused
from gridmill.whole import check, check_folder, written


def test_it_has_its_name_when_it_is_whole(tmp_path: Path) -> None:
    with written(tmp_path / "out", force=False) as part:
        part.write_text("all")
        assert not (tmp_path / "out").exists()
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("out", "all")]


def test_what_breaks_leaves_nothing(tmp_path: Path) -> None:
    def write() -> None:
        with written(tmp_path / "out", force=False) as part:
            part.write_text("half")
            raise OSError(errno.ENOSPC, "full")

    with pytest.raises(OutputError, match=r"cannot write .*/out: full; nothing is left of it"):
        write()
    assert list(tmp_path.iterdir()) == []


def test_what_exists_is_overwritten_only_by_force(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("mine")
    with pytest.raises(OutputRefused, match="out exists; give --force"):
        check(tmp_path / "out", force=False)
    with written(tmp_path / "out", force=True) as part:
        part.write_text("yours")
    assert (tmp_path / "out").read_text() == "yours"


@pytest.mark.parametrize(
    ("name", "said"),
    [("", "is a folder; name a file"), ("no/out", "there is no folder .*/no; make it, or name a file elsewhere")],
)
def test_a_name_for_which_there_is_no_place_is_refused(tmp_path: Path, name: str, said: str) -> None:
    with pytest.raises(OutputRefused, match=said):
        check_folder(tmp_path / name)


def test_a_file_in_the_place_of_a_folder_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(OutputRefused, match=r"cannot write .*/file/out: .*/file is no folder; name a file elsewhere"):
        check_folder(tmp_path / "file" / "out")


def test_a_name_has_room_for_what_stands_beside_it(tmp_path: Path) -> None:
    check_folder(tmp_path / ("é" * 120))
    with pytest.raises(OutputRefused, match="é… has more than 240 bytes; give a shorter one"):
        check_folder(tmp_path / ("é" * 120 + "x"))


def test_links_that_lead_to_no_end_are_no_place(tmp_path: Path) -> None:
    (tmp_path / "out").symlink_to("other")
    (tmp_path / "other").symlink_to("out")
    with pytest.raises(OutputRefused, match="out is a link that leads back to itself; name a file elsewhere"):
        check_folder(tmp_path / "out")


@pytest.mark.parametrize("is_there", [True, False])
def test_a_folder_that_may_not_be_written_to_is_refused(tmp_path: Path, is_there: bool) -> None:
    if is_there:
        (tmp_path / "out").touch()
    tmp_path.chmod(0o500)
    if os.access(tmp_path, os.W_OK):
        pytest.skip("root may write everywhere")
    with pytest.raises(OutputRefused, match="is closed to you; name a file elsewhere"):
        check(tmp_path / "out", force=True)


def test_a_link_is_written_where_what_it_points_to_is(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "there" / "out")
    with written(tmp_path / "link", force=False) as part:
        part.write_text("all")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "there" / "out").read_text() == "all"
