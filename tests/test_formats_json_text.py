"""JSON is cut into its values, however the pieces of its text fall."""

import json
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gridmill.errors import FormatError
from gridmill.formats.json_text import VALUE_LIMIT, Cursor

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=10,
)


def cursor(text: str, size: int = 1) -> Cursor:
    return Cursor((text[at : at + size] for at in range(0, len(text), size)), "f")


def first_of(text: str) -> str:
    here = cursor(text, 1000)
    here.take("[")
    value = here.value()
    here.take(",", "]")
    return value


@settings(deadline=None)
@given(values=st.lists(VALUES, min_size=1), size=st.integers(1, 50), indent=st.sampled_from([None, 2]))
def test_values_come_as_they_stand_there(values: list[object], size: int, indent: int | None) -> None:
    # Given an array in pieces of some size
    here = cursor(json.dumps(values, indent=indent, ensure_ascii=False), size)
    # When its values are taken
    here.take("[")
    taken = []
    while True:
        taken.append(json.loads(here.value()))
        if here.take(",", "]") == "]":
            break
    # Then they are the ones that were put in
    assert taken == values
    assert here.peek() == ""


@pytest.mark.parametrize("size", [1, 2, 100])
def test_a_number_is_taken_whole(size: int) -> None:
    here = cursor("1234.50 ", size)
    assert here.value() == "1234.50"


def test_lines_are_counted() -> None:
    here = cursor('[\n\n  "a",\n  2]', 3)
    here.take("[")
    here.peek()
    assert here.line == 3
    here.value()
    here.take(",")
    here.peek()
    assert here.line == 4


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("[1 2]", "line 1: here belongs , or ], not '2'"),
        ("[1", "line 1: it ends too early"),
        ('["a', "a value is broken or not closed"),
        ("[}", "a value is broken or not closed"),
        ("[" * 100_000, "it is nested too deeply"),
        (f'["{"x" * 2 * VALUE_LIMIT}', "a value is broken, or has more than 65,536 characters"),
    ],
)
def test_broken_text_is_an_error_that_names_file_and_line(text: str, reason: str) -> None:
    with pytest.raises(FormatError, match=r"^f is broken JSON, line 1: ") as broken:
        first_of(text)
    assert reason in str(broken.value)


def test_a_value_without_end_is_given_up_before_it_is_all_read() -> None:
    read = 0

    def pieces() -> Iterator[str]:
        nonlocal read
        yield '["'
        while True:
            read += 1000
            yield "x" * 1000

    here = Cursor(pieces(), "f")
    here.take("[")
    with pytest.raises(FormatError):
        here.value()
    assert read <= VALUE_LIMIT + 2000
