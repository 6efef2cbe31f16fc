"""From a reply to a fact: what is read, and when it is read again."""

import pytest

from collector.child import Question
from collector.chunks import HELD, MISSES
from collector.referee import Ruling
from gridmill.answered import Answered
from gridmill.answers import Answer, Status
from gridmill.board import pack
from gridmill.chunk import Record
from gridmill.entry import Place
from gridmill.errors import BrokerLost, Incomplete
from gridmill.reply import Claim
from gridmill.testing import FakeBroker
from producer.cut import cut

from .rig import BOARD, BUDGET, FAILED, NONE, RIGHT, SAYS_NONE, WRONG, Rig


def test_a_reply_whose_every_claim_was_checked_is_a_fact(rig: Rig) -> None:
    other = Claim(Status.CLASH)
    rig.cuts = list(cut([Record(1, BOARD), Record(2, "55" + "." * 79)], 2))
    rig.client.set(rig.client.keys("*:b:0")[0], rig.cuts[0].chunk.boards)
    rig.answer(RIGHT, other)

    rig.take()

    assert rig.known() == [RIGHT, other]
    assert rig.judge.asked == []


def test_a_chunk_without_a_board_is_known_without_a_worker(rig: Rig) -> None:
    rig.take()

    assert rig.known(1) == [Claim(None), Claim(None)]


def test_a_claim_of_none_is_known_when_the_referee_says_so_too(rig: Rig) -> None:
    rig.answer(RIGHT, SAYS_NONE)

    rig.take()
    assert rig.known() is None
    ((_, questions),) = rig.judge.asked
    assert questions == [Question("bitmask", False, BUDGET, pack(NONE), Status.NONE)]

    rig.judge.rule()
    rig.take()
    assert rig.known() == [RIGHT, SAYS_NONE]


def test_a_piece_that_was_written_since_it_was_seen_needs_nobody(rig: Rig) -> None:
    # Given pieces that were seen, and one of them is written and committed now
    rig.intake.drop(0)
    place = Place(1, 2, rig.cuts[0].after.chain)
    assert rig.ledger.commit(rig.job, "c", place, b"{}", out="here", own=True) == "ok"
    # When
    rig.intake.solve([rig.piece(0)])
    # Then nobody looks for its boards, which are gone
    assert rig.judge.asked == []
    assert rig.intake.waits_for(rig.piece(1))


def test_the_referee_is_asked_once(rig: Rig) -> None:
    rig.answer(RIGHT, SAYS_NONE)

    for _ in range(3):
        rig.take()

    assert len(rig.judge.asked) == 1


def test_a_referee_that_died_of_a_claimed_none_makes_it_failed(rig: Rig) -> None:
    rig.answer(RIGHT, SAYS_NONE)
    rig.take()

    rig.judge.rule(None)
    rig.take()

    assert rig.known() == [RIGHT, FAILED]


def test_undecided_has_the_nodes_that_the_referee_counted(rig: Rig) -> None:
    """A worker could say any number."""
    rig.answer(RIGHT, Claim(Status.UNDECIDED, 77))
    rig.take()

    rig.judge.rule(Claim(Status.UNDECIDED, BUDGET))
    rig.take()

    assert rig.known() == [RIGHT, Answer(Status.UNDECIDED, nodes=BUDGET)]


def test_a_none_that_nobody_can_confirm_is_undecided(rig: Rig) -> None:
    rig.answer(RIGHT, SAYS_NONE)
    rig.take()

    rig.judge.rule(Claim(Status.UNDECIDED))
    rig.take()

    assert rig.known() == [RIGHT, Answer(Status.UNDECIDED)]
    assert rig.progress.rejected == 0


def test_a_reply_that_has_vanished_is_asked_for_again(rig: Rig) -> None:
    rig.answer(RIGHT, SAYS_NONE)
    rig.client.delete(*rig.client.keys("*:a:*"))

    rig.take()

    assert rig.entry().state == "q"
    assert rig.sent == [(rig.piece(), rig.entry().seq)]


def test_the_collectors_word_is_the_last(rig: Rig) -> None:
    """A worker that answers after all changes nothing, and is not asked about."""
    rig.intake.again(rig.piece(), rig.entry()._replace(state="s", lies=3))
    rig.judge.rule(RIGHT, SAYS_NONE)
    rig.take()
    rig.answer(WRONG, SAYS_NONE)

    rig.take()

    assert rig.known() == [RIGHT, SAYS_NONE]
    assert rig.entry().lies == 0


def test_a_reply_that_was_given_up_is_read_again(rig: Rig) -> None:
    _, fact = rig.verified(RIGHT, SAYS_NONE)
    fact.give_up()

    assert rig.known() == [RIGHT, SAYS_NONE]


@pytest.mark.parametrize("content", [None, b"another"])
def test_a_reply_that_is_no_longer_what_was_verified_is_no_fact(rig: Rig, content: bytes | None) -> None:
    piece, fact = rig.verified(RIGHT, SAYS_NONE)
    fact.give_up()
    (key,) = rig.client.keys("*:a:*")
    rig.client.delete(key)
    if content is not None:
        rig.client.set(key, Answered(b"0:0:2", "w", b"", content).encode())

    assert rig.intake.reread(piece, fact) is False
    assert piece not in rig.intake.facts


def test_replies_are_read_a_few_at_a_time_the_nearest_to_their_turn_first(fake: FakeBroker) -> None:
    rig = Rig(fake, count=HELD)
    for number in reversed(range(0, 2 * HELD, 2)):
        rig.answer(RIGHT, SAYS_NONE, number=number)

    assert rig.take() is True

    assert [rig.known(number) is not None for number in (1, HELD - 1, HELD + 1)] == [True, True, False]
    assert rig.take() is False
    assert rig.known(2 * HELD - 1) is not None


def test_boards_that_are_missing_may_come_back_and_if_not_the_job_ends(rig: Rig) -> None:
    """A server that went back in time is seen at the next look. Else a piece would be asked for without end."""
    rig.client.delete(*rig.client.keys("*:b:0"))

    for _ in range(MISSES):
        with pytest.raises(BrokerLost, match="the boards of chunk 0 are not there"):
            rig.intake.again(rig.piece(), rig.entry())
        rig.intake.reset()
        rig.intake.chunks.get(1)
    with pytest.raises(Incomplete, match="the server has lost the boards of chunk 0"):
        rig.intake.again(rig.piece(), rig.entry())


def test_after_a_reset_all_is_read_again_and_what_was_asked_is_dropped(rig: Rig) -> None:
    rig.answer(RIGHT, SAYS_NONE)
    rig.take()
    late = Ruling(rig.judge.asked[0][0], [SAYS_NONE])

    rig.intake.reset()
    assert rig.judge.asked == []
    rig.judge.ready.append(late)
    rig.take()

    assert rig.known() is None
    assert len(rig.judge.asked) == 1


def test_a_ruling_about_a_chunk_that_was_written_meanwhile_is_of_no_use(rig: Rig) -> None:
    rig.intake.solve_chunk(0, "a test")
    rig.intake.drop(0)

    rig.judge.rule()
    rig.take()

    assert not rig.intake.facts.any_of(0)
