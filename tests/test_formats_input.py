"""The input as a whole: any bytes give records or one clear error, the same ones every time."""

import gzip
import io
import os
import random
import sys
import threading
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gridmill.board import parse
from gridmill.chunk import Chunk
from gridmill.errors import FormatError
from gridmill.formats.input import Format, Input

PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SOLUTION = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
ROWS = "\n".join(PUZZLE[at : at + 9] for at in range(0, 81, 9))

Write = Callable[[str, bytes], str]

pytestmark = pytest.mark.usefixtures("implementation")

# Pieces of files; drawn in any order they make what is nearly one of the formats.
SIGNS = [
    "\n",
    "\r\n",
    "\r",
    ",",
    ";",
    "\t",
    ":",
    " ",
    '"',
    "=",
    "\\",
    "\0",
    "\x1b[31m",
    "é",
    "\uff15",
    "\ufeff",
    "7",
    "x",
]
WORDS = ["53..7....", "+---+---+---+", "|", "Grid 01", "#", "puzzle,solution", "id;quizzes"]
SCRAPS = st.sampled_from([PUZZLE, PUZZLE[:80], SOLUTION, ROWS, *WORDS, *SIGNS])
BYTES = st.binary() | st.lists(SCRAPS, max_size=30).map(lambda scraps: "".join(scraps).encode())


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """``write(name, content)`` makes a file and returns its path."""

    def made(name: str, content: bytes) -> str:
        (tmp_path / name).write_bytes(content)
        return str(tmp_path / name)

    return made


@given(content=BYTES, packed=st.booleans())
def test_any_bytes_give_records_twice_the_same_or_a_format_error(
    tmp_path_factory: pytest.TempPathFactory, content: bytes, packed: bool
) -> None:
    path = tmp_path_factory.mktemp("any") / "input"
    path.write_bytes(gzip.compress(content) if packed else content)
    source = Input([str(path)])
    try:
        first = list(source.records())
    except FormatError:
        return
    assert list(source.records()) == first
    for record in first:
        assert len(record.extras) == len(source.columns)
        assert (record.board is None) is (record.fault is not None)
        assert record.board is None or parse(record.board) == record.board
    assert Chunk.of(1, first).read_side().first == 1  # all of it can be packed and read back


def test_a_thousand_lines_of_rubbish_and_puzzles_give_a_thousand_records(write: Write) -> None:
    # Given 1,000 lines, none of them blank or a comment
    chance = random.Random(1)
    signs = [chr(code) for code in range(32, 127) if chr(code) not in "#%/"] + ["\0", "\udcff", "é", "\x1b", "\uff15"]
    rubbish = ["".join(chance.choices(signs, k=chance.randint(1, 200))).strip() or "." for _ in range(1000)]
    lines = [PUZZLE if chance.random() < 0.5 else text for text in rubbish]
    path = write("mixed", "\n".join(lines).encode("utf-8", "surrogateescape"))
    # When they are read
    records = list(Input([path]).records())
    # Then there is one record a line, at its place, and every puzzle is one
    assert [record.line for record in records] == list(range(1, 1001))
    assert [record.board for record in records] == [line if line == PUZZLE else None for line in lines]


def test_what_is_skipped_and_how_far_reading_is_are_counted_anew_each_time(write: Write) -> None:
    path = write("list", f"# note\n\n{PUZZLE}\n".encode())
    source = Input([path])
    for _ in range(2):
        assert len(list(source.records())) == 1
        assert source.skipped == 2
        assert source.position == source.size == 90


def test_the_format_and_its_reason_can_be_asked(write: Write) -> None:
    path = write("wrong-name.csv", PUZZLE.encode())
    assert Input([path]).formats == (Format(path, "lines", "line 1 is a board"),)


def test_several_files_are_one_input_with_their_names_and_all_their_columns(write: Write) -> None:
    # Given files of three formats, two of them tables that share a column
    lines = write("a.txt", PUZZLE.encode())
    first = write("b.csv", f"id,puzzle,note,rank\n7,{PUZZLE},x,3\n".encode())
    blocks = write("c.txt", ROWS.encode())
    second = write("d.csv", f"puzzle;rank;file\n{PUZZLE};4;y\n".encode())
    source = Input([lines, first, blocks, second])
    # When they are read
    records = list(source.records())
    # Then each record has a field for every column
    assert source.columns == ("file", "note", "rank", "file_2")
    assert [record.extras for record in records] == [
        (lines, "", "", ""),
        (first, "x", "3", ""),
        (blocks, "", "", ""),
        (second, "", "4", "y"),
    ]
    assert [(record.line, record.id) for record in records] == [(1, ""), (2, "7"), (1, ""), (2, "")]


def test_size_and_position_are_those_of_all_files(write: Write) -> None:
    paths = [write("a", PUZZLE.encode()), write("b", gzip.compress(PUZZLE.encode() * 100))]
    source = Input(paths)
    assert source.columns == ("file",)
    list(source.records())
    assert source.position == source.size == sum(os.path.getsize(path) for path in paths)


def test_the_column_with_the_puzzles_can_be_demanded(write: Write) -> None:
    path = write("t.csv", f"puzzle,start\nx,{PUZZLE}\n".encode())
    assert [record.board for record in Input([path], column="start").records()] == [PUZZLE]


def test_files_are_not_opened_before_they_are_needed() -> None:
    source = Input(["/no/such/file"])
    with pytest.raises(FormatError, match="/no/such/file cannot be read: no such file"):
        list(source.records())


def test_a_file_that_breaks_in_the_middle_is_an_error_after_its_good_records(write: Write) -> None:
    chance = random.Random(1)
    boards = ["".join(chance.choices("123456789", k=81)) for _ in range(5000)]
    source = Input([write("broken", gzip.compress("\n".join(boards).encode())[:-1000])]).records()
    assert [next(source).board for _ in range(3000)] == boards[:3000]
    with pytest.raises(FormatError, match="truncated"):
        list(source)


@pytest.mark.parametrize(("paths", "reason"), [([], "no input"), (["-", "-"], "named twice")])
def test_an_input_that_can_never_be_read_is_refused_at_once(paths: list[str], reason: str) -> None:
    with pytest.raises(FormatError, match=reason):
        Input(paths)


def test_standard_input_is_read_once_and_only_once(monkeypatch: pytest.MonkeyPatch) -> None:
    content = "\n".join([f"{PUZZLE} tail"] * 300).encode()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
    source = Input(["-"])
    assert not source.repeatable
    assert source.size is None
    assert source.columns == ("tail",)
    assert [record.line for record in source.records()] == list(range(1, 301))
    assert source.position == len(content)
    with pytest.raises(FormatError, match="standard input cannot be read twice"):
        iter(source)


def test_a_pipe_is_read_once_and_only_once(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    feeder = threading.Thread(target=path.write_bytes, args=(PUZZLE.encode(),))
    feeder.start()
    source = Input([str(path)])
    assert [record.board for record in source.records()] == [PUZZLE]
    feeder.join(timeout=10)
    with pytest.raises(FormatError, match="pipe cannot be read twice"):
        iter(source)


def test_files_can_be_read_again_and_again(write: Write) -> None:
    source = Input([write("a", PUZZLE.encode()), write("b", PUZZLE.encode())])
    assert source.repeatable
    assert list(source.records()) == list(source.records())


def test_reading_can_be_given_up_and_begun_again(write: Write) -> None:
    source = Input([write("a", "\n".join([PUZZLE] * 5000).encode())])
    next(iter(source))
    assert len(list(source.records())) == 5000


@pytest.mark.parametrize("content", [f"{PUZZLE}\n" * 200_000, "x" * 16_000_000], ids=["many lines", "one line"])
def test_memory_does_not_grow_with_the_file(write: Write, content: str) -> None:
    path = write("large", gzip.compress(content.encode(), 1))
    tracemalloc.start()
    try:
        for _ in Input([path]):
            pass
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 4_000_000  # bytes; the file has 16 MB
