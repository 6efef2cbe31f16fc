"""``gridmill stats``."""

import importlib
import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from gridmill.cli import app
from gridmill.cli.screen import Screen

PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
HEADER = "record,line,id,puzzle,status,count,solution,solution2,nodes,detail"


def run(*arguments: str, text: str = "") -> Result:
    return CliRunner().invoke(app, ["stats", *arguments], input=text)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "in.txt"
    path.write_text(f"# a comment\n{PUZZLE}\n{PUZZLE}\n{'.' * 81}\nno puzzle\n")
    return path


def test_a_collection_is_summed_up_in_tables(file: Path) -> None:
    ended = run(str(file))

    assert ended.exit_code == 0, ended.output
    lines = [line.split() for line in ended.stdout.splitlines()]
    for line in (
        ["records", "4"],
        ["lines", "skipped", "1"],
        ["same", "as", "an", "earlier", "one", "1"],
        ["givens:", "least,", "median,", "most", "0,", "30,", "30"],
    ):
        assert line in lines
    assert ["unique", "2", "50.0%"] in [line[:3] for line in lines]
    assert ["naked", "single", "2", "100.0%"] in [line[:4] for line in lines]


def test_when_all_is_read_the_number_of_all_records_is_no_estimate(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    module = importlib.import_module("gridmill.cli.stats")
    monkeypatch.setattr(module, "open_screen", lambda *_, **__: Screen(period=0.0))

    *_, last = run(str(file)).stderr.splitlines()

    assert "4 of 4 records" in last


def test_a_program_gets_json(file: Path) -> None:
    said = json.loads(run(str(file), str(file), "--json").stdout)

    assert (said["files"], said["skipped"], said["records"]) == ([str(file)] * 2, 2, 8)
    assert said["statuses"] == {"unique": 4, "multiple": 2, "malformed": 2}
    assert said["givens"]["records"] == {"0": 2, "30": 4}
    assert said["repeated"] == 4


def test_many_different_numbers_of_givens_share_rows(tmp_path: Path) -> None:
    solution = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
    (tmp_path / "in.txt").write_text("".join(f"{solution[:at]}{'.' * (81 - at)}\n" for at in range(40, 82)))

    lines = [line.split() for line in run(str(tmp_path / "in.txt")).stdout.splitlines()]

    assert ["40-42", "3", "7.1%"] in [line[:3] for line in lines]
    assert ["79-81", "3", "7.1%"] in [line[:3] for line in lines]


def test_standard_input_is_taken_too() -> None:
    assert json.loads(run("-", "--json", text=f"{PUZZLE}\n").stdout)["records"] == 1


def test_what_is_undecided_is_told_by_the_exit_code(tmp_path: Path) -> None:
    (tmp_path / "out.csv").write_text(f"{HEADER}\n1,1,,{PUZZLE},undecided,,,,1000,\n")
    assert run(str(tmp_path / "out.csv")).exit_code == 3


def test_what_cannot_be_read_is_told_in_words(tmp_path: Path) -> None:
    ended = run(str(tmp_path / "nothing.txt"))
    assert ended.exit_code == 2
    assert "nothing.txt" in ended.stderr
