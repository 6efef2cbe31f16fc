"""Packed input is known by its first bytes and unpacked in small pieces."""

import contextlib
import gzip
import importlib
import lzma
import zlib
from collections.abc import Callable, Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gridmill.errors import FormatError
from gridmill.formats import unpack
from gridmill.formats.bomb import FREE
from gridmill.formats.unpack import BLOCK, unpacked

Pack = Callable[[bytes], bytes]

inflaters = [pytest.param(zlib, id="zlib")]
with contextlib.suppress(ImportError):
    inflaters.append(pytest.param(importlib.import_module("isal.isal_zlib"), id="isal"))

TEXT = b"53..7....\n" * 50_000


@pytest.fixture(params=inflaters, autouse=True, scope="module")
def inflater(request: pytest.FixtureRequest) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(unpack, "inflater", request.param)
        yield


def blocks(content: bytes, size: int = BLOCK) -> Iterator[bytes]:
    return (content[at : at + size] for at in range(0, len(content), size))


@pytest.mark.parametrize("size", [1, 7, BLOCK])
def test_gzip_is_unpacked_whatever_the_size_of_the_reads(size: int) -> None:
    short = TEXT[:5000]
    assert b"".join(unpacked(blocks(gzip.compress(short), size), "f")) == short


def test_plain_bytes_pass_unchanged() -> None:
    assert b"".join(unpacked(blocks(TEXT), "f")) == TEXT


def test_nothing_stays_nothing() -> None:
    assert list(unpacked(iter(()), "f")) == []


def test_a_small_file_that_unpacks_to_much_comes_in_small_pieces() -> None:
    packed = gzip.compress(b"\0" * 10_000_000)
    pieces = list(map(len, unpacked(blocks(packed), "f")))
    assert max(pieces) <= BLOCK
    assert sum(pieces) == 10_000_000


def test_all_members_of_a_gzip_file_are_read() -> None:
    packed = gzip.compress(b"one\n") + gzip.compress(b"two\n")
    assert b"".join(unpacked(blocks(packed), "f")) == b"one\ntwo\n"


@given(
    st.lists(st.sampled_from([b"", b"a", b"any text"]), min_size=1, max_size=4),
    st.sampled_from([1, 100_000]),
    st.integers(0, 30),
    st.sampled_from([1, 2, 19, 500, BLOCK]),
)
def test_any_members_and_padding_give_their_content(contents: list[bytes], times: int, padding: int, size: int) -> None:
    contents = [content * times for content in contents]
    packed = b"".join(map(gzip.compress, contents)) + b"\0" * padding
    pieces = list(unpacked(blocks(packed, size), "f"))
    assert b"".join(pieces) == b"".join(contents)
    assert all(0 < len(piece) <= BLOCK for piece in pieces)


def test_zero_bytes_behind_the_last_member_are_padding() -> None:
    packed = gzip.compress(b"one\n") + b"\0" * 100_000
    assert b"".join(unpacked(blocks(packed), "f")) == b"one\n"


@pytest.mark.parametrize("missing", [1, 8, 20])
def test_a_truncated_gzip_file_is_an_error_that_names_it(missing: int) -> None:
    packed = gzip.compress(TEXT)[:-missing]
    with pytest.raises(FormatError, match=r"^list\.txt is a truncated gzip file"):
        list(unpacked(blocks(packed), "list.txt"))


def test_a_corrupt_gzip_file_is_an_error_that_names_it() -> None:
    packed = bytearray(gzip.compress(TEXT))
    packed[-5] ^= 1  # in the checksum
    with pytest.raises(FormatError, match=r"^list\.txt is a corrupt gzip file"):
        list(unpacked(blocks(bytes(packed)), "list.txt"))


@pytest.mark.parametrize(
    ("first", "kind"),
    [
        (b"BZh91AY&SY", "bzip2"),
        (b"\x28\xb5\x2f\xfd", "Zstandard"),
        (b"\x5d\0\0\x80\0", "lzma"),
        (b"7z\xbc\xaf\x27\x1c", "7z"),
        (b"Rar!\x1a\x07\0", "rar"),
        (b"SQLite format 3\0", "SQLite"),
        (b"ARROW1\0\0", r"Feather \(Arrow\)"),
        (b"%PDF-1.7", "PDF"),
        (b"\x89PNG\r\n\x1a\n", "PNG image"),
        (b"\xff\xd8\xff\xe0", "JPEG image"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "Microsoft Office"),
    ],
)
def test_what_is_not_read_is_refused_by_name_with_a_remedy(first: bytes, kind: str) -> None:
    with pytest.raises(FormatError, match=rf"f is a {kind} file, which Gridmill does not read: \w+"):
        list(unpacked(iter((first + b"rest",)), "f"))


@pytest.mark.parametrize("pack", [gzip.compress, lzma.compress])
def test_what_is_not_read_is_refused_inside_a_packed_file_too(pack: Pack) -> None:
    with pytest.raises(FormatError, match="f is a SQLite file"):
        list(unpacked(blocks(pack(b"SQLite format 3\0rest")), "f"))


def test_a_tar_archive_is_refused_with_a_remedy() -> None:
    archive = b"list.txt".ljust(257, b"\0") + b"ustar\0" + b"\0" * 249
    with pytest.raises(FormatError, match="tar archive, which Gridmill does not read: unpack it and name its folder"):
        list(unpacked(blocks(gzip.compress(archive)), "f"))


@pytest.mark.parametrize("inner", [gzip.compress(TEXT), lzma.compress(TEXT), b"PK\x03\x04rest"])
def test_what_is_packed_twice_is_refused(inner: bytes) -> None:
    with pytest.raises(FormatError, match="f is packed twice; unpack it once"):
        list(unpacked(blocks(gzip.compress(inner)), "f"))


def test_a_zip_file_that_comes_through_a_pipe_is_refused_with_a_remedy() -> None:
    with pytest.raises(FormatError, match="zip file that cannot be read from here; save it"):
        list(unpacked(iter((b"PK\x03\x04rest",)), "f"))


@pytest.mark.parametrize("size", [1, 7, BLOCK])
def test_xz_is_unpacked_whatever_the_size_of_the_reads(size: int) -> None:
    short = TEXT[:5000]
    assert b"".join(unpacked(blocks(lzma.compress(short), size), "f")) == short


def test_xz_comes_in_small_pieces() -> None:
    pieces = list(map(len, unpacked(blocks(lzma.compress(b"\0" * 10_000_000)), "f")))
    assert max(pieces) <= BLOCK
    assert sum(pieces) == 10_000_000


def test_all_streams_of_an_xz_file_are_read_and_padding_between_them_is_not() -> None:
    packed = lzma.compress(b"one\n") + b"\0" * 4 + lzma.compress(b"two\n") + b"\0" * 8
    assert b"".join(unpacked(blocks(packed), "f")) == b"one\ntwo\n"


@pytest.mark.parametrize("missing", [1, 8, 60])
def test_a_truncated_xz_file_is_an_error_that_names_it(missing: int) -> None:
    with pytest.raises(FormatError, match=r"^list\.txt is a truncated xz file"):
        list(unpacked(blocks(lzma.compress(TEXT)[:-missing]), "list.txt"))


def test_a_corrupt_xz_file_is_an_error_that_names_it() -> None:
    packed = bytearray(lzma.compress(TEXT))
    packed[len(packed) // 2] ^= 1
    with pytest.raises(FormatError, match=r"^list\.txt is a corrupt xz file"):
        list(unpacked(blocks(bytes(packed)), "list.txt"))


def test_an_xz_file_that_asks_for_too_much_memory_is_refused() -> None:
    filters = [{"id": lzma.FILTER_LZMA2, "dict_size": 1 << 28}]  # 256 MiB
    with pytest.raises(FormatError, match="Memory usage limit"):
        list(unpacked(blocks(lzma.compress(TEXT, filters=filters)), "f"))


@pytest.mark.parametrize("pack", [gzip.compress, lzma.compress])
def test_a_bomb_is_refused(pack: Pack) -> None:
    with pytest.raises(FormatError, match="f grows more than 200 times"):
        for _ in unpacked(blocks(pack(bytes(FREE + (1 << 20)))), "f"):
            pass
