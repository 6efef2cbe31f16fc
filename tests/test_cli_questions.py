"""``gridmill solve`` with questions beside the solution, as a process: real workers, a private server."""

import csv
import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

Command = Callable[..., "subprocess.CompletedProcess[str]"]

UNIQUE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SOLUTION = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
TWO = "..3456789456789123789123456..4365897365897214897214365531642978642978531978531642"
MANY = "31...9......18........3...5.....4....21.....4..6..79...4.3.8..2.......7..9...6..."  # has 2718
BOTH = ["12".join(TWO.split("..", 1)).replace("..", "21"), "21".join(TWO.split("..", 1)).replace("..", "12")]

RATED = {
    "..6...8.4.....823...4.167.....59.14.349.6.5....5...6..167...3...9.6.2...452731...": "naked single",
    "39.12.87..7...8.93..8...5..4.73..615...6......31.4......9..1.3..1.....575.3.749..": "hidden single",
    "...7...9.......5.67.6.4......43.2....61..4.2723....1.8.57...2......89.......5.964": "locked candidates",
    "...2.86....8.....2.2913....3.16..9...65..1...8..........4.7...67.....8.59..3.2.7.": "subset",
    "16.83........9...4..5..6.1.....6.5..8...4.6.......5..25....3.2838..5.4....7.8...6": "search",
}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "in.csv"
    path.write_text(f"puzzle,name\n{UNIQUE},one\n{TWO},two\nno puzzle,\n{MANY},many\n")
    return path


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(newline="") as answers:
        return list(csv.DictReader(answers))


@pytest.mark.parametrize(("most", "counts"), [("3000", ["1", "2", "", "2718"]), ("2", ["1", "2", "", ">2"])])
def test_solutions_are_counted(file: Path, tmp_path: Path, command: Command, most: str, counts: list[str]) -> None:
    ended = command("solve", file, "-o", "out.csv", "--count", most)

    assert ended.returncode == 0, ended.stderr
    assert [row["count"] for row in rows(tmp_path / "out.csv")] == counts


def test_listed_solutions_stand_before_the_columns_of_the_input(file: Path, tmp_path: Path, command: Command) -> None:
    assert command("solve", file, "-o", "out.csv", "--all", "--count", "2").returncode == 0

    unique, two, malformed, many = rows(tmp_path / "out.csv")
    assert list(unique)[-3:] == ["detail", "solutions", "in_name"]
    assert (unique["solutions"], two["solutions"].split(), malformed["solutions"]) == (SOLUTION, BOTH, "")
    assert (many["count"], len(many["solutions"].split()), many["in_name"]) == (">2", 2, "many")


def test_listed_solutions_are_a_list_in_json(file: Path, tmp_path: Path, command: Command) -> None:
    assert command("solve", file, "-o", "out.jsonl", "--all").returncode == 0

    unique, two, malformed, many = map(json.loads, (tmp_path / "out.jsonl").read_text().splitlines())
    assert (unique["solutions"], two["solutions"], malformed["solutions"]) == ([SOLUTION], BOTH, [])
    assert (many["count"], len(many["solutions"]), many["in"]) == (">500", 500, {"name": "many"})


def test_listed_solutions_share_a_line_where_there_are_only_lines(file: Path, command: Command) -> None:
    ended = command("solve", file, "--format", "lines", "--all", "--count", "2", "--quiet")

    lines = ended.stdout.splitlines()
    assert lines[:3] == [SOLUTION, " ".join(BOTH), "<malformed>"]
    assert lines[3].endswith(" >2")


@pytest.mark.parametrize("out", ["out.csv", "out.jsonl", "out.parquet"])
def test_what_was_asked_is_true(tmp_path: Path, command: Command, out: str) -> None:
    (tmp_path / "in.txt").write_text("".join(f"{board}\n" for board in (UNIQUE, TWO, "no puzzle", MANY, UNIQUE)))
    asked = command("solve", "in.txt", "-o", out, "--all", "--minimal", "--canonical", "--dedupe", "--audit", "1")

    proof = command("verify", out, "--recount")

    assert asked.returncode == 0, asked.stderr
    assert "5 answers (1 malformed, 2 multiple, 2 unique), their solutions counted again, faults: 0" in proof.stdout


@pytest.mark.parametrize(
    ("is_so", "fault"),
    [
        (f"{BOTH[0]} {BOTH[1]}", f"{BOTH[0]} {BOTH[0]}"),
        (BOTH[1] + ",,", BOTH[1] + ",yes,"),
        ("same as record 1", "same as record 2"),
    ],
)
def test_what_is_false_is_found(tmp_path: Path, command: Command, is_so: str, fault: str) -> None:
    (tmp_path / "in.txt").write_text(f"{UNIQUE}\n{TWO}\n{UNIQUE}\n")
    command("solve", "in.txt", "-o", "out.csv", "--all", "--minimal", "--dedupe")
    answers = (tmp_path / "out.csv").read_text()
    assert is_so in answers
    (tmp_path / "out.csv").write_text(answers.replace(is_so, fault))

    ended = command("verify", "out.csv")

    assert (ended.returncode, ended.stdout.count("column"), "faults: 1" in ended.stdout) == (1, 1, True), ended.stdout


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (["--format", "lines", "--difficulty"], "lines has no place for --difficulty"),
        (["--format", "sdm", "--count", "2"], "sdm has no place for --count; choose one of csv, jsonl, counts"),
        (["--first", "--all"], "--first looks for no second solution, so no --count, --all or --minimal"),
        (["--count", "0"], "0 is not from 1 to 1,000,000"),
        (["--count", "1000001"], "1000001 is not from 1 to 1,000,000"),
        (["--solver", "sat", "--count", "2"], "the solver sat cannot count solutions"),
        (["--all", "--count", "10001"], "--all lists up to 10,000 solutions"),
    ],
)
def test_what_cannot_be_asked_is_refused_before_anything_is_written(
    file: Path, tmp_path: Path, refused: Callable[..., str], options: list[str], reason: str
) -> None:
    assert reason in refused("solve", file, "-o", "out.csv", *options)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in.csv"]


def test_the_same_puzzle_in_another_dress_has_the_same_form(tmp_path: Path, command: Command) -> None:
    dressed = "".join(UNIQUE[column::9] for column in range(9)).translate(str.maketrans("123456789", "987654321"))
    (tmp_path / "in.txt").write_text(f"{UNIQUE}\n{dressed}\n{TWO}\n{'55' + '.' * 79}\n")

    ended = command("solve", "in.txt", "-o", "out.csv", "--canonical")

    assert ended.returncode == 0, ended.stderr
    one, other, two, clash = (row["canonical"] for row in rows(tmp_path / "out.csv"))
    assert one == other
    assert (len(one), len(two), clash) == (81, 81, "")
    assert one != two


def test_forms_are_refused_without_the_kernel(file: Path, command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRIDMILL_KERNEL", "python")
    monkeypatch.delenv("GRIDMILL_REQUIRE_NATIVE", raising=False)

    ended = command("solve", file, "-o", "out.csv", "--canonical")

    assert (ended.returncode, "--canonical needs the native kernel" in ended.stderr) == (2, True), ended.stderr


def test_repeated_puzzles_say_so_and_are_counted(tmp_path: Path, command: Command) -> None:
    dressed = UNIQUE.translate(str.maketrans("12345", "23451"))
    (tmp_path / "in.txt").write_text(f"{UNIQUE}\n{dressed}\n{TWO}\n{UNIQUE}\n")

    ended = command("solve", "in.txt", "-o", "out.csv", "--canonical", "--dedupe", "--chunk", "1")

    assert [row["detail"] for row in rows(tmp_path / "out.csv")] == [
        "", "same as record 1 in another dress", "", "same as record 1",
    ]  # fmt: skip
    assert [line.split()[-1] for line in ended.stderr.splitlines() if "same as" in line or "dress" in line] == [
        "1",
        "1",
    ]


@pytest.mark.parametrize(("form", "kernel"), [("csv", ""), ("jsonl", "python"), ("parquet", "")])
def test_difficulty_is_told_by_givens_and_technique(
    tmp_path: Path, command: Command, monkeypatch: pytest.MonkeyPatch, form: str, kernel: str
) -> None:
    monkeypatch.setenv("GRIDMILL_KERNEL", kernel)
    monkeypatch.delenv("GRIDMILL_REQUIRE_NATIVE", raising=False)
    (tmp_path / "in.txt").write_text("".join(f"{puzzle}\n" for puzzle in (*RATED, TWO, "no puzzle", "55" + "." * 79)))

    ended = command("solve", "in.txt", "-o", f"out.{form}", "--difficulty", "--solver", "bitmask")

    assert ended.returncode == 0, ended.stderr
    assert told(tmp_path / f"out.{form}") == [
        *((str(81 - puzzle.count(".")), technique) for puzzle, technique in RATED.items()),
        ("77", ""), ("", ""), ("2", ""),
    ]  # fmt: skip


def told(path: Path) -> list[tuple[str, str]]:
    """Givens and technique of each row, in whatever format."""
    if path.suffix == ".csv":
        return [(row["givens"], row["technique"]) for row in rows(path)]
    if path.suffix == ".jsonl":
        said = [json.loads(line) for line in path.read_text().splitlines()]
    else:
        said = pytest.importorskip("pyarrow.parquet").read_table(path).to_pylist()
    assert {type(row["givens"]) for row in said} == {int, type(None)}
    return [("" if row["givens"] is None else str(row["givens"]), row["technique"]) for row in said]


def test_givens_that_can_be_spared_are_named(file: Path, tmp_path: Path, command: Command) -> None:
    full = "." + SOLUTION[1:]
    (tmp_path / "in.txt").write_text(f"{full}\n{TWO}\n{UNIQUE}\n")

    assert command("solve", "in.txt", "-o", "out.jsonl", "--minimal", "--audit", "1").returncode == 0

    many, two, unique = map(json.loads, (tmp_path / "out.jsonl").read_text().splitlines())
    assert (many["minimal"], two["minimal"], unique["minimal"]) == (False, None, False)
    assert (len(many["redundant"]), many["redundant"][0], two["redundant"]) == (80, "r1c2", [])
