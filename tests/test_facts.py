"""What is known to be true, until it is written."""

import pytest

from collector import facts as module
from collector.facts import OWN, Fact, Facts
from gridmill.answers import Status
from gridmill.digest import digest
from gridmill.piece import Piece
from gridmill.reply import Claim, Reply

REPLY = Reply.of([Claim(Status.NONE, 3), Claim(Status.CLASH)])
PIECE = Piece(4, 0, 2)


def fact(seq: int = 1, size: int = 10) -> Fact:
    return Fact(seq, REPLY, size)


@pytest.fixture
def facts() -> Facts:
    return Facts()


def test_a_fact_is_known_by_its_piece_and_the_sending_that_it_answers(facts: Facts) -> None:
    facts.add(PIECE, fact(7))

    assert PIECE in facts
    assert (facts.seq(PIECE), facts.seq(Piece(4, 2, 4))) == (7, None)
    assert (facts.any_of(4), facts.any_of(5)) == (True, False)


def test_a_chunk_is_covered_when_its_pieces_are_all_known_and_in_order(facts: Facts) -> None:
    for lo, hi in ((4, 6), (0, 2)):
        facts.add(Piece(4, lo, hi), fact())
        assert facts.covering(4, 6) is None
    facts.add(Piece(4, 2, 4), fact())

    found = facts.covering(4, 6)

    assert found is not None
    assert [piece.lo for piece, _ in found] == [0, 2, 4]
    assert facts.covering(4, 7) is None


def test_of_a_piece_and_its_parts_the_larger_counts_and_either_will_do(facts: Facts) -> None:
    """Both are known when the server went back to before it was split."""
    for lo, hi in ((0, 2), (2, 4), (2, 3), (3, 4), (4, 5)):
        facts.add(Piece(4, lo, hi), fact())

    found = facts.covering(4, 5)
    assert found is not None
    assert [(piece.lo, piece.hi) for piece, _ in found] == [(0, 2), (2, 4), (4, 5)]

    facts.drop(Piece(4, 2, 4))
    found = facts.covering(4, 5)
    assert found is not None
    assert [(piece.lo, piece.hi) for piece, _ in found] == [(0, 2), (2, 3), (3, 4), (4, 5)]


def test_a_chunk_that_was_written_is_forgotten_with_all_its_pieces(facts: Facts) -> None:
    facts.add(Piece(4, 0, 2), fact())
    facts.add(Piece(4, 2, 4), fact())
    facts.add(Piece(5, 0, 2), fact())

    facts.drop_chunk(4)

    assert not facts.any_of(4)
    assert facts.any_of(5)


def test_replies_are_held_up_to_the_cap_and_then_given_up(facts: Facts, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "HELD_BYTES", 25)
    made = [fact(size=10) for _ in range(4)]

    for number, each in enumerate(made):
        facts.add(Piece(number, 0, 2), each)

    assert [each.reply is None for each in made] == [False, False, True, True]
    assert {each.digest for each in made[2:]} == {digest(REPLY.encode())}


def test_the_collectors_own_are_never_given_up(facts: Facts, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody else has them."""
    monkeypatch.setattr(module, "HELD_BYTES", 5)
    own = fact(OWN)

    facts.add(PIECE, own)

    assert own.reply is REPLY


def test_room_that_was_used_comes_back_however_a_fact_goes(facts: Facts, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "HELD_BYTES", 10)
    for _ in range(3):
        for seq in (1, 2):  # the second in the place of the first
            facts.add(PIECE, fact(seq))
        facts.drop_chunk(4)
        facts.add(PIECE, fact())
        facts.drop(PIECE)
        facts.add(PIECE, fact())
        facts.clear()

    last = fact()
    facts.add(PIECE, last)
    assert last.reply is REPLY


def test_a_reply_that_was_fetched_again_takes_room_again(facts: Facts, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "HELD_BYTES", 10)
    first, second, third = fact(), fact(), fact()
    facts.add(Piece(1, 0, 2), first)
    facts.add(Piece(2, 0, 2), second)

    facts.restore(second, REPLY)
    facts.drop_chunk(1)
    facts.add(Piece(3, 0, 2), third)

    assert second.reply is REPLY
    assert third.reply is None


def test_what_lies_end_to_end_is_found_among_pieces_that_overlap(facts: Facts) -> None:
    for lo, hi in ((0, 3), (0, 4), (3, 6), (5, 8), (6, 8)):
        facts.add(Piece(4, lo, hi), fact())

    known = facts.covering(4, 8)

    assert known is not None
    assert [(piece.lo, piece.hi) for piece, _ in known] == [(0, 3), (3, 6), (6, 8)]


def test_of_what_overlaps_with_a_gap_nothing_is_whole(facts: Facts) -> None:
    for lo, hi in ((0, 3), (2, 8)):
        facts.add(Piece(4, lo, hi), fact())

    assert facts.covering(4, 8) is None
