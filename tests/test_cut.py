"""How an input is cut into chunks: by the records and the size alone."""

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gridmill.chunk import CHAIN_START, Fault, Record
from gridmill.entry import Place
from gridmill.piece import Piece
from producer import cut as module
from producer.cut import RECORDS_CAP, SIDE_CAP, cut

BOARD = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"


def records(count: int, extra: str = "") -> list[Record]:
    return [Record(line, BOARD, id=str(line), extras=(extra,)) for line in range(1, count + 1)]


@given(st.integers(0, 40), st.integers(1, 12))
def test_every_record_is_in_one_chunk_and_in_its_place(count: int, size: int) -> None:
    cuts = list(cut(records(count), size))

    ids = [made.chunk.read_side().ids.texts(len(made.chunk)) for made in cuts]
    assert [number for some in ids for number in map(int, some)] == list(range(1, count + 1))
    assert all(len(made.chunk) == size for made in cuts[:-1])
    assert [made.chunk.read_side().first for made in cuts] == [made.at.record + 1 for made in cuts]


@given(st.integers(0, 40), st.integers(1, 12))
def test_each_chunk_begins_where_the_one_before_ends(count: int, size: int) -> None:
    at = Place()

    for made in cut(records(count), size):
        assert made.at == at
        at = Place(at.chunk + 1, at.record + len(made.chunk), made.chunk.chained(at.chain))
        assert made.after == at

    assert at.record == count


def test_an_empty_input_has_no_chunk() -> None:
    assert list(cut([], 10)) == []
    assert Place() == Place(0, 0, CHAIN_START)


def test_the_cut_is_the_same_however_the_records_come() -> None:
    assert list(cut(iter(records(23)), 5)) == list(cut(records(23), 5))


def test_wide_records_end_a_chunk_early() -> None:
    wide = records(8, extra="x" * (SIDE_CAP // 2))

    assert [len(made.chunk) for made in cut(wide, 100)] == [2, 2, 2, 2]


def test_a_record_wider_than_a_chunk_may_be_has_one_of_its_own() -> None:
    wide = [*records(2), Record(3, BOARD, extras=("x" * 2 * SIDE_CAP,)), *records(2)]

    assert [len(made.chunk) for made in cut(wide, 100)] == [3, 2]


@pytest.mark.parametrize(
    ("size", "sizes"),
    [
        (8000, [500, 500, 1000, 1000, 2000, 2000, 4000, 4000, 8000, 8000]),
        (400, [100] * 6 + [200, 200, 400, 400]),
        (100, [100] * 8),
        (3, [3] * 8),
    ],
)
def test_the_first_chunks_are_smaller(size: int, sizes: list[int]) -> None:
    assert [len(made.chunk) for made in cut(records(sum(sizes)), size)] == sizes


@pytest.mark.parametrize(
    ("size", "left", "sizes"),
    [
        (8000, 7999, [4000, 2000, 1000, 999]),
        (8000, 6000, [3000, 1500, 1000, 500]),
        (8000, 1001, [1000, 1]),
        (8000, 1000, [1000]),
        (400, 399, [200, 100, 99]),
        (400, 100, [100]),
        (3, 2, [2]),
    ],
)
def test_what_is_left_at_the_end_is_halved(size: int, left: int, sizes: list[int]) -> None:
    before = next(made.after.record for made in cut(records(10 * size), size) if len(made.chunk) == size)

    cuts = list(cut(records(before + left), size))

    assert [len(made.chunk) for made in cuts if made.at.record >= before] == sizes


def test_no_chunk_is_larger_than_a_piece_can_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "RECORDS_CAP", 4)

    assert [len(made.chunk) for made in cut(records(10), 10**9)] == [4, 4, 2]
    assert Piece.parse(str(Piece(0, 0, RECORDS_CAP))) == Piece(0, 0, RECORDS_CAP)


def test_the_text_of_what_is_malformed_weighs_too() -> None:
    rubbish = [Record(1, None, Fault(0, "no cells", "x" * (SIDE_CAP // 2)))] * 4

    assert [len(made.chunk) for made in cut(rubbish, 100)] == [2, 2]


def test_no_more_is_read_than_the_chunk_needs() -> None:
    """An input may be longer than memory, and a line may come an hour after the one before."""
    read: list[int] = []

    def growing() -> Iterator[Record]:
        for line in range(1, 100):
            read.append(line)
            yield Record(line, BOARD)

    next(cut(growing(), 3))

    assert read == [1, 2, 3]


@pytest.mark.parametrize("size", [1, 2, 7])
def test_another_size_is_another_chain(size: int) -> None:
    ends = {list(cut(records(14), other))[-1].after.chain for other in (size, size + 1)}

    assert len(ends) == 2
