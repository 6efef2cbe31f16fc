"""Texts in a column: taken apart and put together, they stay what they are."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gridmill.column import Column

TEXTS = st.lists(st.text(max_size=5), max_size=8)


@given(TEXTS)
def test_texts_come_back(texts: list[str]) -> None:
    assert Column.of(texts).texts(len(texts)) == texts


@given(TEXTS, st.integers(0, 8), st.integers(0, 8))
def test_a_part_has_its_texts(texts: list[str], one: int, other: int) -> None:
    lo, hi = sorted((min(one, len(texts)), min(other, len(texts))))
    assert Column.of(texts).part(lo, hi).texts(hi - lo) == texts[lo:hi]


@given(st.lists(TEXTS, max_size=4))
def test_joined_columns_are_the_column_of_all_texts(parts: list[list[str]]) -> None:
    joined = Column.join((len(texts), Column.of(texts)) for texts in parts)
    every = [text for texts in parts for text in texts]
    assert joined.texts(len(every)) == every
    assert joined == (Column.of(every) if any(every) else Column())


def test_a_column_without_sizes_has_as_many_empty_texts_as_are_asked_for() -> None:
    assert Column().texts(3) == ["", "", ""]
    assert Column().lengths(3) == (0, 0, 0)
    assert Column().part(1, 2) == Column()
    assert Column.join([(2, Column()), (1, Column.of(["a"]))]) == Column.of(["", "", "a"])


def test_the_same_text_many_times() -> None:
    assert Column.same("é", 3) == Column.of(["é"] * 3)


def test_lengths_are_bytes() -> None:
    assert Column.of(["é", "", "abc"]).lengths(3) == (2, 0, 3)


@pytest.mark.parametrize(
    "column",
    [
        Column(b"a", b""),
        Column(b"a", b"\1\0\0"),
        Column(b"a", b"\1\0\0\0\0\0\0\0"),
        Column(b"a", b"\2\0\0\0"),
        Column(b"ab", b"\1\0\0\0"),
        Column(b"\xff", b"\1\0\0\0"),
    ],
)
def test_what_is_no_column_of_one_text_is_an_error(column: Column) -> None:
    with pytest.raises(ValueError, match=r"column|utf-8"):
        column.texts(1)


@given(st.lists(st.binary(max_size=5), max_size=8))
def test_bytes_come_back(blobs: list[bytes]) -> None:
    assert Column.of_bytes(blobs).blobs(len(blobs)) == blobs


def test_a_column_of_nothing_but_empty_bytes_has_no_sizes() -> None:
    assert Column.of_bytes([b"", b""]) == Column()
