"""Answers in every form that they are taken in: objects, arrays, a table."""

import csv
import io
import sys
from typing import Any

import numpy
import pytest

import gridmill
from gridmill.answers import FAILED_DETAIL, Answer, Status
from gridmill.api import columns
from gridmill.api.answers import Answers
from gridmill.api.cells import unpacked
from gridmill.api.columns import STATUSES
from gridmill.board import pack
from gridmill.chunk import Side
from gridmill.column import Column
from gridmill.errors import PackageError
from gridmill.formats.output import writer
from gridmill.formats.sheet import Sheet
from gridmill.generate import generate
from gridmill.reply import Claim, Reply

pandas = pytest.importorskip("pandas")
polars = pytest.importorskip("polars")
pyarrow = pytest.importorskip("pyarrow")

PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SOLUTION = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
KINDS = [
    PUZZLE,
    "." * 81,
    "55" + "." * 79,
    "what is this?",
    ".71..4.................6...8....9........2..8.....76......81..6....6....6....38..",
]
FIELDS = ("puzzle", "status", "count", "solution", "solution2", "nodes", "detail")


@pytest.fixture(scope="module")
def answers() -> Answers:
    """More than one block of them."""
    return gridmill.solve_many((KINDS + [puzzle for puzzle, _ in generate(5, seed=8)]) * 900)


@pytest.fixture
def ruled() -> Answers:
    """A board whose solution a collector has taken back, between two others."""
    claims = [Claim(Status.UNIQUE, 3, pack(SOLUTION))] * 3
    failed = {1: Answer(Status.FAILED, detail=FAILED_DETAIL)}
    return Answers([Sheet(pack(PUZZLE) * 3, Side(1, [(0, 1)], Column(), [], {}), Reply.of(claims), failed)])


def rows_of_csv(answers: Answers) -> list[dict[str, str]]:
    """What the command's file has of them."""
    form = writer("csv", ())
    text = form.header() + b"".join(block for sheet in answers.sheets for block in form.sheet(sheet))
    return list(csv.DictReader(io.StringIO(text.decode(), newline="")))


def text(row: Any) -> str:
    return "" if not row.any() else "".join(map(str, row))


def test_a_table_says_what_the_file_says(answers: Answers) -> None:
    table = [{name: str(row[name] if row[name] is not None else "") for name in FIELDS}
             for row in answers.to_arrow().to_pylist()]  # fmt: skip
    assert table == [{name: row[name] for name in FIELDS} for row in rows_of_csv(answers)]


def test_a_table_says_what_else_was_asked() -> None:
    asked = gridmill.Questions.of(count=3, every=True)
    answers = gridmill.solve_many(KINDS, solver="bitmask", asked=asked)
    table = answers.to_arrow().to_pylist()
    assert [row["count"] for row in table] == ["1", ">3", "0", None, "0"]
    assert [len((row["solutions"] or "").split()) for row in table] == [1, 3, 0, 0, 0]


def test_arrays_say_what_the_file_says(answers: Answers) -> None:
    arrays = zip(answers.codes, answers.nodes, answers.solutions, answers.second_solutions, strict=True)
    said = [(str(STATUSES[code]), str(nodes), text(one), text(two)) for code, nodes, one, two in arrays]
    rows = rows_of_csv(answers)
    assert said == [(row["status"], row["nodes"], row["solution"], row["solution2"]) for row in rows]


def test_objects_say_what_the_file_says(answers: Answers) -> None:
    said = [(a.status, a.count, a.solution, a.solution2, str(a.nodes), a.detail) for a in answers]
    assert said == [tuple(row[name] for name in FIELDS[1:]) for row in rows_of_csv(answers)]


def test_puzzles_come_back_as_values(answers: Answers) -> None:
    assert text(answers.puzzles[0]) == PUZZLE.replace(".", "0")
    assert not answers.puzzles[3].any()


def test_each_is_reached_by_its_place(answers: Answers) -> None:
    every = list(answers)
    assert len(every) == len(answers) == 9000
    assert [answers[at] for at in (0, 8191, 8192, 8999, -1, -9000)] == [
        every[at] for at in (0, 8191, 8192, 8999, -1, -9000)
    ]
    assert answers[8190:8194] == every[8190:8194]


@pytest.mark.parametrize("place", [9000, -9001])
def test_a_place_that_there_is_not_is_an_index_error(answers: Answers, place: int) -> None:
    with pytest.raises(IndexError):
        answers[place]


def test_counts_are_by_status(answers: Answers) -> None:
    assert answers.counts == {"unique": 5400, "multiple": 900, "clash": 900, "malformed": 900, "none": 900}


@pytest.mark.parametrize("name", ["codes", "nodes", "puzzles", "solutions", "second_solutions"])
def test_an_array_is_made_once_and_cannot_be_written_to(answers: Answers, name: str) -> None:
    array = getattr(answers, name)
    assert numpy.shares_memory(array, getattr(answers, name))
    assert not array.flags.writeable
    assert array.flags.c_contiguous


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The addresses of all rows that are unpacked."""
    addresses: list[int] = []

    def spy(*arguments: Any, text: bool) -> bytes:
        cells = unpacked(*arguments, text=text)
        addresses.append(numpy.frombuffer(cells, "uint8").ctypes.data)
        return cells

    monkeypatch.setattr(columns, "unpacked", spy)
    return addresses


def test_an_array_is_the_very_bytes_that_were_unpacked(made: list[int]) -> None:
    assert [gridmill.solve_many([PUZZLE]).solutions.ctypes.data] == made


def test_texts_of_a_table_are_the_very_bytes_that_were_unpacked(made: list[int]) -> None:
    table = gridmill.solve_many([PUZZLE]).to_arrow()
    texts = [table[name].chunk(0).buffers()[2].address for name in ("puzzle", "solution", "solution2")]
    assert texts == made


def test_a_ruling_takes_the_solution_back_in_every_form(ruled: Answers) -> None:
    assert [answer.status for answer in ruled] == ["unique", "failed", "unique"]
    assert [str(STATUSES[code]) for code in ruled.codes] == ["unique", "failed", "unique"]
    assert list(ruled.nodes) == [3, 0, 3]
    assert [text(row) for row in ruled.solutions] == [SOLUTION, "", SOLUTION]
    assert ruled.to_arrow()["solution"].to_pylist() == [SOLUTION, None, SOLUTION]
    assert ruled.to_arrow()["detail"].to_pylist() == [None, FAILED_DETAIL, None]


def test_polars_takes_them_as_a_table(answers: Answers) -> None:
    assert polars.DataFrame(answers)["solution"].to_list()[:3] == answers.to_arrow()["solution"].to_pylist()[:3]


def test_pyarrow_takes_them_as_a_table(answers: Answers) -> None:
    assert pyarrow.table(answers) == answers.to_arrow()


def test_pandas_takes_their_table(answers: Answers) -> None:
    assert list(answers.to_arrow().to_pandas()["status"][:3]) == ["unique", "multiple", "clash"]


def test_no_answers_are_an_empty_table_and_empty_arrays() -> None:
    nothing = gridmill.solve_many([])
    assert nothing.to_arrow().num_rows == 0
    assert nothing.solutions.shape == (0, 81)
    assert repr(nothing) == "<0 answers>"


@pytest.mark.parametrize(("package", "ask"), [("numpy", lambda a: a.codes), ("pyarrow", lambda a: a.to_arrow())])
def test_a_package_that_is_missing_is_named(monkeypatch: pytest.MonkeyPatch, package: str, ask: Any) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(PackageError, match="pip install"):
        ask(gridmill.solve_many([PUZZLE]))
