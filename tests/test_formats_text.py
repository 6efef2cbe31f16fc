"""Lines out of blocks: every line end, every boundary, nothing lost, nothing too long."""

import re
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gridmill import kernel
from gridmill.batch import Batch
from gridmill.formats.text import LINE_LIMIT, Packed, Text, is_cut

SCRAPS = st.sampled_from([b"a", b"bc", b"\n", b"\r", b"\r\n", b"\0", b"\xff", "é".encode(), "\u2028\x85".encode()])
CONTENT = st.lists(SCRAPS, max_size=30).map(b"".join)


def split(content: bytes) -> list[str]:
    """The lines of ``content`` by definition."""
    lines = re.split(b"\r\n|\r|\n", content)
    return [line.decode("utf-8", "surrogateescape") for line in (lines if lines[-1] else lines[:-1])]


def blocks(content: bytes, sizes: list[int]) -> Iterator[bytes]:
    """``content`` in blocks of these sizes, over and over."""
    at = 0
    while at < len(content):
        for size in sizes:
            if at < len(content):
                yield content[at : at + size]
                at += size


@given(CONTENT, st.lists(st.integers(1, 9), min_size=1, max_size=5))
def test_lines_are_the_same_wherever_blocks_end(content: bytes, sizes: list[int]) -> None:
    text = Text(blocks(content, sizes))
    assert list(text) == split(content)
    assert text.number == len(split(content))


@given(CONTENT, st.lists(st.integers(1, 9), min_size=1, max_size=5), st.integers(1, 5), st.booleans())
def test_what_a_packer_takes_is_missing_from_the_lines_and_all_else_is_there(
    content: bytes, sizes: list[int], length: int, native: bool
) -> None:
    # Given a packer that takes lines of some length that end with \n
    def pack(block: bytes, start: int) -> Packed:
        match = re.compile(rb"([^\r\n]{%d}\n)*" % length).match(block, start)
        assert match
        return Packed(match.end(), bytes(41 * (len(match[0]) // (length + 1))))

    # When lines and batches are taken in turn
    text = Text(blocks(content, sizes))
    found: list[str | None] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kernel, "native", native)
        for item in text.items(pack):
            if isinstance(item, Batch):
                assert item.lines == [(0, len(found) + 1)]
                found += [None] * len(item)
            else:
                found.append(item)
            assert text.number == len(found)
    # Then they are all lines, in their order
    lines = split(content)
    assert len(found) == len(lines)
    assert all(one in (None, line) for one, line in zip(found, lines, strict=True))
    assert native or None not in found


def test_lines_that_are_pushed_back_come_again() -> None:
    text = Text(iter([b"a\nb\nc\n"]))
    taken = [next(text), next(text)]
    text.push_back(taken)
    assert text.number == 0
    assert list(text) == ["a", "b", "c"]


def test_lines_that_are_at_hand_are_a_text() -> None:
    text = Text.of(["a", "b"])
    assert Text.of(text) is text
    assert list(text) == ["a", "b"]


@pytest.mark.parametrize("size", [1000, LINE_LIMIT, 10 * LINE_LIMIT])
@pytest.mark.parametrize("end", [b"\n", b"\r", b"\r\n"])
@pytest.mark.parametrize("sign", ["1", "é", "\U0001f600"])
def test_a_line_that_is_too_long_is_cut_and_the_lines_around_it_are_whole(sign: str, end: bytes, size: int) -> None:
    content = b"a" + end + (sign * (5 * LINE_LIMIT)).encode() + end + b"b" + end
    first, long, last = Text(blocks(content, [size]))
    assert (first, last) == ("a", "b")
    assert long == sign * LINE_LIMIT
    assert is_cut(long)


@pytest.mark.parametrize("length", [LINE_LIMIT - 1, LINE_LIMIT, LINE_LIMIT + 1])
def test_a_line_of_nearly_the_limit_among_others_keeps_its_length(length: int) -> None:
    content = b"a\n" * 1000 + b"1" * length + b"\n" + b"b\n" * 1000
    lines = list(Text(iter([content])))
    assert len(lines) == 2001
    assert len(lines[1000]) == min(length, LINE_LIMIT)
