"""``gridmill convert``."""

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from gridmill.cli import app

PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"


def run(*arguments: str, text: str = "") -> Result:
    return CliRunner().invoke(app, ["convert", *arguments], input=text)


def test_the_ending_chooses_the_format(tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    ended = run("-", str(out), text=f"{PUZZLE}\n")
    assert (ended.exit_code, ended.stdout) == (0, "")
    assert ended.stderr == "gridmill: records written as jsonl: 1, malformed: 0, lines skipped: 0\n"
    assert out.read_text() == f'{{"id":"","puzzle":"{PUZZLE}"}}\n'


def test_the_help_names_the_formats() -> None:
    assert "--format csv|jsonl|lines|sdm|parquet" in run("--help").stdout


def test_standard_output_gets_nothing_but_puzzles() -> None:
    ended = run("-", "-", "--format", "sdm", "--explain", text=f"{PUZZLE}\n")
    assert ended.stdout == f"{PUZZLE.replace('.', '0')}\n"
    assert "standard input: lines, for line 1 is a board" in ended.stderr


def test_several_files_become_one(tmp_path: Path) -> None:
    for name in "ab":
        (tmp_path / name).write_text(f"{PUZZLE}\n")
    ended = run(str(tmp_path / "a"), str(tmp_path / "b"), "-", "--quiet")
    assert ended.stdout.splitlines() == ["id,puzzle,file", *(f",{PUZZLE},{tmp_path / name}" for name in "ab")]


def test_what_is_no_puzzle_is_told_and_the_exit_code_is_1(tmp_path: Path) -> None:
    (tmp_path / "in").write_text(f"{PUZZLE}\n?{PUZZLE[1:]}\n")
    ended = run(str(tmp_path / "in"), "-", "--format", "lines")
    assert ended.exit_code == 1
    assert ended.stdout.splitlines() == [PUZZLE, "<malformed>"]
    assert "in:2, column 3: two kinds of blank in one board" in ended.stderr


def test_only_the_first_faults_are_told_one_by_one(tmp_path: Path) -> None:
    (tmp_path / "in").write_text("rubbish\n" * 100)
    ended = run(str(tmp_path / "in"), "-", "--format", "lines")
    assert ended.stderr.count("in:") == 20
    assert "malformed: 100" in ended.stderr


def test_how_the_input_is_read_can_be_said(tmp_path: Path) -> None:
    (tmp_path / "in").write_text(f"1;{PUZZLE.replace('.', '#')};x\n")
    options = ("--column", "2", "--blank", "#", "--input-format", "csv", "--format", "lines", "--quiet")
    assert run(str(tmp_path / "in"), "-", *options).stdout == f"{PUZZLE}\n"


def test_an_unknown_format_is_a_usage_error() -> None:
    ended = run("-", "-", "--format", "xml", text=PUZZLE)
    assert ended.exit_code == 2
    assert "there is no output format 'xml'" in ended.stderr


@pytest.mark.parametrize("name", ["nodes", "line", "givens"])
def test_a_column_of_any_name_goes_to_parquet(name: str, tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet", reason="the extra parquet is not installed")
    (tmp_path / "in.csv").write_text(f"puzzle,{name}\n{PUZZLE},few\n")

    assert run(str(tmp_path / "in.csv"), str(tmp_path / "out.parquet")).exit_code == 0

    assert parquet.read_table(tmp_path / "out.parquet").column(name).to_pylist() == ["few"]
