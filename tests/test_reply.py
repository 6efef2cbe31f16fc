"""What a worker says about a piece, as bytes, and the bytes that are refused."""

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gridmill.answers import Status
from gridmill.board import PACKED, pack
from gridmill.errors import WireError
from gridmill.reply import Claim, Reply, size_limit

ONE = pack("534678912672195348198342567859761423426853791713924856961537284287419635345286179")
TWO = pack("1" * 81)
CLAIMS = [
    Claim(Status.UNIQUE, 3, ONE),
    Claim(None),
    Claim(Status.MULTIPLE, 70_000, ONE, TWO),
    Claim(Status.NONE, 9),
    Claim(Status.CLASH),
    Claim(Status.UNDECIDED, 5),
    Claim(Status.SOLVED, 0, TWO),
]


def claims() -> st.SearchStrategy[Claim]:
    packed = st.binary(min_size=PACKED, max_size=PACKED)
    nodes = st.integers(0, 2**32 - 1)
    empty = st.just(b"")
    return st.one_of(
        st.just(Claim(None)),
        st.builds(Claim, st.sampled_from([Status.NONE, Status.CLASH, Status.UNDECIDED]), nodes, empty, empty, empty),
        st.builds(Claim, st.sampled_from([Status.UNIQUE, Status.SOLVED]), nodes, packed, empty, empty),
        st.builds(Claim, st.just(Status.MULTIPLE), nodes, packed, packed, empty),
    )


@given(st.lists(claims(), max_size=20))
def test_claims_survive_the_journey(said: list[Claim]) -> None:
    data = Reply.of(said).encode()

    reply = Reply.decode(data, len(said))
    assert list(reply.claims()) == said
    assert [reply.claim(index) for index in range(len(said))] == said
    assert list(reply.some(range(0, len(said), 2))) == said[::2]
    assert len(data) <= size_limit(len(said))


def test_the_size_limit_is_reached_by_the_longest_reply() -> None:
    assert len(Reply.of([Claim(Status.MULTIPLE, 1, ONE, TWO)] * 5).encode()) == size_limit(5)


def test_more_nodes_than_fit_are_cut() -> None:
    (claim,) = Reply.of([Claim(Status.UNDECIDED, 2**40)]).claims()

    assert claim.nodes == 2**32 - 1


def test_a_reply_of_another_number_of_records_is_refused() -> None:
    with pytest.raises(WireError, match="speaks of 7 records, its piece has 6"):
        Reply.decode(Reply.of(CLAIMS).encode(), 6)


@pytest.mark.parametrize("length", [0, 3, 15])
def test_a_reply_shorter_than_its_head_is_refused(length: int) -> None:
    with pytest.raises(WireError, match="shorter than its head"):
        Reply.decode(Reply.of(CLAIMS).encode()[:length], 7)


@pytest.mark.parametrize("change", [-1, 1])
def test_a_reply_of_another_length_is_refused(change: int) -> None:
    data = Reply.of(CLAIMS).encode() + b"\0"

    with pytest.raises(WireError, match="length"):
        Reply.decode(data[: len(data) - 1 + change], 7)


def test_another_version_is_refused() -> None:
    with pytest.raises(WireError, match="b'GMR9' instead of b'GMR1'"):
        Reply.decode(b"GMR9" + Reply.of(CLAIMS).encode()[4:], 7)


def test_an_unknown_code_is_refused() -> None:
    data = bytearray(Reply.of(CLAIMS).encode())
    data[16 + 1] = 7

    with pytest.raises(WireError, match="unknown code 7"):
        Reply.decode(bytes(data), 7)


def test_solutions_that_no_code_calls_for_are_refused() -> None:
    data = struct.pack("<4sIII", b"GMR1", 1, 1, 0) + b"\x04" + bytes(4) + ONE

    with pytest.raises(WireError, match="more or fewer solutions"):
        Reply.decode(data, 1)


@given(st.binary(max_size=300), st.integers(0, 5))
def test_no_bytes_do_more_than_be_refused(data: bytes, records: int) -> None:
    head = struct.pack("<4sI", b"GMR1", records)
    for attempt in (data, head + data):
        try:
            said = list(Reply.decode(attempt, records).claims())
        except WireError:
            continue
        assert len(said) == records
