"""``gridmill formats``."""

from pathlib import Path

from click.testing import CliRunner, Result

from gridmill.cli import app
from gridmill.formats.catalogue import FORMATS, PUZZLE, REFUSED


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["formats", *arguments])


def test_every_format_has_a_line_and_an_example() -> None:
    text = run().stdout
    lines = text.splitlines()
    assert [line.split()[0] for line in lines[1 : len(FORMATS) + 1]] == [entry.name for entry in FORMATS]
    assert [entry.name for entry in FORMATS if entry.example and f"\n{entry.name}\n    " not in text] == []


def test_every_stranger_is_named() -> None:
    text = run().stdout
    assert [name for name in REFUSED if name not in text] == []


def test_it_says_what_files_are_and_why(tmp_path: Path) -> None:
    (tmp_path / "a").write_text(f"{PUZZLE}\n")
    (tmp_path / "b").write_text(f"id,puzzle\n1,{PUZZLE}\n")
    assert run(str(tmp_path)).stdout.splitlines() == [
        f"{tmp_path / 'a'}: lines, for line 1 is a board",
        f"{tmp_path / 'b'}: csv, for line 1 is a header, puzzles in the column 'puzzle'",
    ]


def test_a_stranger_is_a_usage_error(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"BZh91AY&SY")
    ended = run(str(tmp_path / "a"))
    assert ended.exit_code == 2
    assert "a is a bzip2 file, which Gridmill does not read: unpack it first (bzip2 -dc)" in ended.stderr
