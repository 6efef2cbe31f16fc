"""Many boards inside the process: in whatever form they come, the answers are the command's."""

import csv
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy
import pytest

import gridmill
from gridmill import kernel, solvers
from gridmill.answers import Answer, Status
from gridmill.api.answers import Answers
from gridmill.board import pack
from gridmill.errors import BoardError, PackageError, SettingsError, WrongAnswer
from gridmill.generate import generate
from gridmill.record import Record
from gridmill.solvers.bitmask import Bitmask
from gridmill.solvers.outcome import Outcome, Tally

pandas = pytest.importorskip("pandas")
polars = pytest.importorskip("polars")
pyarrow = pytest.importorskip("pyarrow")

PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
OTHERS = [
    "." * 81,
    "55" + "." * 79,
    "..3456789456789123789123456..4365897365897214897214365531642978642978531978531642",
    ".71..4.................6...8....9........2..8.....76......81..6....6....6....38..",
    PUZZLE.replace(".", "0"),
]
SOLUTION = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
BAD = ["what is this?", PUZZLE[:80], "0" + PUZZLE[1:-1] + "."]
TIMES = 700  # that all are repeated: more than one block of boards

Row = tuple[str, ...]


@pytest.fixture(scope="module")
def boards() -> list[str]:
    return ([puzzle for puzzle, _ in generate(5, seed=3)] + OTHERS) * TIMES


@pytest.fixture(scope="module")
def told(boards: list[str], tmp_path_factory: pytest.TempPathFactory) -> list[Row]:
    """What the command says of ``boards``."""
    return by_command(boards, tmp_path_factory.mktemp("told"))


def by_command(lines: list[str], folder: Path) -> list[Row]:
    (folder / "in.txt").write_text("".join(f"{line}\n" for line in lines))
    command = [sys.executable, "-P", "-m", "gridmill", "solve", "in.txt", "-o", "out.csv", "--quiet"]
    env = {**os.environ, "XDG_STATE_HOME": str(folder)}
    subprocess.run(command, cwd=folder, env=env, timeout=60, check=True)
    with (folder / "out.csv").open(newline="") as file:
        return [told_of(row) for row in csv.DictReader(file)]


def told_of(row: dict[str, str]) -> Row:
    return tuple(row[name] for name in ("status", "count", "solution", "solution2", "nodes", "detail"))


def said(answers: Answers) -> list[Row]:
    return [
        (a.status, a.count, a.solution, a.solution2, str(a.nodes), a.detail) for a in answers
    ]  # fmt: skip


def values(boards: list[str]) -> Any:
    text = "".join(boards).replace(".", "0").encode()
    return numpy.frombuffer(text, numpy.uint8).reshape(-1, 81) - ord("0")


FORMS: dict[str, Callable[[list[str]], Any]] = {
    "list": list,
    "generator": lambda boards: (board for board in boards),
    "records": lambda boards: [Record(line, board.replace("0", ".")) for line, board in enumerate(boards, 1)],
    "bytes": lambda boards: "".join(boards).encode(),
    "bytearray": lambda boards: bytearray("".join(boards).encode()),
    "memoryview": lambda boards: memoryview("".join(boards).encode()),
    "lines in bytes": lambda boards: "".join(f"{board}\n" for board in boards).encode(),
    "lines in bytes, the last not ended": lambda boards: "\n".join(boards).encode(),
    "array of values": values,
    "array of grids": lambda boards: values(boards).reshape(-1, 9, 9),
    "array of signed values": lambda boards: values(boards).astype("int8"),
    "array of characters": lambda boards: values(boards) + ord("0"),
    "array with gaps": lambda boards: numpy.repeat(values(boards), 2, axis=0)[::2],
    "array in the order of columns": lambda boards: numpy.asfortranarray(values(boards)),
    "array of texts": lambda boards: numpy.array(boards),
    "array of objects": lambda boards: numpy.array(boards, dtype=object),
    "arrow": lambda boards: pyarrow.array(boards),
    "arrow, large": lambda boards: pyarrow.array(boards, pyarrow.large_string()),
    "arrow, views": lambda boards: pyarrow.array(boards, pyarrow.string_view()),
    "arrow, a slice": lambda boards: pyarrow.array(["-", *boards, "-"])[1:-1],
    "arrow, chunks": lambda boards: pyarrow.chunked_array([boards[:7], [], boards[7:]]),
    "arrow, dictionary": lambda boards: pyarrow.array(boards).dictionary_encode(),
    "arrow, a table's only column": lambda boards: pyarrow.table({"puzzle": boards}),
    "arrow, a stream": lambda boards: pyarrow.table({"puzzle": boards}).to_reader(max_chunksize=999),
    "pandas": lambda boards: pandas.Series(boards),
    "pandas, arrow's": lambda boards: pandas.Series(boards, dtype="string[pyarrow]"),
    "pandas, objects": lambda boards: pandas.Series(boards, dtype=object),
    "polars": lambda boards: polars.Series(boards),
}


@pytest.mark.parametrize("form", FORMS)
def test_in_whatever_form_boards_come_the_answers_are_the_commands(
    form: str, boards: list[str], told: list[Row]
) -> None:
    assert said(gridmill.solve_many(FORMS[form](boards))) == told


def test_what_is_no_board_is_answered_as_by_the_command(tmp_path: Path) -> None:
    lines = [PUZZLE, *BAD, PUZZLE]
    assert said(gridmill.solve_many(lines)) == by_command(lines, tmp_path)


@pytest.mark.parametrize("threads", [1, 3])
def test_threads_change_nothing(threads: int, boards: list[str], told: list[Row]) -> None:
    assert said(gridmill.solve_many(boards, threads=threads)) == told


def test_records_keep_their_line_and_id() -> None:
    (row,) = gridmill.solve_many([Record(7, PUZZLE, id="x")]).rows()
    assert (row.record, row.line, row.id, row.puzzle) == (1, 7, "x", PUZZLE)


def test_a_null_is_malformed() -> None:
    answers = gridmill.solve_many(pyarrow.array([PUZZLE, None]))
    assert [(answer.status, answer.detail) for answer in answers][1] == (Status.MALFORMED, "0 cells instead of 81")


@pytest.mark.parametrize("number", [10, 31, 200])
def test_a_value_that_is_none_is_malformed_and_named(number: int) -> None:
    array = values([PUZZLE, PUZZLE])
    array[1, 4] = number
    answers = gridmill.solve_many(array)
    assert [answer.status for answer in answers] == ["unique", "malformed"]
    assert answers[1].detail == f"column 5: {number} is neither 0 nor a digit 1-9"


def test_nothing_gets_no_answers() -> None:
    every: list[Any] = [[], b"", numpy.zeros((0, 81), "uint8"), pyarrow.array([], "string"), iter(())]
    assert [list(gridmill.solve_many(nothing)) for nothing in every] == [[]] * 5


@pytest.mark.parametrize(
    ("boards", "reason"),
    [
        (PUZZLE, "one text is no collection of boards"),
        (7, "int holds no boards"),
        ([PUZZLE, 7], "board 2 is of type int"),
        (b"123", "3 bytes are not a whole number of boards"),
        (f"{PUZZLE}\n{PUZZLE[:80]}\n{PUZZLE}\n".encode(), "line 2 of the buffer has not 81 cells"),
        (f"{PUZZLE}\n{PUZZLE}\r\n{PUZZLE}\n".encode(), "line 2 of the buffer has not 81 cells"),
        (numpy.zeros((2, 81)), r"format 'd' and shape \(2, 81\).*astype\('uint8'\)"),
        (numpy.zeros((2, 81), "int64"), r"format 'l'"),
        (numpy.zeros((2, 81), bool), r"format '\?'"),
        (numpy.zeros((9, 9), "uint8"), r"shape \(9, 9\).*\(n, 81\) or \(n, 9, 9\)"),
        (numpy.zeros((2, 16, 16), "uint8"), r"shape \(2, 16, 16\)"),
        (pyarrow.array([1, 2]), "a column of int64 holds no boards"),
        (pyarrow.table({"a": [PUZZLE], "b": [PUZZLE]}), "this is a table; give one of its columns: 'a', 'b'"),
        (polars.DataFrame({"a": [PUZZLE], "b": [PUZZLE]}), "this is a table"),
    ],
)
def test_what_cannot_hold_boards_is_refused_with_what_to_give(boards: Any, reason: str) -> None:
    with pytest.raises(BoardError, match=reason):
        gridmill.solve_many(boards)


def test_an_unknown_solver_is_refused() -> None:
    with pytest.raises(SettingsError, match="no solver is called 'x'"):
        gridmill.solve_many([PUZZLE], solver="x")


def test_no_threads_or_nodes_at_all_are_refused() -> None:
    with pytest.raises(SettingsError, match="-1 threads"):
        gridmill.solve_many([PUZZLE], threads=-1)
    with pytest.raises(SettingsError, match="budget of 0 nodes"):
        gridmill.solve_many([PUZZLE], budget=0)


def test_what_is_asked_is_what_is_answered() -> None:
    (answer,) = gridmill.solve_many(["." * 81], first=True)
    assert answer.status is Status.SOLVED
    (answer,) = gridmill.solve_many(["." * 81], solver="bitmask", budget=1)
    assert answer == Answer(Status.UNDECIDED, nodes=1)


def test_what_the_solver_cannot_say_is_refused() -> None:
    with pytest.raises(SettingsError, match="cannot count solutions"):
        gridmill.solve_many([PUZZLE], solver="sat", asked=gridmill.Questions.of(count=9, every=False))


def test_columns_need_pyarrow(monkeypatch: pytest.MonkeyPatch) -> None:
    column = pyarrow.array([PUZZLE])
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(PackageError, match="pip install 'gridmill\\[parquet\\]'"):
        gridmill.solve_many(column)


class Swapping(Bitmask):
    """Finds grids with two digits swapped: they obey all rules, and are another puzzle's."""

    def search(self, grid: Any, limit: int, budget: int) -> Outcome:
        found = super().search(grid, limit, budget)
        swapped = tuple(solution.translate(str.maketrans("12", "21")) for solution in found.solutions)
        return Outcome(swapped, found.nodes, found.spent)


def test_a_false_answer_is_never_returned(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(solvers._SOLVERS, "bitmask", Swapping)
    with pytest.raises(WrongAnswer):
        gridmill.solve_many([PUZZLE], solver="bitmask")


def looks_during(call: Callable[[], object]) -> int:
    """How often this thread runs while another one is in ``call``."""
    looks, ended = 0, threading.Event()

    def run() -> None:
        call()
        ended.set()

    thread = threading.Thread(target=run)
    thread.start()
    while not ended.wait(0.0002):
        looks += 1
    thread.join()
    return looks


@pytest.mark.skipif(not kernel.native, reason="Python holds the lock")
@pytest.mark.parametrize("name", ["pack_rows", "solve", "unpack_rows"])
def test_the_kernel_releases_the_gil(name: str) -> None:
    count, native = 300_000, kernel.extension
    boards = pack(PUZZLE) * count
    calls: dict[str, Callable[[], object]] = {
        "pack_rows": partial(native.pack_rows, PUZZLE.encode() * count, 81),
        "solve": partial(native.solve, boards, 2, 400, kernel.width),
        "unpack_rows": partial(native.unpack_rows, boards, b"\1" * count, 2, False),
    }
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1000)  # seconds: nobody is asked for the lock; it is given up freely or not at all
    try:
        # With the lock held there is one look before the call and perhaps one behind it. Many tries: this machine may
        # have other things to do.
        assert any(looks_during(calls[name]) > 3 for _ in range(50))
    finally:
        sys.setswitchinterval(interval)


WAITING = f"""
import gridmill, sys
def boards():
    yield {PUZZLE!r}
    print("begun", flush=True)
    while True:
        yield {PUZZLE!r}
try:
    gridmill.solve_many(boards())
except KeyboardInterrupt:
    print("stopped", flush=True)
"""


def test_ctrl_c_ends_it() -> None:
    with subprocess.Popen([sys.executable, "-P", "-c", WAITING], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        assert process.stdout.readline() == "begun\n"
        process.send_signal(signal.SIGINT)
        assert process.communicate(timeout=30)[0] == "stopped\n"
    assert process.returncode == 0


@pytest.mark.parametrize("name", ["solution", "Answers"])
def test_answers_that_a_file_has_are_compared(tmp_path: Path, name: str) -> None:
    file = tmp_path / "known.csv"
    file.write_text(f"puzzle,{name}\n{PUZZLE},{SOLUTION}\n{PUZZLE},{SOLUTION[::-1]}\n{PUZZLE},\n")

    answers = gridmill.solve_many(gridmill.read(str(file)))

    assert [answer.detail for answer in answers] == ["", "disagrees with the input's solution", ""]


def test_what_is_said_beside_the_answers_is_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    def twice(self: Bitmask, board: bytes, limit: int, budget: int, *, keep: bool) -> Tally:
        return Tally(2, False, pack(SOLUTION) * 2)

    monkeypatch.setattr(Bitmask, "tally", twice)

    with pytest.raises(WrongAnswer, match="the solver bitmask gave a false answer"):
        gridmill.solve_many([OTHERS[2]], solver="bitmask", asked=gridmill.Questions.of(count=5, every=True))
