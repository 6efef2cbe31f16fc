"""What is gathered of an answers file, in each of the formats that have all of it."""

import gzip
import json
from pathlib import Path

import pytest

from gridmill.answers import DISAGREES, Answer, Status
from gridmill.errors import FormatError
from gridmill.formats.output import writer
from gridmill.formats.parquet_out import finish
from gridmill.formats.row import Row
from gridmill.questions import Questions
from gridmill.report.figures import FIRST, HARDEST, Figures

PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SOLUTION = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
OTHER = SOLUTION[::-1]
CLASH = "55" + "." * 79
WRONG = 'no, "this" is none'

ROWS = [
    Row(1, 2, "a", PUZZLE, Answer(Status.UNIQUE, SOLUTION, nodes=0), ("x",)),
    Row(2, 3, "b", PUZZLE, Answer(Status.MULTIPLE, SOLUTION, OTHER, nodes=9), ("x",)),
    Row(3, 4, "c", CLASH, Answer(Status.CLASH, detail="5 twice in row 1: r1c1, r1c2"), ("x",)),
    Row(4, 5, "d", WRONG, Answer(Status.MALFORMED, detail="column 1: bad"), ("x",)),
    Row(5, 7, "é", PUZZLE, Answer(Status.UNIQUE, SOLUTION, nodes=4, detail=f"{DISAGREES} with the input"), ("x",)),
]


def write(path: Path, rows: list[Row]) -> str:
    form = path.suffix.removeprefix(".")
    if form == "gz":
        made = writer("csv", ["own"])
        path.write_bytes(gzip.compress(made.header() + made.rows(rows)))
        return str(path)
    made = writer(form, ["own"])
    path.write_bytes(made.header() + made.rows(rows))
    if form == "parquet":
        whole = path.with_name("whole.parquet")
        list(finish(path, whole))
        return str(whole)
    return str(path)


@pytest.fixture(params=["csv", "jsonl", "parquet", "gz"])
def figures(request: pytest.FixtureRequest, tmp_path: Path) -> Figures:
    return Figures.of(write(tmp_path / f"answers.{request.param}", ROWS))


def test_every_status_is_counted(figures: Figures) -> None:
    assert figures.counts == {Status.UNIQUE: 2, Status.MULTIPLE: 1, Status.CLASH: 1, Status.MALFORMED: 1}
    assert figures.records == 5


def test_nodes_are_counted_by_their_bits(figures: Figures) -> None:
    assert figures.nodes[:5] == [3, 0, 0, 1, 1]


def test_givens_are_counted_where_there_is_a_board(figures: Figures) -> None:
    assert {givens: puzzles for givens, puzzles in enumerate(figures.givens) if puzzles} == {30: 3, 2: 1}


def test_techniques_are_counted_where_the_file_has_them(tmp_path: Path) -> None:
    for form in ("csv", "jsonl"):
        made = writer(form, [], Questions(difficulty=True))
        rows = [
            Row(1, 1, "", PUZZLE, Answer(Status.UNIQUE, SOLUTION), (), ("30", "naked single")),
            Row(2, 2, "", CLASH, Answer(Status.CLASH), (), ("2", "")),
        ]
        (tmp_path / f"answers.{form}").write_bytes(made.header() + made.rows(rows))
        assert Figures.of(str(tmp_path / f"answers.{form}")).techniques == {"naked single": 1}


def test_no_technique_is_counted_where_the_file_has_none(figures: Figures) -> None:
    assert figures.techniques == {}


def test_the_hardest_come_first(figures: Figures) -> None:
    assert [(hard.first.record, hard.first.nodes) for hard in figures.hardest] == [
        (2, 9)
    ]  # the other is the same puzzle


def test_what_is_shown_has_all_that_was_written(figures: Figures) -> None:
    (one,) = figures.first[Status.MULTIPLE]
    assert (one.record, one.line, one.id, one.puzzle, one.status) == (2, 3, "b", PUZZLE, "multiple")
    assert (one.solution, one.solution2, one.nodes, one.detail) == (SOLUTION, OTHER, 9, "")


def test_what_is_no_puzzle_is_shown_as_it_stood_there(figures: Figures) -> None:
    (one,) = figures.first[Status.MALFORMED]
    assert (one.record, one.line, one.puzzle, one.detail) == (4, 5, WRONG, "column 1: bad")


def test_answers_that_contradict_the_input_are_found(figures: Figures) -> None:
    assert (figures.disagreements, [one.id for one in figures.disagreeing]) == (1, ["é"])


def test_of_many_the_first_are_kept(tmp_path: Path) -> None:
    rows = [Row(n, n, "", CLASH, Answer(Status.CLASH, detail="5 twice")) for n in range(1, 9001)]
    figures = Figures.of(write(tmp_path / "answers.csv", rows))
    assert [one.record for one in figures.first[Status.CLASH]] == list(range(1, FIRST + 1))
    assert figures.counts[Status.CLASH] == 9000


def puzzle(number: int) -> str:
    """One for each number."""
    return "".join("." if number >> cell & 1 else digit for cell, digit in enumerate(SOLUTION))


@pytest.mark.parametrize("form", ["csv", "jsonl"])
def test_a_puzzle_is_among_the_hardest_once_with_the_number_of_its_records(tmp_path: Path, form: str) -> None:
    # Given every puzzle 300 times, harder ones first in one half and last in the other
    numbers = [*range(30), *range(30, 0, -1), 0] * 150
    answers = [Answer(Status.UNIQUE, SOLUTION, nodes=number) for number in numbers]
    rows = [Row(n, n, "", puzzle(a.nodes), a) for n, a in enumerate(answers, 1)]
    # When
    figures = Figures.of(write(tmp_path / f"answers.{form}", rows))
    # Then
    assert [hard.first.nodes for hard in figures.hardest] == list(range(30, 30 - HARDEST, -1))
    assert [hard.records for hard in figures.hardest] == [numbers.count(hard.first.nodes) for hard in figures.hardest]


def test_of_equally_hard_ones_the_first_are_kept(tmp_path: Path) -> None:
    rows = [Row(n, n, "", puzzle(n), Answer(Status.UNIQUE, SOLUTION, nodes=7)) for n in range(1, 9001)]
    rows[8000] = rows[8000]._replace(answer=Answer(Status.UNIQUE, SOLUTION, nodes=8))
    figures = Figures.of(write(tmp_path / "answers.csv", rows))
    assert [hard.first.record for hard in figures.hardest] == [8001, *range(1, HARDEST)]


def test_an_answers_file_without_answers_has_no_figures(tmp_path: Path) -> None:
    assert Figures.of(write(tmp_path / "answers.csv", [])).records == 0


@pytest.mark.parametrize(
    "content",
    [
        f"{PUZZLE}\n",
        f"puzzle,solution\n{PUZZLE},{SOLUTION}\n",
        f"{PUZZLE}:1:{SOLUTION}\n",
        f"record,line,id,puzzle,status,count,solution,solution2,nodes,detail\n1,1,,{PUZZLE},fine,1,{SOLUTION},,0,\n",
        f"record,line,id,puzzle,status,count,solution,solution2,nodes,detail\n1,1,,{PUZZLE},none,0,,,many,\n",
        f"record,line,id,puzzle,status,count,solution,solution2,nodes,detail\n1,1,,hello,unique,1,{SOLUTION},,1,\n",
        f"record,line,id,puzzle,status,count,solution,solution2,nodes,detail\n1,1,,{PUZZLE},unique,1,,,1,\n",
        f"record,line,id,puzzle,status,count,solution,solution2,nodes,detail\n1,1,,{PUZZLE},multiple,2,{SOLUTION},,1,\n",
        f"record,line,id,puzzle,status,count,solution,solution2,nodes,detail\n1,1,,{PUZZLE},unique,1,{SOLUTION[:80]},,1,\n",
        "record,line,id,puzzle,status,count,solution,solution2,nodes,detail\n1,1,,hello,malformed,,,,7,no board\n",
    ],
)
def test_what_does_not_say_all_of_it_is_refused(content: str, tmp_path: Path) -> None:
    file = tmp_path / "answers.csv"
    file.write_text(content)
    with pytest.raises(FormatError, match=r"answers\.csv"):
        Figures.of(str(file))


@pytest.mark.parametrize("nodes", ["-5", "4294967296", "9" * 6000, "x", "", "1.0"])
def test_nodes_that_are_no_number_of_nodes_are_refused_by_the_record(nodes: str, tmp_path: Path) -> None:
    path = tmp_path / "answers.csv"
    rows = [f"1,1,,{PUZZLE},unique,1,{SOLUTION},,3,", f"2,2,,{PUZZLE},none,0,,,{nodes},"]
    path.write_text("\n".join(["record,line,id,puzzle,status,count,solution,solution2,nodes,detail", *rows, ""]))
    with pytest.raises(FormatError, match=f"record 2 has '{nodes[:20]}' for its nodes"):
        Figures.of(str(path))


@pytest.mark.parametrize("nodes", ["many", -5, 2**32])
def test_json_lines_that_are_damaged_are_refused_by_the_line(nodes: str | int, tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    write(path, ROWS)
    one = json.loads(path.read_text().splitlines()[0])
    path.write_text(path.read_text() + json.dumps(one | {"nodes": nodes}) + "\n")
    with pytest.raises(FormatError, match=f"no answers file as gridmill writes them: line {len(ROWS) + 1}: "):
        Figures.of(str(path))


@pytest.mark.parametrize("forged", [{"puzzle": "hello"}, {"solution": "1" * 80}, {"status": "multiple"}])
def test_json_lines_whose_boards_cannot_be_drawn_are_refused(forged: dict[str, str], tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    write(path, ROWS)
    unique = next(row for row in map(json.loads, path.read_text().splitlines()) if row["status"] == "unique")
    path.write_text(json.dumps(unique | {"nodes": 9} | forged) + "\n")
    with pytest.raises(FormatError, match="no answers file as gridmill writes them"):
        Figures.of(str(path))
