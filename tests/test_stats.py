"""What a collection of puzzles is like."""

import json
import random
from pathlib import Path

import pytest
from dress import transform

import gridmill
from gridmill import kernel, solvers
from gridmill.answers import Status
from gridmill.api.records import Records
from gridmill.errors import BoardError, FormatError
from gridmill.formats.input import Input
from gridmill.stats import Numbers, Stats, parts, span

NAKED = "..6...8.4.....823...4.167.....59.14.349.6.5....5...6..167...3...9.6.2...452731..."
SEARCH = "16.83........9...4..5..6.1.....6.5..8...4.6.......5..25....3.2838..5.4....7.8...6"
TWO = "..3456789456789123789123456..4365897365897214897214365531642978642978531978531642"
CLASH = "55" + "." * 79
DRESSED = transform(NAKED, random.Random(1))
LINES = [NAKED, SEARCH, TWO, CLASH, "no puzzle", NAKED, DRESSED, DRESSED, CLASH]


def of(*files: Path) -> Stats:
    found = Stats()
    for file in files:
        for part in parts(Input((str(file),)), str(file)):
            found.add(part)
    return found


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "in.txt"
    path.write_text("".join(f"{line}\n" for line in LINES))
    return path


@pytest.mark.usefixtures("implementation")
def test_all_of_it_is_summed_up(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solvers, "DEFAULT", "lanes" if kernel.native else "bitmask")  # as it is where that is imported

    found = of(file)

    assert found.records == len(LINES)
    assert found.counts == {"unique": 5, "multiple": 1, "clash": 2, "malformed": 1}
    assert found.givens == {34: 4, 27: 1, 77: 1, 2: 2}
    assert found.techniques == {"naked single": 4, "search": 1}
    assert (found.repeated, found.dressed) == (3, 1 if kernel.native else None)
    assert sum(found.nodes.values()) == len(LINES)


@pytest.mark.parametrize("form", ["csv", "jsonl", "parquet", "csv.gz"])
def test_answers_are_summed_up_as_the_puzzles_are(form: str, file: Path, tmp_path: Path) -> None:
    if form == "parquet":
        pytest.importorskip("pyarrow", reason="the extra parquet is not installed")
    answers = tmp_path / f"out.{form}"
    gridmill.write(str(answers), gridmill.solve_many(Records(Input((str(file),)))))

    assert of(answers).as_dict() == of(file).as_dict()


def test_answers_are_not_solved_again(file: Path, tmp_path: Path) -> None:
    (tmp_path / "out.csv").write_text(
        "record,line,id,puzzle,status,count,solution,solution2,nodes,detail\n"
        f"1,1,,{NAKED},undecided,,,,1000,\n2,2,,{NAKED},unique,1,{NAKED},,3,\n"
    )

    found = of(tmp_path / "out.csv")

    assert found.counts == {"undecided": 1, "unique": 1}
    assert (found.nodes_sum, found.nodes_most, found.is_decided) == (1003, 1000, False)
    assert found.techniques == {"naked single": 1}


def test_several_files_are_one_collection(file: Path) -> None:
    once, twice = of(file), of(file, file)

    assert twice.records == 2 * once.records
    assert twice.repeated == once.repeated + len(LINES) - 1  # all but the malformed one
    assert twice.dressed == once.dressed


@pytest.mark.parametrize("row", ["fine,1,,,0,", "unique,1,,,many,"])
def test_a_damaged_answers_file_is_refused(row: str, tmp_path: Path) -> None:
    file = tmp_path / "out.csv"
    file.write_text(f"record,line,id,puzzle,status,count,solution,solution2,nodes,detail\n1,1,,{NAKED},{row}\n")
    with pytest.raises(FormatError, match=r"out\.csv is no answers file"):
        of(file)


def test_json_lines_with_a_puzzle_that_is_none_are_refused(file: Path, tmp_path: Path) -> None:
    answers = tmp_path / "out.jsonl"
    gridmill.write(str(answers), gridmill.solve_many([NAKED, SEARCH]))
    answers.write_text(answers.read_text().replace(NAKED, NAKED[1:]))
    with pytest.raises((FormatError, BoardError)):
        of(answers)


@pytest.mark.parametrize(
    ("numbers", "median"), [([], None), ([5], 5), ([1, 2], 1.5), ([1, 1, 9], 1), ([3, 3, 4, 9], 3.5)]
)
def test_the_median_parts_the_numbers_in_two_halves(numbers: list[int], median: float | None) -> None:
    assert Numbers(numbers).median == median


def test_numbers_of_nodes_are_named_by_what_they_span() -> None:
    assert [span(bits) for bits in range(5)] == ["0", "1", "2-3", "4-7", "8-15"]


def test_what_is_said_is_json(file: Path) -> None:
    said = json.loads(json.dumps(of(file).as_dict()))
    assert said["statuses"] == {"unique": 5, "multiple": 1, "clash": 2, "malformed": 1}
    assert list(said["statuses"]) == [status for status in map(str, Status) if status in said["statuses"]]
    assert said["techniques"] == dict.fromkeys(said["techniques"], 0) | {"naked single": 4, "search": 1}
    assert said["givens"]["records"] == {"2": 2, "27": 1, "34": 4, "77": 1}


def test_nothing_is_a_collection_too() -> None:
    assert Stats().as_dict()["records"] == 0
