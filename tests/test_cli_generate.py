"""``gridmill generate`` writes what `gridmill.generate` makes."""

import csv
import io
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from gridmill.cli import app
from gridmill.generate import generate


def run(*arguments: str) -> str:
    result = CliRunner().invoke(app, ["generate", *arguments])
    assert result.exit_code == 0, result.output
    return result.stdout


def refused(*arguments: str) -> str:
    result = CliRunner().invoke(app, ["generate", *arguments])
    assert (result.exit_code, result.stdout) == (2, "")
    return result.stderr


def test_puzzles_are_written_one_a_line() -> None:
    assert run("3", "--seed", "7").splitlines() == [puzzle for puzzle, _ in generate(3, seed=7)]


def test_solutions_are_written_as_a_table() -> None:
    rows = list(csv.DictReader(io.StringIO(run("3", "--seed", "7", "--solutions"))))
    assert [(row["puzzle"], row["solution"]) for row in rows] == list(generate(3, seed=7))


def test_givens_and_minimal_are_handed_on() -> None:
    puzzles = run("2", "--seed", "7", "--givens", "25-26", "--minimal").splitlines()
    assert puzzles == [puzzle for puzzle, _ in generate(2, seed=7, givens=(25, 26), minimal=True)]


def test_a_file_is_written(tmp_path: Path) -> None:
    out = tmp_path / "puzzles.txt"
    assert run("2", "-o", str(out)) == ""
    assert out.read_text(encoding="ascii") == run("2")


def test_a_file_that_exists_is_left_alone(tmp_path: Path) -> None:
    out = tmp_path / "puzzles.txt"
    out.write_text("mine", encoding="ascii")
    assert f"{out} exists already" in refused("2", "-o", str(out))
    assert out.read_text(encoding="ascii") == "mine"


def test_a_file_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    out = tmp_path / "nowhere" / "puzzles.txt"
    assert f"cannot write {out}: there is no folder {out.parent}" in refused("2", "-o", str(out))


def test_a_file_that_is_not_finished_gets_no_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(*arguments: object, **options: object) -> Iterator[tuple[str, str]]:
        yield "." * 81, "1" * 81
        assert len(list(tmp_path.iterdir())) == 1  # it is being written
        raise KeyboardInterrupt

    monkeypatch.setattr("gridmill.generate.generate", stopped)
    result = CliRunner().invoke(app, ["generate", "5", "-o", str(tmp_path / "puzzles.txt")])

    assert result.exit_code != 0
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("text", ["24", "24..30", "24-30-36", "²4-30"])
def test_givens_that_are_no_range_are_refused(text: str) -> None:
    assert "say two numbers as A-B" in refused("1", "--givens", text)
