"""``gridmill solve`` from and into the formats that it knows, from end to end."""

import csv
import gzip
import json
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SOLUTION = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
OTHER = SOLUTION.translate(str.maketrans("12", "21"))

Command = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder of two files, one of them with a solution that is wrong."""
    made = tmp_path / "set"
    made.mkdir()
    (made / "1.json").write_text(json.dumps([{"id": "j", "puzzle": PUZZLE, "solution": SOLUTION}]))
    (made / "2.csv").write_text(f"id,puzzle,solution\nx,{PUZZLE},{OTHER}\ny,55{PUZZLE[2:]},\n")
    return made


def test_a_folder_is_solved_and_known_solutions_are_compared(folder: Path, tmp_path: Path, command: Command) -> None:
    # When a folder is solved into a packed table
    out = tmp_path / "out.csv.gz"
    ended = command("solve", str(folder), "-o", str(out), "--explain")
    assert ended.returncode == 0, ended.stderr
    # Then every record of every file has its answer, and the wrong solution is told
    with gzip.open(out, "rt") as file:
        rows = list(csv.DictReader(file))
    assert [(row["id"], row["status"], row["in_file"]) for row in rows] == [
        ("j", "unique", str(folder / "1.json")),
        ("x", "unique", str(folder / "2.csv")),
        ("y", "clash", str(folder / "2.csv")),
    ]
    assert [row["detail"] for row in rows][:2] == ["", "disagrees with the input's solution"]
    assert re.search(r"disagree with the input +1\n", ended.stderr)
    assert f"{folder / '1.json'}: json, for it is JSON, an array of puzzles" in ended.stderr


def test_parquet_is_made_when_the_job_is_done(folder: Path, tmp_path: Path, command: Command) -> None:
    parquet = pytest.importorskip("pyarrow.parquet", reason="the extra parquet is not installed")
    out = tmp_path / "out.parquet"
    ended = command("solve", str(folder), "-o", str(out), "--quiet")
    assert ended.returncode == 0, ended.stderr
    assert parquet.read_table(out).column("status").to_pylist() == ["unique", "unique", "clash"]
    assert command("verify", str(out)).returncode == 0
    assert sorted(path.name for path in tmp_path.iterdir() if path.name.startswith("out")) == ["out.parquet"]


def test_an_output_inside_the_folder_that_is_read_is_refused(folder: Path, command: Command) -> None:
    ended = command("solve", str(folder), "-o", str(folder / "out.csv"))
    assert ended.returncode == 2
    assert "out.csv lies in the folder" in ended.stderr
