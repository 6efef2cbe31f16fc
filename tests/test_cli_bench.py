"""``gridmill bench``."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from gridmill import bench, kernel, solvers
from gridmill.bench import pipeline, stages
from gridmill.bench import sample as sampling
from gridmill.cli import app

PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """One chunk is enough."""
    monkeypatch.setattr(sampling, "CHUNKS", 1)
    monkeypatch.setattr(pipeline, "CHUNKS", 1)
    monkeypatch.setattr(stages, "LEAST_SECONDS", 0.0)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "puzzles.txt"
    path.write_text(f"{PUZZLE}\n")
    return path


def run(file: Path, *options: str) -> Result:
    return CliRunner().invoke(app, ["bench", str(file), "--solver", "bitmask", "--repeat", "1", *options])


def test_json_is_one_object_with_every_key(file: Path) -> None:
    ended = run(file, "--json")
    assert ended.exit_code == 0, ended.output
    said = json.loads(ended.stdout)
    assert said.keys() == set(bench.Report.__struct_fields__)
    assert said.keys() >= {"kernel", "verify", "parse", "pipeline", "cpu_ns", "machine", "versions", "width"}
    assert said["width"] == kernel.name()


def test_the_table_names_every_stage_and_what_was_measured(file: Path) -> None:
    ended = run(file, "--workers", "1")
    assert ended.exit_code == 0, ended.output
    stages = [line.split()[0] for line in ended.stdout.splitlines()[:11] if line]
    assert stages[:6] == ["stage", "kernel", "cores", "verify", "parse", "pipeline"]
    many = f"{solvers.get('bitmask').chunk:,}"
    assert f"{file}: 1 board; {many} in memory ({many} unique), every answer checked" in ended.stdout
    assert "of the solver alone on 1 core; " in ended.stdout
    assert f"solver bitmask, kernel {kernel.name()}; each measured once" in ended.stdout


def test_a_file_that_is_not_there_is_a_usage_error(tmp_path: Path) -> None:
    assert run(tmp_path / "nothing.txt").exit_code == 2


def test_an_unknown_solver_is_a_usage_error(file: Path) -> None:
    assert CliRunner().invoke(app, ["bench", str(file), "--solver", "quick"]).exit_code == 2
