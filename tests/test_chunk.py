"""A chunk: boards in slots, and beside them what only the collector needs."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gridmill.board import HOLE, PACKED, pack
from gridmill.chunk import CHAIN_START, Chunk, Fault, Record
from gridmill.errors import WireError

BOARD = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
FAULT = Fault(4, "no digit", "53x")

records = st.lists(
    st.builds(
        Record,
        line=st.integers(1, 2**40),
        board=st.just(BOARD),
        fault=st.none(),
        id=st.text(max_size=5),
        extras=st.one_of(st.just(()), st.tuples(st.text(max_size=3), st.text(max_size=3))),
    )
    | st.builds(Record, line=st.integers(1, 2**40), board=st.none(), fault=st.just(FAULT), extras=st.just(())),
    min_size=1,
    max_size=12,
)


def test_each_record_has_a_slot_and_a_fault_is_a_hole() -> None:
    chunk = Chunk.of(1, [Record(1, BOARD), Record(2, None, FAULT), Record(3, BOARD)])

    assert chunk.boards == pack(BOARD) + HOLE + pack(BOARD)
    assert len(chunk) == 3
    assert chunk.read_side().faults == {1: FAULT}


@given(records, st.integers(1, 2**40))
def test_the_side_data_says_what_came_with_each_record(given: list[Record], first: int) -> None:
    side = Chunk.of(first, given).read_side()

    assert side.first == first
    assert side.ids.texts(len(given)) == [record.id for record in given]
    extras = list(zip(*(column.texts(len(given)) for column in side.extras), strict=True)) or [()] * len(given)
    assert [any(texts) and texts for texts in extras] == [any(texts) and texts for texts in (r.extras for r in given)]
    runs = dict(side.lines)
    lines: list[int] = []
    for at in range(len(given)):
        lines.append(runs.get(at, lines[-1] + 1 if lines else 0))
    assert lines == [record.line for record in given]


def test_consecutive_lines_are_one_run() -> None:
    side = Chunk.of(1, [Record(line, BOARD) for line in (4, 5, 6, 9, 10)]).read_side()

    assert side.lines == [(0, 4), (3, 9)]


@given(records)
def test_the_same_records_make_the_same_bytes(given: list[Record]) -> None:
    assert Chunk.of(1, given) == Chunk.of(1, list(given))


def test_the_chain_tells_content_place_and_order() -> None:
    one, two = Chunk.of(1, [Record(1, BOARD)]), Chunk.of(2, [Record(2, BOARD)])

    chains = {
        one.chained(two.chained(CHAIN_START)),
        two.chained(one.chained(CHAIN_START)),
        one.chained(one.chained(CHAIN_START)),
        one.chained(CHAIN_START),
        two.chained(CHAIN_START),
    }

    assert len(chains) == 5
    assert {len(chain) for chain in chains} == {len(CHAIN_START)}


def test_bytes_that_move_from_boards_to_side_data_change_the_chain() -> None:
    assert Chunk(b"ab", b"c").chained(CHAIN_START) != Chunk(b"a", b"bc").chained(CHAIN_START)


@pytest.mark.parametrize(
    ("boards", "work"),
    [(HOLE * 3, False), (HOLE * 2 + pack(BOARD), True), (pack("." * 81), True), (pack("9" * 81), True)],
)
def test_a_chunk_of_holes_alone_has_no_work(boards: bytes, work: bool) -> None:
    assert len(boards) % PACKED == 0
    assert Chunk(boards, b"").has_work is work


@given(st.binary(max_size=60))
def test_side_data_of_another_form_is_refused(data: bytes) -> None:
    try:
        Chunk(b"", data).read_side()
    except WireError:
        return
    assert data[0] & 0xF0 == 0x90 or data[0] in (0xDC, 0xDD)  # an array
