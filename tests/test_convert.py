"""From one file of puzzles to another."""

import io
from pathlib import Path

import pytest

from gridmill.chunk import Record
from gridmill.convert import Count, convert
from gridmill.errors import FormatError, OutputRefused
from gridmill.formats.input import Input

PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"


def read(tmp_path: Path, text: str, name: str = "in") -> Input:
    (tmp_path / name).write_text(text)
    return Input([str(tmp_path / name)])


def ignore(file: str, record: Record) -> None:
    """For where nobody looks at what is malformed."""


def test_a_file_is_written_when_it_is_whole(tmp_path: Path) -> None:
    out = tmp_path / "out.sdm"
    assert convert(read(tmp_path, f"{PUZZLE}\n{PUZZLE}\n"), out, "sdm", ignore) == Count(2, 0)
    assert out.read_text() == f"{PUZZLE.replace('.', '0')}\n" * 2
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in", "out.sdm"]


def test_a_stream_is_written_too(tmp_path: Path) -> None:
    out = io.BytesIO()
    convert(read(tmp_path, f"{PUZZLE}\n"), out, "lines", ignore)
    assert out.getvalue().decode() == f"{PUZZLE}\n"


def test_what_is_no_puzzle_is_told_with_its_file_and_counted(tmp_path: Path) -> None:
    told: list[tuple[str, int]] = []
    text = f"{PUZZLE}\n{PUZZLE[1:]}\n"
    one = read(tmp_path, text)
    assert convert(one, io.BytesIO(), "lines", lambda file, record: told.append((file, record.line))) == Count(2, 1)
    read(tmp_path, text, "other")
    two = Input([str(tmp_path / "in"), str(tmp_path / "other")])
    convert(two, io.BytesIO(), "lines", lambda file, record: told.append((file, record.line)))
    assert told == [(str(tmp_path / name), 2) for name in ("in", "in", "other")]


def test_a_file_that_exists_is_left_alone_unless_it_is_forced(tmp_path: Path) -> None:
    source, out = read(tmp_path, PUZZLE), tmp_path / "out"
    out.write_text("mine")
    with pytest.raises(OutputRefused, match="exists; give --force"):
        convert(source, out, "lines", ignore)
    assert out.read_text() == "mine"
    convert(source, out, "lines", ignore, force=True)
    assert out.read_text() == f"{PUZZLE}\n"


def test_a_file_can_be_converted_in_its_place(tmp_path: Path) -> None:
    convert(read(tmp_path, f"{PUZZLE}\n"), tmp_path / "in", "csv", ignore, force=True)
    assert (tmp_path / "in").read_text() == f"id,puzzle\n,{PUZZLE}\n"


def test_the_part_of_an_unfinished_run_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "out.part").write_text("answers")
    convert(read(tmp_path, f"{PUZZLE}\n"), tmp_path / "out", "lines", ignore)
    assert (tmp_path / "out.part").read_text() == "answers"


def test_an_input_that_breaks_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="broken JSON"):
        convert(read(tmp_path, f'["{PUZZLE}",'), tmp_path / "out", "lines", ignore)
    assert [path.name for path in tmp_path.iterdir()] == ["in"]


def test_a_device_and_a_missing_folder_are_refused(tmp_path: Path) -> None:
    source = read(tmp_path, PUZZLE)
    with pytest.raises(OutputRefused, match="/dev/null is no regular file"):
        convert(source, Path("/dev/null"), "lines", ignore, force=True)
    with pytest.raises(OutputRefused, match=r"there is no folder .*/nowhere; make it"):
        convert(source, tmp_path / "nowhere" / "out", "lines", ignore)
