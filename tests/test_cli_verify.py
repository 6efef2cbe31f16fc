"""``gridmill verify``."""

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from gridmill.cli import app
from gridmill.cli.screen import Screen

PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SOLUTION = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
EMPTY = "." * 81


def verify(text: str, *options: str) -> Result:
    return CliRunner().invoke(app, ["verify", "-", *options], input=text)


def test_true_answers_have_no_faults() -> None:
    ended = verify(f"{PUZZLE}:1:{SOLUTION}\n")
    assert (ended.exit_code, ended.stdout) == (0, "1 answer (1 without a status), faults: 0\n")


def test_each_fault_is_named_with_its_line() -> None:
    wrong = SOLUTION[::-1]
    ended = verify(f"{PUZZLE}:1:{SOLUTION}\n{PUZZLE}:1:{wrong}\n")
    assert ended.exit_code == 1
    fault, count = ended.stdout.splitlines()
    assert fault.startswith("-:2: ")
    assert count == "2 answers (2 without a status), faults: 1"


def test_it_says_when_solutions_were_counted_again() -> None:
    said = verify(f"{PUZZLE}:1:{SOLUTION}\n", "--recount").stdout
    assert said == "1 answer (1 without a status), their solutions counted again, faults: 0\n"


def test_quiet_prints_faults_alone() -> None:
    assert verify(f"{PUZZLE}:1:{SOLUTION}\n", "--quiet").stdout == ""


@pytest.mark.parametrize(("option", "code"), [((), 0), (("--recount",), 1)])
def test_a_false_unique_shows_when_solutions_are_counted(option: tuple[str, ...], code: int) -> None:
    assert verify(f"{EMPTY}:1:{SOLUTION}\n", *option).exit_code == code


def test_it_says_how_far_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Screen.__init__, "__kwdefaults__", {"talks": True, "period": 0.0})
    (tmp_path / "answers").write_text(f"{PUZZLE}:1:{SOLUTION}\n" * 300)
    ended = CliRunner().invoke(app, ["verify", str(tmp_path / "answers")])
    assert "gridmill: 300 of 300 records" in ended.stderr
    assert CliRunner().invoke(app, ["verify", "-q", str(tmp_path / "answers")]).stderr == ""


def test_repeats_in_what_can_be_read_only_once_are_not_checked_and_that_is_said() -> None:
    header = "record,line,id,puzzle,status,count,solution,solution2,nodes,detail"
    ended = verify(f"{header}\n1,1,,{PUZZLE},unique,1,{SOLUTION},,5,same as record 9\n")
    assert ended.exit_code == 0
    assert "1 says which record it is the same as" in ended.stderr


def test_parquet_through_a_pipe_is_refused_for_that() -> None:
    ended = CliRunner().invoke(app, ["verify", "-"], input=b"PAR1\x15\x04\n\xff")
    assert ended.exit_code == 2
    assert "standard input is Parquet, whose directory is at its end: save it to a file" in ended.stderr


def test_what_is_no_answers_file_is_a_usage_error() -> None:
    ended = verify(f"{PUZZLE}\n")
    assert ended.exit_code == 2
    assert "no answers file" in ended.stderr
