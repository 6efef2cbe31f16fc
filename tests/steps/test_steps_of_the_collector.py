"""REQUEUE, REJECT, SPLIT, COMMIT, and the end."""

from typing import Any

import pytest

from gridmill.entry import Entry
from gridmill.ledger import BOARDS_LOST
from gridmill.piece import Piece
from gridmill.said import Blame

from .rig import MINE, OTHER, OUT, Rig


def test_a_piece_is_queued_again_under_a_new_number(rig: Rig) -> None:
    rig.fed(2)
    rig.begin(0, 1)
    rig.ledger.lost(rig.job, Piece(0, 0, 2), 1)

    assert rig.requeue(0) == 3
    assert rig.entry(0) == Entry("q", 3, 1, 0, False, 0, "-")


@pytest.mark.parametrize("seen", [{"state": "q"}, {"seq": 9}, {"token": "w2"}])
def test_a_piece_that_changed_since_it_was_seen_is_left_alone(rig: Rig, seen: dict[str, Any]) -> None:
    rig.fed(1)
    rig.begin(0, 1)
    before = rig.contents()

    assert rig.requeue(0, **seen) == 0
    assert rig.requeue(0, lie=True, **seen) == 0
    assert rig.contents() == before


def test_a_beat_does_not_keep_a_lost_piece_from_being_sent_again(rig: Rig) -> None:
    rig.fed(1)
    rig.begin(0, 1)
    seen = rig.entry(0)
    rig.ledger.beat(rig.job, Piece(0, 0, 2), "w")

    assert rig.ledger.requeue(rig.job, Piece(0, 0, 2), seen) == 2


def test_a_rejected_answer_is_deleted_counts_a_lie_and_gives_the_try_back(rig: Rig) -> None:
    rig.fed(1)
    rig.begin(0, 1)
    rig.finish(0)

    assert rig.requeue(0, lie=True) == 2
    assert rig.entry(0) == Entry("q", 2, 0, 1, False, 0, "-")
    assert rig.client.keys("*:a:*") + rig.client.keys("*:answers") == []


def test_rejecting_what_nobody_began_leaves_no_tries_below_nothing(rig: Rig) -> None:
    rig.fed(1)
    rig.finish(0)

    rig.requeue(0, lie=True)

    assert rig.entry(0).tries == 0


def test_a_piece_without_boards_is_not_queued_again(rig: Rig) -> None:
    rig.fed(1)
    rig.begin(0, 1)
    rig.client.delete(*rig.client.keys("*:b:0"))

    assert rig.requeue(0) == BOARDS_LOST
    assert rig.entry(0).state == "s"


def test_nothing_is_restored_that_is_there_or_was_never_or_is_committed(rig: Rig) -> None:
    rig.fed(2)
    rig.begin(1, 2)
    rig.ledger.split(rig.job, Piece(1, 0, 2), rig.entry(1), Piece(1, 0, 2).parts(2))
    rig.commit(1, own=True)
    before = rig.contents()

    assert rig.ledger.restore(rig.job, 0) == []
    assert rig.contents() == before


def test_a_chunk_whose_entries_and_boards_are_gone_cannot_be_restored(rig: Rig) -> None:
    rig.fed(1)
    rig.client.delete(*rig.client.keys("*:led"), *rig.client.keys("*:b:*"))

    assert rig.ledger.restore(rig.job, 0) == [(Piece(0, 0, 1), BOARDS_LOST)]


LIAR = Blame("name", "host/1", 2)


def test_a_worker_that_lied_too_often_is_refused_by_its_name(rig: Rig) -> None:
    rig.fed(1)
    for told in range(2):
        assert rig.ledger.view(rig.job).refused == {}
        rig.begin(0, 1 + told)
        rig.finish(0)
        rig.requeue(0, lie=True, blame=LIAR)

    assert rig.ledger.view(rig.job).refused == {"name": "host/1"}


def test_a_lie_that_changed_nothing_blames_nobody(rig: Rig) -> None:
    rig.fed(1)

    assert rig.requeue(0, lie=True, blame=LIAR._replace(limit=1), seq=9) == 0
    assert rig.ledger.view(rig.job).refused == {}


def test_a_lie_of_which_nobody_is_convicted_blames_nobody(rig: Rig) -> None:
    rig.fed(1)

    rig.requeue(0, lie=True, blame=Blame("", "", 1))

    assert rig.ledger.view(rig.job).refused == {}
    assert rig.entry(0).lies == 1


def test_a_liar_with_ever_new_names_does_not_fill_the_record(rig: Rig) -> None:
    rig.fed(1)
    for number in range(300):
        rig.requeue(0, lie=True, blame=Blame(f"name{number}", "host/1", 1))

    assert rig.client.hlen(rig.client.keys("*:job")[0]) <= 201
    assert rig.entry(0).lies == 300


def halves(rig: Rig, **seen: Any) -> list[int]:
    """SPLIT the first chunk into its two records."""
    entry = rig.entry(0)._replace(**seen)
    return rig.ledger.split(rig.job, Piece(0, 0, 2), entry, Piece(0, 0, 2).parts(2))


def test_a_piece_is_split_into_parts_with_one_try_less_and_no_lie(rig: Rig) -> None:
    rig.fed(2)
    rig.finish(0)
    rig.requeue(0, lie=True)
    for seq in (3, 4, 5):
        rig.begin(0, seq)
        rig.requeue(0)
    rig.begin(0, 6)
    assert (rig.entry(0).tries, rig.entry(0).lies) == (4, 1)

    assert halves(rig) == [7, 8]

    snapshot = rig.ledger.scan(rig.job)
    assert snapshot is not None
    assert snapshot.entries == {
        Piece(0, 0, 1): Entry("q", 7, 3, 0, False, 0, "-"),
        Piece(0, 1, 2): Entry("q", 8, 3, 0, False, 0, "-"),
        Piece(1, 0, 2): Entry("q", 2, 0, 0, False, 0, "-"),
    }


@pytest.mark.parametrize("seen", [{"state": "q"}, {"seq": 9}, {"token": "w2"}])
def test_a_piece_that_changed_since_it_was_seen_is_not_split(rig: Rig, seen: dict[str, Any]) -> None:
    rig.fed(1)
    rig.begin(0, 1)
    before = rig.contents()

    assert halves(rig, **seen) == []
    assert rig.contents() == before


@pytest.mark.parametrize("answered", [False, True])
def test_only_what_was_started_is_split(rig: Rig, answered: bool) -> None:
    rig.fed(1)
    if answered:
        rig.finish(0)

    assert halves(rig) == []


def test_a_piece_without_boards_is_not_split(rig: Rig) -> None:
    rig.fed(1)
    rig.begin(0, 1)
    rig.client.delete(*rig.client.keys("*:b:0"))

    assert halves(rig) == [BOARDS_LOST]
    assert rig.entry(0).state == "s"


def test_the_parts_of_a_split_piece_are_begun_and_answered_each_for_itself(rig: Rig) -> None:
    rig.fed(1)
    rig.begin(0, 1)
    first, second = halves(rig)

    begun = rig.ledger.begin(rig.job, Piece(0, 1, 2), second, "w")
    assert begun.boards == rig.cuts[0].chunk.boards[41:]
    assert rig.ledger.finish(rig.job, Piece(0, 1, 2), "w", b"hash", b"reply") == "ok"
    assert rig.ledger.begin(rig.job, Piece(0, 0, 1), first, "w").said == "ok"


def test_who_had_a_piece_that_was_split_comes_too_late(rig: Rig) -> None:
    rig.fed(1)
    rig.begin(0, 1)
    halves(rig)

    assert rig.begin(0, 1).said == "unknown"
    assert rig.ledger.beat(rig.job, Piece(0, 0, 2), "w") is False
    assert rig.finish(0) == "dropped"
    assert rig.client.keys("*:a:*") + rig.client.keys("*:answers") == []


def test_a_commit_deletes_the_parts_of_a_piece_and_their_answers(rig: Rig) -> None:
    rig.fed(2)
    rig.begin(0, 1)
    halves(rig)
    rig.ledger.finish(rig.job, Piece(0, 1, 2), "w", b"hash", b"reply")

    rig.commit(1, own=True)

    snapshot = rig.ledger.scan(rig.job)
    assert snapshot is not None
    assert list(snapshot.entries) == [Piece(1, 0, 2)]
    assert rig.client.keys("*:a:*") + rig.client.keys("*:answers") == []


def test_a_commit_deletes_all_below_it_and_nothing_above(rig: Rig) -> None:
    rig.fed(4)
    for number in (0, 2):
        rig.begin(number, number + 1)
        rig.finish(number)
    kept = rig.entry(2)

    assert rig.commit(2, own=True) == "ok"

    snapshot = rig.ledger.scan(rig.job)
    assert snapshot is not None
    assert sorted(snapshot.entries) == [Piece(2, 0, 2), Piece(3, 0, 2)]
    assert snapshot.entries[Piece(2, 0, 2)] == kept
    assert [rig.ledger.chunk(rig.job, number) is None for number in range(4)] == [True, True, False, False]
    assert list(rig.ledger.answers(rig.job, {Piece(2, 0, 2): kept.seq})) == [Piece(2, 0, 2)]
    assert snapshot.answers == len(rig.client.keys("*:a:*")) == 1
    assert (snapshot.job.cursor, snapshot.job.written) == (2, 4)


def test_it_deletes_pieces_that_the_collector_has_never_seen(rig: Rig) -> None:
    """As a server holds them that went back in time: started, answered, requeued, whatever."""
    rig.fed(3)
    rig.begin(0, 1)
    rig.begin(1, 2)
    rig.finish(1)

    rig.commit(3, own=True)

    assert rig.client.keys("*:led") == rig.client.keys("*:b:*") == rig.client.keys("*:s:*") == []
    assert rig.ledger.view(rig.job).bytes_in_flight == 0


def test_a_server_that_is_behind_is_brought_forward(rig: Rig) -> None:
    rig.fed(1)

    assert rig.commit(3, own=True) == "ok"

    job = rig.ledger.view(rig.job)
    assert (job.place, job.cursor, job.bytes_in_flight) == (rig.cuts[2].after, 3, 0)
    assert rig.enqueue(3).said == "ok"


def test_bytes_in_flight_come_back_to_nothing(rig: Rig) -> None:
    rig.fed(4)
    assert rig.ledger.view(rig.job).bytes_in_flight > 0

    rig.commit(1, own=True)
    rig.commit(3)
    rig.commit(4)

    assert rig.ledger.view(rig.job).bytes_in_flight == 0


def test_the_cursor_never_goes_back(rig: Rig) -> None:
    rig.fed(3)
    rig.commit(2, own=True)

    assert rig.commit(1) == "ok"
    assert rig.ledger.view(rig.job).cursor == 2


def test_a_collector_that_lacks_what_was_deleted_is_told_so(rig: Rig) -> None:
    rig.fed(3)
    rig.commit(2, own=True)
    before = rig.contents()

    assert rig.commit(1, OTHER, own=True) == "ahead"
    assert rig.contents() == before


def test_another_output_is_sent_away_by_the_name_of_the_first(rig: Rig) -> None:
    rig.fed(1)
    rig.commit(0, own=True)

    assert rig.commit(0, OTHER, own=True, out="elsewhere:/x y.csv") == f"elsewhere {OUT}"
    assert rig.ledger.view(rig.job).collector == MINE


def test_a_collector_of_the_same_output_takes_over_and_fences_the_first(rig: Rig) -> None:
    rig.fed(2)
    rig.commit(0, own=True)

    assert rig.commit(0, OTHER, own=True) == "ok"
    assert rig.commit(1, MINE) == "fenced"
    assert rig.commit(1, OTHER) == "ok"


@pytest.mark.parametrize("state", ["done", "cancelled"])
def test_the_end_leaves_a_tombstone_and_nothing_else(rig: Rig, state: str) -> None:
    rig.fed(3)
    rig.begin(0, 1)
    rig.finish(0)
    rig.commit(1, own=True)
    rig.begin(1, 2)
    rig.finish(1)

    assert rig.ledger.final(rig.job, state) == state

    assert [key for key in rig.client.keys("*") if rig.job.encode() in key] == rig.client.keys("*:job")
    assert (rig.ledger.view(rig.job).state, rig.ledger.view(rig.job).bytes_in_flight) == (state, 0)


def test_the_first_end_counts(rig: Rig) -> None:
    rig.fed(1)
    rig.ledger.final(rig.job, "done")

    assert rig.ledger.final(rig.job, "cancelled") == "done"


def test_an_ended_job_is_forgotten_and_an_open_one_is_not(rig: Rig) -> None:
    rig.fed(1)

    assert rig.ledger.forget(rig.job) == "open"
    assert rig.ledger.jobs() == [rig.job]
    rig.ledger.final(rig.job, "done")
    assert rig.ledger.forget(rig.job) == "done"
    assert rig.ledger.jobs() == []
    assert rig.ledger.scan(rig.job) is None
