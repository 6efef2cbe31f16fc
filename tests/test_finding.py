"""What a worker says beside its claims, as bytes, and the bytes that are refused."""

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gridmill.answers import Status
from gridmill.board import PACKED, pack
from gridmill.errors import WireError
from gridmill.finding import Counted, room, share
from gridmill.questions import NOTHING, Questions
from gridmill.reply import Claim, Reply, size_limit

ONE = pack("534678912672195348198342567859761423426853791713924856961537284287419635345286179")
COUNTING, LISTING = Questions(count=9), Questions(count=9, every=True)


@given(st.integers(2, 9), st.booleans())
def test_counts_survive_the_journey(number: int, is_open: bool) -> None:
    counted = Counted(number, is_open)

    assert Counted.decode(counted.encode(), COUNTING) == counted


@given(st.integers(2, 9))
def test_listed_solutions_survive_the_journey(number: int) -> None:
    counted = Counted(number, False, ONE * number)

    assert Counted.decode(counted.encode(), LISTING) == counted


@pytest.mark.parametrize(("counted", "shown"), [(Counted(332, False), "332"), (Counted(10, True), ">9")])
def test_an_open_count_is_shown_as_more_than(counted: Counted, shown: str) -> None:
    assert counted.shown == shown


@pytest.mark.parametrize(
    ("counted", "reason"),
    [
        (Counted(1, False), "counts 1 solutions, and 2 to 9"),
        (Counted(10, False), "counts 10 solutions"),
        (Counted(11, True), "counts >10 solutions"),
        (Counted(3, False, ONE), "lists more or fewer"),
    ],
)
def test_what_cannot_be_an_answer_is_refused(counted: Counted, reason: str) -> None:
    with pytest.raises(WireError, match=reason):
        Counted.decode(counted.encode(), COUNTING)


@pytest.mark.parametrize("listed", [8, 10])
def test_more_or_fewer_solutions_than_are_counted_are_refused(listed: int) -> None:
    with pytest.raises(WireError, match="lists more or fewer"):
        Counted.decode(Counted(9, False, ONE * listed).encode(), LISTING)


def test_a_finding_without_a_count_is_refused() -> None:
    with pytest.raises(WireError, match="no count"):
        Counted.decode(b"\2\0", COUNTING)


def test_the_longest_finding_fills_the_room_that_a_reply_has_for_it() -> None:
    longest = Claim(Status.MULTIPLE, 1, ONE, ONE, Counted(10, True, ONE * 9).encode())

    assert len(Reply.of([longest] * 5).encode()) == size_limit(5, room(LISTING))


def test_where_nothing_is_asked_there_is_no_room_for_it() -> None:
    assert room(NOTHING) == 0
    assert share(NOTHING) == 1


def test_what_is_in_flight_is_less_the_more_is_listed() -> None:
    assert share(Questions(count=100, every=True)) < 1 / 30


def test_findings_travel_with_their_claims() -> None:
    said = [
        Claim(Status.NONE, 1),
        Claim(Status.MULTIPLE, 1, ONE, ONE, b"many"),
        Claim(Status.UNIQUE, 2, ONE, b"", b"x"),
    ]

    reply = Reply.decode(Reply.of(said).encode(), 3)

    assert list(reply.claims()) == said
    assert [reply.claim(index) for index in range(3)] == said


def test_findings_are_joined_also_with_replies_that_have_none() -> None:
    none, some = Claim(Status.NONE), Claim(Status.UNIQUE, 2, ONE, b"", b"x")

    assert Reply.join([Reply.of([none]), Reply.of([some])]) == Reply.of([none, some])


@pytest.mark.parametrize("sizes", [(3, 0), (1 << 31, 1 << 31), (0, 0)])
def test_findings_that_are_not_as_long_as_they_say_are_refused(sizes: tuple[int, int]) -> None:
    data = struct.pack("<4sIII", b"GMR2", 2, 0, 0) + b"\4\4" + bytes(8) + struct.pack("<2I", *sizes) + b"ab"

    with pytest.raises(WireError, match="findings of a reply are not as long"):
        Reply.decode(data, 2)


@given(st.binary(max_size=300), st.integers(0, 5))
def test_no_bytes_do_more_than_be_refused(data: bytes, records: int) -> None:
    try:
        said = list(Reply.decode(struct.pack("<4sI", b"GMR2", records) + data, records).claims())
    except WireError:
        return
    assert len(said) == records
    assert PACKED * sum(bool(claim.solution) for claim in said) <= len(data)
