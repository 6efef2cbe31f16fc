"""BEGIN, DECLINE, BEAT, CHILD_LOST, FINISH."""

import pytest
import redis

from gridmill.answered import BESIDES, Answered
from gridmill.chunk import Record
from gridmill.entry import Entry
from gridmill.piece import Piece
from gridmill.reply import size_limit
from gridmill.said import Begun, Blame
from gridmill.settings import Settings
from producer.cut import cut

from .rig import BOARD, Rig


def test_beginning_counts_a_try_and_gives_the_boards(rig: Rig) -> None:
    rig.fed(1)

    assert rig.begin(0, 1) == Begun("ok", rig.cuts[0].chunk.boards)
    assert rig.entry(0) == Entry("s", 1, 1, 0, False, 0, "w")
    assert rig.mark() == 1


def test_a_piece_gets_its_own_boards_only(rig: Rig) -> None:
    other = BOARD.replace("53", "35", 1)
    made = next(cut([Record(1, BOARD), Record(2, other)], 2))
    rig.create()
    rig.enqueue(0, made=made)
    key = next(key for key in rig.client.keys("*:led"))
    rig.client.hset(key, "0:1:2", rig.client.hget(key, "0:0:2"))

    begun = rig.ledger.begin(rig.job, Piece(0, 1, 2), 1, "w")

    assert begun.boards == made.chunk.boards[41:]


def test_a_piece_that_another_has_begun_is_taken(rig: Rig) -> None:
    rig.fed(1)
    rig.begin(0, 1)

    assert rig.begin(0, 1, "w2") == Begun("taken")
    assert rig.entry(0).tries == 1
    assert rig.entry(0).token == "w"


def test_an_answered_piece_is_taken_too(rig: Rig) -> None:
    rig.fed(1)
    rig.begin(0, 1)
    rig.finish(0)

    assert rig.begin(0, 1).said == "taken"


LIAR, INNOCENT = "host/1/2/liar/x", "host/1/2/innocent/x"


def refuse(rig: Rig) -> int:
    """Have the first piece of a job answered wrongly; its new number."""
    rig.fed(2)
    rig.begin(0, 1, LIAR)
    rig.finish(0, LIAR)
    return rig.requeue(0, lie=True, blame=Blame("liar", "host/1", 1))


def test_a_refused_worker_gets_no_boards_and_its_message_does_not_count_as_taken(rig: Rig) -> None:
    seq = refuse(rig)

    assert rig.begin(0, seq, LIAR) == rig.begin(0, seq, LIAR) == Begun("liar")

    assert rig.mark() == 1
    assert rig.entry(0) == Entry("q", seq, 0, 1, False, 2, "-")


def test_what_a_refused_worker_left_is_begun_by_another(rig: Rig) -> None:
    seq = refuse(rig)
    rig.begin(0, seq, LIAR)

    assert rig.begin(0, seq, INNOCENT).said == "ok"
    assert (rig.entry(0).tries, rig.entry(0).beat) == (1, 0)


def test_a_refused_worker_hands_back_nothing_that_nobody_needs(rig: Rig) -> None:
    """Or such messages would go round for ever."""
    seq = refuse(rig)

    assert rig.begin(0, 1, LIAR).said == "taken"
    rig.begin(0, seq, INNOCENT)
    assert rig.begin(0, seq, LIAR).said == "taken"
    assert rig.entry(0).tries == 1


def test_a_worker_is_refused_for_one_job_alone(rig: Rig, client: "redis.Redis", settings: Settings) -> None:
    refuse(rig)
    other = Rig(client, settings).fed(1)

    assert other.begin(0, other.entry(0).seq, LIAR).said == "ok"


def test_sending_a_piece_again_does_not_forget_who_came_for_it(rig: Rig) -> None:
    seq = refuse(rig)
    rig.begin(0, seq, LIAR)

    rig.requeue(0)

    assert rig.entry(0).beat == 1


def test_a_piece_that_was_never_there_or_is_committed_is_unknown(rig: Rig) -> None:
    rig.fed(1)
    rig.commit(1, own=True)

    assert rig.begin(0, 1).said == "unknown"
    assert rig.begin(7, 1).said == "unknown"


def test_missing_boards_are_said_to_be_lost_and_count_no_try(rig: Rig) -> None:
    rig.fed(1)
    rig.client.delete(*rig.client.keys("*:b:0"))

    assert rig.begin(0, 1).said == "lost"
    assert rig.entry(0).tries == 0
    assert rig.entry(0).state == "q"


@pytest.mark.parametrize("token", ["", "two words", "line\nbreak", "é", "x" * 201])
def test_a_token_that_would_spoil_its_entry_is_refused(rig: Rig, token: str) -> None:
    rig.fed(1)

    assert rig.begin(0, 1, token).said == "refused"
    assert rig.finish(0, token) == "refused"
    assert rig.entry(0).state == "q"


def test_the_mark_moves_although_there_is_nothing_to_begin(rig: Rig) -> None:
    """It says that messages up to that one were taken, whatever became of them."""
    rig.fed(3)

    rig.begin(7, 2)

    assert rig.mark() == 2


def test_the_mark_never_goes_back(rig: Rig) -> None:
    rig.fed(3)
    rig.begin(2, 3)

    rig.begin(0, 1)

    assert rig.mark() == 3


def test_a_number_that_was_never_handed_out_does_not_move_the_mark(rig: Rig) -> None:
    rig.fed(2)

    rig.begin(0, 2**53)
    rig.ledger.decline(rig.job, 3, "another version")

    assert rig.mark() == 0


def test_a_worker_that_declines_takes_the_message_and_no_try(rig: Rig) -> None:
    rig.fed(1)

    rig.ledger.decline(rig.job, 1, "r" * 1000)

    assert rig.mark() == 1
    assert rig.entry(0) == Entry("q", 1, 0, 0, False, 0, "-")
    assert rig.ledger.view(rig.job).declined == "r" * 300


def test_only_who_has_the_piece_can_beat(rig: Rig) -> None:
    rig.fed(1)
    rig.begin(0, 1)

    assert rig.ledger.beat(rig.job, Piece(0, 0, 2), "w")
    assert not rig.ledger.beat(rig.job, Piece(0, 0, 2), "w2")
    assert rig.entry(0).beat == 1


def test_a_piece_that_was_sent_again_no_longer_beats(rig: Rig) -> None:
    rig.fed(1)
    rig.begin(0, 1)
    rig.requeue(0)

    assert not rig.ledger.beat(rig.job, Piece(0, 0, 2), "w")


def test_a_lost_child_is_noted_for_the_message_that_it_had(rig: Rig) -> None:
    rig.fed(2)
    rig.begin(0, 1)
    rig.begin(1, 2)

    assert rig.ledger.lost(rig.job, Piece(0, 0, 2), 1)
    assert not rig.ledger.lost(rig.job, Piece(1, 0, 2), 1)
    assert (rig.entry(0).lost, rig.entry(1).lost) == (True, False)


def test_a_piece_that_is_handed_back_has_lost_no_try(rig: Rig) -> None:
    rig.fed(1)
    rig.begin(0, 1)

    for _ in range(2):  # a repeated call changes nothing
        assert rig.ledger.lost(rig.job, Piece(0, 0, 2), 1, back=True)
        assert (rig.entry(0).lost, rig.entry(0).tries) == (True, 0)


def test_an_answer_is_there_under_the_number_of_the_entry(rig: Rig) -> None:
    rig.fed(1)
    rig.begin(0, 1)

    assert rig.finish(0) == "ok"

    entry, piece = rig.entry(0), Piece(0, 0, 2)
    assert (entry.state, entry.tries, entry.token) == ("a", 1, "w")
    assert rig.ledger.answers(rig.job, {piece: 1}) == {piece: Answered(b"0:0:2", "w", b"hash", b"reply")}


def test_a_late_answer_to_a_piece_that_was_sent_again_is_welcome(rig: Rig) -> None:
    rig.fed(1)
    rig.begin(0, 1)
    rig.requeue(0)

    assert rig.finish(0) == "ok"
    assert rig.entry(0).state == "a"


def test_the_second_answer_is_dropped_whoever_sends_it(rig: Rig) -> None:
    rig.fed(1)
    rig.begin(0, 1)
    rig.finish(0)

    assert rig.finish(0, "w2", b"other") == "dropped"
    assert rig.entry(0).token == "w"
    (key,) = rig.client.keys("*:a:*")
    assert rig.client.get(key) == Answered(b"0:0:2", "w", b"hash", b"reply").encode()


def test_an_answer_to_a_committed_piece_is_dropped_and_leaves_nothing(rig: Rig) -> None:
    rig.fed(1)
    rig.begin(0, 1)
    rig.commit(1, own=True)

    assert rig.finish(0) == "dropped"
    assert rig.client.keys("*:a:*") + rig.client.keys("*:answers") == []


def test_a_reply_as_long_as_one_can_be_is_taken_and_a_longer_one_refused(rig: Rig) -> None:
    rig.fed(2)
    rig.begin(0, 1)

    assert rig.finish(0, reply=b"x" * (size_limit(2) + BESIDES)) == "refused"
    assert rig.entry(0).state == "s"
    assert rig.finish(0, reply=b"x" * size_limit(2)) == "ok"
