"""The members of a zip file are files of their own."""

import contextlib
import gzip
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gridmill.errors import FormatError
from gridmill.formats import archive
from gridmill.formats.input import Input

PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
ROWS = "\n".join(PUZZLE[at : at + 9] for at in range(0, 81, 9))

Pack = Callable[..., str]


@pytest.fixture
def pack(tmp_path: Path) -> Pack:
    """``pack({name: content})`` makes a zip file and returns its path."""

    def made(files: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> str:
        path = tmp_path / "set.zip"
        with zipfile.ZipFile(path, "w", method) as zipped:
            for name, content in files.items():
                zipped.writestr(name, content)
        return str(path)

    return made


@pytest.mark.parametrize("method", [zipfile.ZIP_DEFLATED, zipfile.ZIP_STORED])
def test_a_single_member_is_read_like_the_file_itself(pack: Pack, method: int) -> None:
    source = Input([pack({"list.csv": f"puzzle,rank\n{PUZZLE},4\n".encode()}, method)])
    assert source.columns == ("rank",)
    assert [(record.board, record.extras) for record in source.records()] == [(PUZZLE, ("4",))]
    assert source.formats[0].format == "csv"


def test_several_members_are_several_files_in_the_order_of_their_names(pack: Pack) -> None:
    # Given members of different formats, one of them packed
    path = pack({"10.txt": ROWS.encode(), "9.txt": PUZZLE.encode(), "deep/1.gz": gzip.compress(PUZZLE.encode())})
    source = Input([path])
    # When they are read, twice
    records = list(source.records())
    # Then each record names its file
    assert source.columns == ("file",)
    assert [record.extras for record in records] == [(f"{path}/{name}",) for name in ("9.txt", "10.txt", "deep/1.gz")]
    assert {record.board for record in records} == {PUZZLE}
    assert list(source.records()) == records


def test_folders_hidden_files_and_what_a_file_manager_adds_are_passed_over(pack: Pack) -> None:
    path = pack({"a/": b"", "a/b.txt": PUZZLE.encode(), "__MACOSX/a/._b.txt": b"x", "a/.DS_Store": b"x"})
    assert [record.board for record in Input([path]).records()] == [PUZZLE]


def test_size_and_position_count_packed_bytes(pack: Pack) -> None:
    source = Input([pack({"a": PUZZLE.encode() * 1000, "b": PUZZLE.encode()})])
    list(source.records())
    assert source.position == source.size
    assert 0 < (source.size or 0) < 1000


def test_a_zip_file_is_known_by_its_content(tmp_path: Path, pack: Pack) -> None:
    path = Path(pack({"a": PUZZLE.encode()})).rename(tmp_path / "list.txt")
    assert [record.board for record in Input([str(path)]).records()] == [PUZZLE]


@pytest.mark.parametrize(
    ("files", "reason"),
    [
        ({}, "holds no file"),
        ({"xl/workbook.xml": b"", "a": b""}, "workbook of a spreadsheet; save the table as CSV"),
        ({"mimetype": b"", "content.xml": b""}, "workbook of a spreadsheet"),
        ({"inner.zip": b"PK\x03\x04"}, r"set\.zip/inner\.zip is a zip file that cannot be read from here"),
        ({"a.bz2": b"BZh91AY&SY"}, r"set\.zip/a\.bz2 is a bzip2 file"),
    ],
)
def test_what_is_not_read_is_refused(pack: Pack, files: dict[str, bytes], reason: str) -> None:
    with pytest.raises(FormatError, match=reason):
        list(Input([pack(files)]).records())


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_uncommon_methods_are_refused_for_they_cannot_be_bounded(pack: Pack, method: int) -> None:
    with pytest.raises(FormatError, match=r"set\.zip/a is packed by an uncommon method; unpack it first"):
        list(Input([pack({"a": PUZZLE.encode()}, method)]).records())


def test_an_encrypted_member_is_refused(pack: Pack) -> None:
    path = Path(pack({"a": PUZZLE.encode()}))
    content = bytearray(path.read_bytes())
    for mark, flags in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        content[content.index(mark) + flags] |= 1
    path.write_bytes(content)
    with pytest.raises(FormatError, match=r"set\.zip/a is encrypted; unpack it first"):
        list(Input([str(path)]).records())


def test_a_bomb_is_refused(pack: Pack) -> None:
    with pytest.raises(FormatError, match=r"set\.zip/a grows more than 200 times"):
        list(Input([pack({"a": b"\0" * (1 << 27)})]).records())


def test_too_many_members_are_refused(pack: Pack, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "MEMBERS", 2)
    with pytest.raises(FormatError, match="holds more than 2 files; unpack it and name the folder"):
        list(Input([pack({"a": b"", "b": b"", "c": b""})]).records())


@pytest.mark.parametrize("is_large", [False, True])
@pytest.mark.parametrize("comment", [b"", b"made by me"])
def test_a_directory_that_would_fill_the_memory_is_refused_before_it_is_read(
    pack: Pack, monkeypatch: pytest.MonkeyPatch, comment: bytes, is_large: bool
) -> None:
    # Given a zip file, perhaps with the records that large ones have, whose directory takes 51 bytes
    monkeypatch.setattr(zipfile, "ZIP_FILECOUNT_LIMIT", 0 if is_large else 100)
    path = pack({"a.txt": PUZZLE.encode()})
    with zipfile.ZipFile(path, "a") as zipped:
        zipped.comment = comment
    # When more is allowed, or less
    monkeypatch.setattr(archive, "DIRECTORY", 51)
    assert [record.board for record in Input([path]).records()] == [PUZZLE]
    monkeypatch.setattr(archive, "DIRECTORY", 50)
    # Then it is read, or not even opened
    monkeypatch.setattr(zipfile, "ZipFile", None)
    with pytest.raises(FormatError, match="holds too many files; unpack it and name the folder"):
        list(Input([path]).records())


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(data=st.data())
def test_a_damaged_zip_file_gives_records_or_a_format_error(pack: Pack, data: st.DataObject) -> None:
    path = Path(pack({"a.txt": PUZZLE.encode() * 5, "b.csv": b"puzzle\n" + PUZZLE.encode()}))
    content = bytearray(path.read_bytes())
    for _ in range(data.draw(st.integers(1, 5))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    path.write_bytes(content[: data.draw(st.integers(0, len(content)))])
    with contextlib.suppress(FormatError):
        list(Input([str(path)]).records())
