"""Packed input is known by its first bytes and unpacked in small pieces."""

import contextlib
import gzip
import importlib
import zlib
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gridmill.errors import FormatError
from gridmill.formats import unpack
from gridmill.formats.unpack import BLOCK, unpacked

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
        (b"\xfd7zXZ\0", "xz"),
        (b"PK\x03\x04", "zip"),
        (b"BZh91AY&SY", "bzip2"),
        (b"\x28\xb5\x2f\xfd", "Zstandard"),
        (b"PAR1\x15", "Parquet"),
        (b"SQLite format 3\0", "SQLite"),
    ],
)
def test_what_is_not_read_is_refused_by_name_with_a_remedy(first: bytes, kind: str) -> None:
    with pytest.raises(FormatError, match=rf"f is a {kind} file, which Gridmill does not read: \w+"):
        list(unpacked(iter((first + b"rest",)), "f"))
