"""Folders and patterns stand for files, in an order that does not depend on the file system."""

import os
from pathlib import Path

import pytest

from gridmill.errors import FormatError
from gridmill.formats.paths import expand, natural


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Files in an order of making that is none of their names."""
    for name in ("p10.sdk", "p2.sdk", "p1.sdk", "deep/a.txt", ".hidden", ".git/x", "out.csv.part", "out.csv.gridmill"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.touch()
    return tmp_path


def test_a_folder_stands_for_the_files_in_it_and_below_in_the_order_of_their_numbers(folder: Path) -> None:
    names = [os.path.relpath(path, folder) for path in expand([str(folder)])]
    assert names == ["deep/a.txt", "p1.sdk", "p2.sdk", "p10.sdk"]


def test_a_pattern_stands_for_the_files_that_match(folder: Path) -> None:
    assert [Path(path).name for path in expand([f"{folder}/p*"])] == ["p1.sdk", "p2.sdk", "p10.sdk"]
    assert [Path(path).name for path in expand([f"{folder}/**/*.txt"])] == ["a.txt"]


def test_a_file_whose_name_looks_like_a_pattern_is_that_file(tmp_path: Path) -> None:
    path = tmp_path / "a[1].txt"
    path.touch()
    assert expand([str(path)]) == [str(path)]


def test_what_does_not_exist_and_standard_input_stay_what_they_are() -> None:
    assert expand(["/no/such/file", "-", "a\0*"]) == ["/no/such/file", "-", "a\0*"]


def test_an_order_of_arguments_is_kept(folder: Path) -> None:
    paths = [str(folder / "p10.sdk"), str(folder / "deep"), str(folder / "p1.sdk")]
    assert [Path(path).name for path in expand(paths)] == ["p10.sdk", "a.txt", "p1.sdk"]


def test_an_empty_folder_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="holds no file; name a file"):
        expand([str(tmp_path)])


@pytest.mark.parametrize("path", ["/", "//", "/../."])
def test_the_whole_file_system_is_refused(path: str) -> None:
    with pytest.raises(FormatError, match="is the whole file system; name a file, or - for standard input"):
        expand([path])


def test_a_pattern_without_a_match_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"no file matches .*\*\.sdk"):
        expand([f"{tmp_path}/*.sdk"])


def test_links_that_lead_round_in_a_circle_are_not_followed(folder: Path) -> None:
    (folder / "deep" / "up").symlink_to(folder)
    assert len(expand([str(folder)])) == 4


@pytest.mark.parametrize(
    ("first", "second"), [("a2", "a10"), ("a", "a1"), ("a1b2", "a1b10"), ("01", "1"), ("a" + "9" * 30, "b")]
)
def test_numbers_in_names_are_compared_by_their_value(first: str, second: str) -> None:
    assert natural(first) < natural(second)
