"""Rows with quotes: what RFC 4180 says, and a broken row that stays alone."""

import csv
import io
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gridmill.formats.quoting import ROW_LINES, Fields, quote, split_rows
from gridmill.formats.text import ROW_LIMIT, Text


def split(*lines: str, width: int = 2) -> list[Fields]:
    return list(split_rows(lines, ",", width))


def test_a_row_without_quotes_is_split_at_its_commas() -> None:
    assert split("a,b", "c,") == [Fields(1, "a,b", ["a", "b"]), Fields(2, "c,", ["c", ""])]


def test_quotes_keep_commas_quotes_and_line_ends() -> None:
    assert split('"a,""b""', 'c",d', "e,f") == [
        Fields(1, '"a,""b""\nc",d', ['a,"b"\nc', "d"]),
        Fields(3, "e,f", ["e", "f"]),
    ]


def test_a_quote_inside_a_field_without_quotes_is_a_quote() -> None:
    assert split('5" wide,b') == [Fields(1, '5" wide,b', ['5" wide', "b"])]


def test_a_quote_that_is_never_closed_breaks_its_own_row_only() -> None:
    assert split('a,"b', "c,d", "e,f") == [
        Fields(1, 'a,"b', None),
        Fields(2, "c,d", ["c", "d"]),
        Fields(3, "e,f", ["e", "f"]),
    ]


def test_two_broken_rows_do_not_become_one_of_the_wrong_width() -> None:
    assert split('a,"b', "c,d", 'e,"f') == [
        Fields(1, 'a,"b', None),
        Fields(2, "c,d", ["c", "d"]),
        Fields(3, 'e,"f', None),
    ]


def test_text_behind_a_closing_quote_breaks_the_row() -> None:
    assert split('"a"b,c') == [Fields(1, '"a"b,c', None)]


@pytest.mark.parametrize(("lines", "whole"), [(ROW_LINES, True), (ROW_LINES + 1, False)])
def test_a_row_has_a_limited_number_of_lines(lines: int, whole: bool) -> None:
    text = ['"a', *["b"] * (lines - 2), 'c",d']
    assert (len(split(*text)) == 1) is whole


@given(st.text(st.characters(codec="utf-8", exclude_characters="\0")), st.text(st.characters(codec="utf-8")))
def test_what_is_quoted_is_read_back_by_the_standard_library(first: str, second: str) -> None:
    second = second.replace("\0", "")
    text = f"x,{quote(first)},{quote(second)}\n"
    assert next(csv.reader(io.StringIO(text, newline=""))) == ["x", first, second]


@given(st.lists(st.lists(st.text(st.sampled_from('ab,"\n')), min_size=2, max_size=2), max_size=6))
def test_rows_that_were_quoted_are_split_into_the_same_fields(rows: list[list[str]]) -> None:
    lines = "\n".join(",".join(map(quote, row)) for row in rows).split("\n") if rows else []
    assert [row.fields for row in split(*lines)] == rows


@given(st.lists(st.text(st.sampled_from('ab,"')), min_size=1, max_size=4))
def test_quotes_mean_what_they_mean_to_the_standard_library(lines: list[str]) -> None:
    (row, *_) = split(*lines, width=0)
    try:
        fields = next(csv.reader([f"{lines[0]}\n"], strict=True)) or [""]
    except csv.Error:
        fields = None
    assert row.fields == fields


def test_a_field_may_be_larger_than_the_standard_library_has_them() -> None:
    large = "5" * 200_000
    assert split(f'{large},"a,b"') == [Fields(1, f'{large},"a,b"', [large, "a,b"])]


def test_a_quote_that_is_never_closed_takes_no_more_than_a_row_can_have() -> None:
    taken = 0

    def blocks() -> Iterator[bytes]:
        nonlocal taken
        yield b'"'
        for _ in range(90):
            taken += 1
            yield b"5" * ROW_LIMIT + b"\n"

    rows = split_rows(Text(blocks(), ROW_LIMIT), ",", 2)

    assert next(rows).fields is None
    assert taken < 5


@given(st.text(st.sampled_from('ab,"')), st.integers(0, 3))
def test_one_bad_line_never_changes_the_rows_around(bad: str, at: int) -> None:
    good = ["a,b", '"c,c",d', "e,f"]
    found = split(*good[:at], bad, *good[at:])
    assert [row.fields for row in found if row.line != at + 1] == [["a", "b"], ["c,c", "d"], ["e", "f"]]
