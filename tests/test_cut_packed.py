"""Cutting depends on the records alone: not on who packed them, nor on the blocks in which the input was read."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gridmill import kernel
from gridmill.batch import Batch, one_by_one
from gridmill.chunk import Fault, Record
from gridmill.errors import FormatError
from gridmill.formats import source
from gridmill.formats.input import Input
from gridmill.formats.row import FIELDS
from producer import cut as module
from producer.cut import Cut, cut

PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SOLUTION = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"

# What stands in a cell of a table, or behind a board.
CELLS = [b"", b"7", b"x y", b" x \t", b"=1", b"'x", b"\t", b"\0", b" ", b"\x0b", b"\x7f"]
CELLS += [b'"7"', b'""', b'"a,b"', b'"\'=1"', b'"x"y', b'x"y', b'"a""b"', b'"']
CELLS += [sign.encode() for sign in ("é", "\u0800", "\ud7ff", "\ue000", "\U00010000", "\U0010ffff", "\xa0")]
CELLS += [b"\xff", b"\x80", b"\xc1\x80", b"\xe0\x9f\x80", b"\xed\xa0\x80", b"\xf0\x8f\x80\x80", b"\xf4\x90\x80\x80"]
CELLS += [b"\xe2\x82", b"\xe2\x82x"]
BOARDS = [
    *(PUZZLE.replace(".", sign).encode() for sign in ".0*_xX-?"),
    SOLUTION.encode(),
    b"." * 81,
    PUZZLE.replace(".", "0", 1).encode(),
    PUZZLE[:80].encode(),
    (PUZZLE + "1").encode(),
    PUZZLE.replace("7", "a", 1).encode(),
    b"'" + PUZZLE.encode(),
    b'"' + PUZZLE.encode() + b'"',
    b'"' + PUZZLE.encode(),
    b"\"'" + PUZZLE.encode() + b'"',
    f"{PUZZLE[:27]} {PUZZLE[27:]}".encode(),
    b" ",
    b"",
]
ENDS = st.sampled_from([b"\n", b"\n", b"\n", b"\r\n", b"\r"])
NOTES = st.sampled_from([b"# note", b"", b"  ", b"Grid 01", b"% x", b"rubbish", b'"open', b",,,"])
HEADERS = [b"puzzle", b"id,puzzle,note", b"puzzle;solution", b"a\tgrid\tid", ",".join(FIELDS).encode() + b",in_x"]

boards = st.sampled_from(BOARDS) | st.just(PUZZLE.encode())
tails = st.sampled_from([b"", b"", b",", b" ", b"  ; ", b"#", b":1:", b"\t", b"\x0c", "\u2003".encode()])
lines = st.tuples(boards, tails, st.sampled_from(CELLS)).map(b"".join)


@st.composite
def plain_files(draw: st.DrawFn) -> bytes:
    """Lines of boards, with everything between them that can be."""
    content = [draw(st.sampled_from([b"", b"\xef\xbb\xbf"]))]
    for line in draw(st.lists(st.just(PUZZLE.encode()) | lines | NOTES, max_size=12)):
        content += [line, draw(ENDS)]
    return b"".join(content[:-1] if draw(st.booleans()) else content)


@st.composite
def tables(draw: st.DrawFn) -> bytes:
    """Rows under a header, most of them right."""
    header = draw(st.sampled_from(HEADERS))
    delimiter = next((sign for sign in (b",", b";", b"\t") if sign in header), b",")
    names = header.split(delimiter)
    content = [header, draw(ENDS)]
    for _ in range(draw(st.integers(0, 12))):
        row = [draw(boards if name in (b"puzzle", b"grid") else st.sampled_from(CELLS)) for name in names]
        row += draw(st.sampled_from([[], [], [], [b"more"]]))
        content += [delimiter.join(row) if draw(st.integers(0, 4)) else draw(NOTES), draw(ENDS)]
    return b"".join(content[:-1] if draw(st.booleans()) else content)


def cuts(paths: list[str], size: int, cap: int, *, native: bool, block: int) -> tuple[list[Cut], int] | str:
    """The chunks of these files and what was skipped, or why they cannot be read."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kernel, "native", native)
        patch.setattr(source, "BLOCK", block)
        patch.setattr(module, "SIDE_CAP", cap)
        records = Input(paths)
        try:
            return list(cut(records, size)), records.skipped
        except FormatError as error:
            return str(error)


@pytest.fixture(name="folder", scope="module")
def a_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cut")


needs_kernel = pytest.mark.skipif(
    not kernel.native and "GRIDMILL_CI" not in os.environ, reason="this installation has no native kernel"
)


@needs_kernel
@settings(max_examples=200, deadline=None)
@given(
    st.lists(plain_files() | tables(), min_size=1, max_size=2),
    st.integers(1, 7),
    st.sampled_from([1, 90, 300, 1 << 20]),
    st.sampled_from([1, 7, 81, 82, 83, 100, 250, 1000, 1 << 18]),
)
def test_the_kernel_and_python_cut_an_input_into_the_same_chunks(
    folder: Path, contents: list[bytes], size: int, cap: int, block: int
) -> None:
    paths = []
    for number, content in enumerate(contents):
        (folder / str(number)).write_bytes(content)
        paths.append(str(folder / str(number)))
    expected = cuts(paths, size, cap, native=False, block=1 << 18)
    assert cuts(paths, size, cap, native=True, block=block) == expected


@needs_kernel
@pytest.mark.parametrize(
    "odd", [b"", b"# note", PUZZLE[:80].encode(), b"\xff", PUZZLE.encode() + b" tail", b'"', b"\r"]
)
@pytest.mark.parametrize("header", [b"", b"puzzle\n"])
def test_one_odd_line_at_any_place_and_blocks_that_end_anywhere_change_nothing(
    folder: Path, odd: bytes, header: bytes
) -> None:
    path = folder / "one"
    for at in (0, 2, 3, 5):  # at the ends of the input, and on both sides of where the first chunk ends
        rows = [PUZZLE.encode()] * 5
        rows.insert(at, odd)
        path.write_bytes(header + b"\n".join(rows) + b"\n")
        expected = cuts([str(path)], 3, 1 << 20, native=False, block=1 << 18)
        for block in (*range(60, 143), 1):  # as many as a line has bytes: one ends at each of them
            assert cuts([str(path)], 3, 1 << 20, native=True, block=block) == expected


texts = st.sampled_from(["", "", "a", "é", "some text"])


@st.composite
def some_records(draw: st.DrawFn) -> list[Record]:
    width = draw(st.integers(0, 2))
    made = []
    line = 0
    for _ in range(draw(st.integers(0, 20))):
        line += draw(st.sampled_from([1, 1, 1, 2]))
        fault = draw(st.sampled_from([None, None, Fault(1, "reason", "text")]))
        extras = tuple(draw(texts) for _ in range(width))
        made.append(Record(line, None if fault else PUZZLE, fault, draw(texts), extras))
    return made


def packed(records: list[Record], sizes: list[int]) -> Iterator[Record | Batch]:
    """The records, some of them in batches of these sizes; 0: by itself."""
    at = 0
    while at < len(records):
        for size in sizes:
            part = records[at : at + max(size, 1)]
            at += max(size, 1)
            yield from [Batch.of(part)] if size and part else part


@given(some_records(), st.lists(st.integers(0, 9), min_size=1, max_size=5), st.integers(1, 9), st.integers(1, 60))
def test_it_does_not_matter_which_records_come_in_batches(
    records: list[Record], sizes: list[int], size: int, cap: int
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "SIDE_CAP", cap)
        assert list(one_by_one(packed(records, sizes))) == records
        assert list(cut(packed(records, sizes), size)) == list(cut(records, size))
