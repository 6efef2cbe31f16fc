"""The input as a whole: any bytes give records or one clear error, the same ones every time."""

import gzip
import io
import json
import lzma
import os
import random
import sys
import threading
import tracemalloc
import zipfile
from collections.abc import Callable
from itertools import islice
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gridmill.batch import Batch
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
LEADS = [
    "[",
    "{",
    "]",
    "}",
    f'["{PUZZLE}",',
    f'{{"id": 1, "puzzle": "{PUZZLE}"}}',
    '{"puzzles": [',
    "[[5, 3, 0],",
    "[Puzzle]",
    "[State]",
    "#LEasy",
    "*-----------*",
    "|53.|.7.|...|",
    f":0000:x:{PUZZLE}:::",
    f"00a2e2d8f4c0 {PUZZLE}  1.2",
    '<?xml version="1.0"?>',
    "<opensudoku>",
    f'<game data="{PUZZLE}"/>',
    "</opensudoku>",
    "<!DOCTYPE a [",
    f"1,{PUZZLE}",
    "| 12 3 4 | 5 6 7 | 8 9 1 |",
    "1..4" * 4,
    "1" * 729,
    "https://f-puzzles.com/?load=x",
]
MAGICS = [b"PAR1", b"PK\x03\x04", b"\x1f\x8b", b"\xfd7zXZ\0", b"\xff\xfe", b"SQLite format 3\0"]
SCRAPS = st.sampled_from([PUZZLE, PUZZLE[:80], SOLUTION, ROWS, *WORDS, *SIGNS, *LEADS])
TEXTS = st.lists(SCRAPS, max_size=30).map(lambda scraps: "".join(scraps).encode())
BYTES = st.binary() | TEXTS | st.tuples(st.sampled_from(MAGICS), st.binary()).map(b"".join)


def xz(content: bytes) -> bytes:
    """An xz file, made in little memory."""
    return lzma.compress(content, preset=0)


def zipped(content: bytes) -> bytes:
    """A zip file with two members of this content."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("a", content)
        archive.writestr("b", content)
    return packed.getvalue()


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """``write(name, content)`` makes a file and returns its path."""

    def made(name: str, content: bytes) -> str:
        (tmp_path / name).write_bytes(content)
        return str(tmp_path / name)

    return made


@settings(max_examples=300, deadline=None)
@given(content=BYTES, pack=st.sampled_from([bytes, gzip.compress, xz, zipped]))
def test_any_bytes_give_records_twice_the_same_or_a_format_error(
    tmp_path_factory: pytest.TempPathFactory, content: bytes, pack: Callable[[bytes], bytes]
) -> None:
    path = tmp_path_factory.mktemp("any") / "input"
    path.write_bytes(pack(content))
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
        assert (source.read, source.skipped) == (1, 2)
        assert source.position == source.size == 90


def test_of_what_is_half_read_as_many_records_are_counted_as_came(write: Write) -> None:
    # Given two blocks of plain lines, which may come packed, and a table, which does not
    for path in (write("lines", f"{PUZZLE}\n".encode() * 5000), write("table.csv", f"id,p\n1,{PUZZLE}\n".encode() * 9)):
        source, came = Input([path]), 0
        # When
        for item in islice(source, 1):
            came += len(item) if isinstance(item, Batch) else 1
        # Then
        assert source.read == came > 0


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


def test_a_folder_is_an_input_of_several_files(tmp_path: Path) -> None:
    # Given one puzzle a file, in different formats
    files = {"p2.txt": PUZZLE, "p10.sdk": f"[Puzzle]\n{ROWS}", "p1.ss": ROWS, "p11.json": f'["{PUZZLE}"]'}
    for name, content in files.items():
        (tmp_path / name).write_text(content)
    source = Input([str(tmp_path)])
    # When they are read, twice
    records = list(source.records())
    # Then they come in the order of their numbers, with their names
    assert [(record.extras, record.board) for record in records] == [
        ((str(tmp_path / name),), PUZZLE) for name in ("p1.ss", "p2.txt", "p10.sdk", "p11.json")
    ]
    assert list(source.records()) == records


def test_what_is_known_of_many_files_takes_little_memory(tmp_path: Path) -> None:
    for number in range(500):
        (tmp_path / f"{number}.txt").write_text(PUZZLE)
    tracemalloc.start()
    try:
        assert sum(1 for record in Input([str(tmp_path)]).records() if record.board) == 500
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 1_500_000  # bytes: some for each file, and the blocks of one


def test_a_file_that_gains_a_column_while_it_is_read_is_an_error(write: Write) -> None:
    paths = [write(name, f"puzzle\n{PUZZLE}\n".encode()) for name in ("a.csv", "b.csv")]
    source = iter(Input(paths))
    next(source)
    write("b.csv", f"puzzle,note\n{PUZZLE},x\n".encode())
    with pytest.raises(FormatError, match=r"b\.csv was changed while it was read; start anew"):
        list(source)


def test_columns_with_known_answers_are_named(write: Write) -> None:
    first = write("a.csv", f"id,puzzle,Solution,note\n1,{PUZZLE},{SOLUTION},x\n".encode())
    second = write("b.csv", f"question,answer\n{PUZZLE},{SOLUTION}\n".encode())
    assert Input([first]).answers == (0,)
    assert Input([first, second]).columns == ("file", "Solution", "note", "answer")
    assert Input([first, second]).answers == (1, 3)
    assert Input([write("c", PUZZLE.encode())]).answers == ()


@pytest.mark.parametrize(
    ("form", "content", "board"),
    [
        ("lines", f"x\n{PUZZLE}", [None, PUZZLE]),
        ("blocks", "x" * 9, [None]),
        ("lines", "1..4" * 4, [None]),
        ("sdk", f"{PUZZLE}\n[Puzzle]\n{ROWS}", [PUZZLE]),
        ("csv", f"{PUZZLE},x\n1,{PUZZLE}\n2,{PUZZLE}", [None, PUZZLE, PUZZLE]),
    ],
)
def test_a_format_can_be_demanded(write: Write, form: str, content: str, board: list[str | None]) -> None:
    source = Input([write("f", content.encode())], form=form)
    assert source.formats[0].format == form
    assert [record.board for record in source.records()] == board


@pytest.mark.parametrize(
    ("form", "reason"),
    [
        ("sdk", "f is no file of the format sdk: nothing among"),
        ("sdks", r"there is no input format 'sdks' for .*f; there are"),
    ],
)
def test_a_format_that_does_not_fit_is_refused(write: Write, form: str, reason: str) -> None:
    with pytest.raises(FormatError, match=reason):
        list(Input([write("f", PUZZLE.encode())], form=form))


def test_a_file_with_tails_and_with_blocks_fits_two_formats_and_is_refused(write: Write) -> None:
    path = write("f", f"{PUZZLE} easy\n{ROWS}\n".encode())
    with pytest.raises(
        FormatError, match="f fits two formats: lines, for line 1 is a board, with a tail behind the board, and"
    ):
        list(Input([path]).records())
    assert [record.board for record in Input([path], form="lines").records()] == [PUZZLE, *[None] * 9]


def test_lines_of_json_spoil_only_themselves(write: Write) -> None:
    good = json.dumps({"id": "a", "puzzle": PUZZLE})
    source = Input([write("f", "\n".join([good[:20], good, good[:20], good]).encode())])
    assert source.formats[0].format == "jsonl"
    assert [record.board for record in source.records()] == [None, PUZZLE, None, PUZZLE]


def test_json_comes_through_a_pipe_too(monkeypatch: pytest.MonkeyPatch) -> None:
    content = json.dumps([{"puzzle": PUZZLE, "rank": n} for n in range(5000)], indent=1).encode()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
    source = Input(["-"])
    assert source.columns == ("rank",)
    assert sum(1 for record in source.records() if record.board == PUZZLE) == 5000
