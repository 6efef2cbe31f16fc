"""Parquet tables, read batch by batch."""

import gzip
import os
import tempfile
import threading
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gridmill.chunk import Record
from gridmill.errors import FormatError
from gridmill.formats import parquet
from gridmill.formats.input import Input

pyarrow = pytest.importorskip("pyarrow", reason="the extra parquet is not installed")
from pyarrow.parquet import write_table  # noqa: E402  # only where it is installed

PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SOLUTION = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
NUMBERS = [int(sign) if sign != "." else 0 for sign in PUZZLE]

Write = Callable[..., str]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """``write(columns, …)`` makes a Parquet file and returns its path."""

    def made(columns: dict[str, Any], **options: Any) -> str:
        path = tmp_path / "t.parquet"
        write_table(pyarrow.table(columns), path, **options)
        return str(path)

    return made


def test_each_row_is_a_record_with_its_id_and_other_columns(write: Write) -> None:
    columns = {"id": [1, 2], "puzzle": [PUZZLE, PUZZLE[1:]], "solution": [SOLUTION, None], "rating": [1.5, 2.0]}
    source = Input([write(columns)])
    assert source.columns == ("solution", "rating")
    assert source.answers == (0,)
    first, second = source.records()
    assert first == Record(1, PUZZLE, None, "1", (SOLUTION, "1.5"))
    assert second.fault is not None
    assert (second.line, second.fault.reason, second.extras) == (2, "80 cells instead of 81", ("", "2"))
    assert source.formats[0].reason == "it is Parquet, puzzles in the column 'puzzle'"


@pytest.mark.parametrize(
    "value",
    [
        PUZZLE,
        NUMBERS,
        [NUMBERS[at : at + 9] for at in range(0, 81, 9)],
        [PUZZLE[at : at + 9] for at in range(0, 81, 9)],
        PUZZLE.encode(),
    ],
)
def test_puzzles_are_texts_bytes_or_lists(write: Write, value: object) -> None:
    assert [record.board for record in Input([write({"board": [value, value]})]).records()] == [PUZZLE, PUZZLE]


def test_values_of_every_type_are_carried_as_text(write: Write) -> None:
    table = pyarrow.table(
        {
            "puzzle": pyarrow.array([PUZZLE]).dictionary_encode(),
            "a": pyarrow.array([True]),
            "b": pyarrow.array([1], pyarrow.timestamp("s")),
            "c": pyarrow.array([{"x": [1, None]}]),
            "d": pyarrow.array([None]),
            "e": pyarrow.array([b"\xff"]),
        }
    )
    extras = next(iter(Input([write(table)]).records())).extras
    assert extras == ("true", "1970-01-01 00:00:01.000", '{"x":[1,null]}', "", "\\xff")


def test_a_column_can_be_demanded_by_name_or_number(write: Write) -> None:
    path = write({"a": ["x"], "b": [PUZZLE]})
    for column in ("b", "2"):
        assert [record.board for record in Input([path], column=column).records()] == [PUZZLE]


@pytest.mark.parametrize(
    ("columns", "column", "reason"),
    [
        ({"a": [PUZZLE]}, None, "has no column 'puzzle'; say --column NAME, of its columns: a"),
        ({"a": [PUZZLE]}, "b", "has no column 'b'"),
        ({"a": [PUZZLE]}, "2", "has no column '2'"),
    ],
)
def test_a_missing_column_is_refused_with_those_there_are(
    write: Write, columns: dict[str, Any], column: str | None, reason: str
) -> None:
    with pytest.raises(FormatError, match=reason):
        list(Input([write(columns)], column=column).records())


def test_puzzles_in_two_columns_are_refused(write: Write) -> None:
    with pytest.raises(FormatError, match="has puzzles in its columns 'Board' and 'puzzle'; say with --column NAME"):
        list(Input([write({"Board": [NUMBERS], "puzzle": [PUZZLE]})]).records())


def test_of_two_columns_with_names_of_puzzles_the_one_that_has_some_is_meant(write: Write) -> None:
    source = Input([write({"puzzle": ["No. 5"], "board": [PUZZLE]})])
    assert [record.board for record in source.records()] == [PUZZLE]


@pytest.mark.parametrize("how", ["gzip", "zip"])
def test_it_is_read_inside_packed_files(write: Write, tmp_path: Path, how: str) -> None:
    path, packed = Path(write({"puzzle": [PUZZLE]})), tmp_path / "packed"
    if how == "gzip":
        packed.write_bytes(gzip.compress(path.read_bytes()))
    else:
        with zipfile.ZipFile(packed, "w") as zipped:
            zipped.write(path, "t.parquet")
    assert [record.board for record in Input([str(packed)]).records()] == [PUZZLE]


def test_a_row_group_is_not_held_as_a_whole(write: Write) -> None:
    # Given a file of one row group, not compressed and without a dictionary
    rows = 100_000
    puzzles = [f"{number:081d}" for number in range(rows)]
    path = write({"puzzle": puzzles}, row_group_size=rows, compression="none", use_dictionary=False)
    before = pyarrow.total_allocated_bytes()
    # When it is read
    most = 0
    for count, _ in enumerate(Input([path]).records()):
        if count % 1000 == 0:
            most = max(most, pyarrow.total_allocated_bytes() - before)
    # Then the reader never held a great part of its 8.5 MB
    assert 0 < most < 4_000_000


def test_of_long_rows_few_are_held_at_a_time(write: Write) -> None:
    # Given 90 MB in one row group
    columns = {"puzzle": [PUZZLE] * 3_000, "note": ["x" * 30_000] * 3_000}
    path = write(columns, compression="none", use_dictionary=False)
    before = pyarrow.total_allocated_bytes()
    # When it is read
    most = 0
    for _ in Input([path]).records():
        most = max(most, pyarrow.total_allocated_bytes() - before)
    # Then a small part of it was held
    assert 0 < most < 40_000_000


def test_a_bomb_is_refused(write: Write) -> None:
    path = write(
        {"puzzle": [PUZZLE] * 1_000, "note": ["x" * 100_000] * 1_000}, compression="zstd", use_dictionary=False
    )
    with pytest.raises(FormatError, match="grows more than 200 times when it is unpacked"):
        list(Input([path]).records())


def test_it_is_read_through_a_pipe(write: Write, tmp_path: Path) -> None:
    content = Path(write({"puzzle": [PUZZLE, PUZZLE], "note": ["a", "b"]})).read_bytes()
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writing = threading.Thread(target=lambda: pipe.write_bytes(content))
    writing.start()
    source = Input([str(pipe)])
    assert source.columns == ("note",)
    assert [record.extras for record in source.records()] == [("a",), ("b",)]
    writing.join()


def test_a_copy_that_finds_no_room_is_an_error_with_the_remedy(
    write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    packed = tmp_path / "packed"
    packed.write_bytes(gzip.compress(Path(write({"puzzle": [PUZZLE]})).read_bytes()))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "nowhere"))
    with pytest.raises(
        FormatError, match=r"packed cannot be copied to .*/nowhere: No such file or directory; set TMPDIR"
    ):
        list(Input([str(packed)]).records())


def test_position_reaches_size(write: Write) -> None:
    source = Input([write({"puzzle": [PUZZLE] * 10})])
    list(source.records())
    assert source.position == source.size


def test_without_the_package_the_remedy_is_named(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parquet, "is_there", lambda: False)
    with pytest.raises(FormatError, match=r"needs a package that is not installed: pip install 'gridmill\[parquet\]'"):
        list(Input([write({"puzzle": [PUZZLE]})]).records())


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(data=st.data())
def test_a_damaged_file_gives_records_or_a_format_error(write: Write, data: st.DataObject) -> None:
    path = Path(write({"puzzle": [PUZZLE] * 5, "note": ["a", "b", "c", "d", None]}))
    content = bytearray(path.read_bytes())
    for _ in range(data.draw(st.integers(1, 5))):
        content[data.draw(st.integers(4, len(content) - 1))] = data.draw(st.integers(0, 255))
    path.write_bytes(content[: data.draw(st.integers(4, len(content)))])
    try:
        records = list(Input([str(path)]).records())
    except FormatError:
        return
    assert all((record.board is None) is (record.fault is not None) for record in records)
