"""Files from a program: what it reads are the records of a file, what it writes are the bytes of the command."""

import gzip
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import gridmill
from gridmill.errors import FormatError, OutputRefused, SettingsError
from gridmill.formats.output import FINISHES
from gridmill.record import Record

ROOT = Path(__file__).parent.parent
MIXED = ROOT / "examples" / "mixed.csv"
PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"

Command = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.mark.parametrize("name", ["a.csv", "a.txt", "a.parquet", "a.jsonl.gz"])
def test_the_bytes_are_the_commands(name: str, command: Command, tmp_path: Path) -> None:
    assert command("solve", MIXED, "-o", name).returncode == 0
    gridmill.write(tmp_path / f"own-{name}", gridmill.solve_many(gridmill.read(MIXED)))
    unpack = gzip.decompress if name.endswith(".gz") else bytes  # what is packed at a time differs
    assert unpack((tmp_path / f"own-{name}").read_bytes()) == unpack((tmp_path / name).read_bytes())


@pytest.mark.parametrize(("name", "every"), [("a.csv", True), ("a.jsonl", False), ("a.parquet", True)])
def test_what_else_is_asked_is_answered_as_by_the_command(
    name: str, every: bool, command: Command, tmp_path: Path
) -> None:
    assert command("solve", MIXED, "-o", name, "--count", 50, *["--all"] * every).returncode == 0
    asked = gridmill.Questions.of(count=50, every=every)
    gridmill.write(tmp_path / f"own-{name}", gridmill.solve_many(gridmill.read(MIXED), asked=asked))
    assert (tmp_path / f"own-{name}").read_bytes() == (tmp_path / name).read_bytes()


def test_a_form_goes_before_the_ending(tmp_path: Path) -> None:
    gridmill.write(tmp_path / "a.csv", gridmill.solve_many([PUZZLE]), form="counts")
    assert (tmp_path / "a.csv").read_text().startswith(f"{PUZZLE}:1:")


def test_answers_may_come_in_parts(tmp_path: Path) -> None:
    parts = (gridmill.solve_many(boards) for boards in ([PUZZLE], ["." * 81]))
    gridmill.write(tmp_path / "a.txt", parts)
    gridmill.write(tmp_path / "b.txt", gridmill.solve_many([PUZZLE, "." * 81]))
    assert (tmp_path / "a.txt").read_bytes() == (tmp_path / "b.txt").read_bytes()


def test_a_file_that_exists_is_overwritten_only_when_that_is_said(tmp_path: Path) -> None:
    out = tmp_path / "a.txt"
    out.write_text("mine")
    with pytest.raises(OutputRefused, match="exists"):
        gridmill.write(out, gridmill.solve_many([PUZZLE]))
    assert out.read_text() == "mine"
    gridmill.write(out, gridmill.solve_many([PUZZLE]), force=True)
    assert out.read_text() != "mine"


def test_a_folder_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(OutputRefused, match=r"there is no folder .*/no; make it"):
        gridmill.write(tmp_path / "no" / "a.txt", gridmill.solve_many([PUZZLE]))


def test_an_unknown_form_is_refused_before_anything_is_written(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="no output format 'x'"):
        gridmill.write(tmp_path / "a.txt", gridmill.solve_many([PUZZLE]), form="x")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["a.txt", "a.parquet"])
def test_nothing_is_left_of_answers_that_break_off(name: str, tmp_path: Path) -> None:
    def parts() -> Iterator[Any]:
        yield gridmill.solve_many([PUZZLE])
        raise EOFError

    with pytest.raises(EOFError):
        gridmill.write(tmp_path / name, parts())
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", [f"a.{name}" for name in FINISHES])
def test_nothing_but_the_file_is_left(name: str, tmp_path: Path) -> None:
    gridmill.write(tmp_path / name, gridmill.solve_many([PUZZLE]))
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_a_file_is_read_record_by_record(tmp_path: Path) -> None:
    (tmp_path / "in.csv").write_text(f"id,puzzle,level\na,{PUZZLE},easy\nb,what?,hard\n")
    records = gridmill.read(tmp_path / "in.csv")
    assert records.columns == ("level",)
    first, second = records
    assert first == Record(2, PUZZLE, None, "a", ("easy",))
    assert second.fault
    assert list(records) == []


def test_what_is_said_of_a_file_is_how_it_is_read(tmp_path: Path) -> None:
    (tmp_path / "in.csv").write_text(f"x,y\n1,{PUZZLE.replace('.', '#')}\n")
    (record,) = gridmill.read(tmp_path / "in.csv", column="y", blank="#")
    assert record.board == PUZZLE


def test_a_file_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="cannot be read"):
        next(gridmill.read(tmp_path / "no.txt"))


def test_records_that_were_picked_are_solved_with_their_line_and_id() -> None:
    picked = [record for record in gridmill.read(MIXED) if record.id in ("m03", "m05")]
    rows = list(gridmill.solve_many(picked).rows())
    assert [(row.id, row.line, row.answer.status) for row in rows] == [("m03", 4, "none"), ("m05", 6, "malformed")]


def test_a_large_file_of_all_kinds_keeps_the_order_of_its_records(tmp_path: Path) -> None:
    lines = ([PUZZLE] * 3000 + ["what?"] * 10 + ["." * 81]) * 6
    (tmp_path / "in.txt").write_text("".join(f"{line}\n" for line in lines))
    rows = list(gridmill.solve_many(gridmill.read(tmp_path / "in.txt")).rows())
    assert [(row.record, row.line) for row in rows] == [(n, n) for n in range(1, len(lines) + 1)]
    assert [row.puzzle for row in rows] == lines
