"""The ledger's steps, one by one, on a real server and on fakeredis."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import redis

from gridmill import broker
from gridmill.chunk import Chunk, Fault, Record
from gridmill.embedded import Server
from gridmill.entry import Answered, Entry, Place
from gridmill.errors import BrokerError, BrokerFull, BrokerLost, UnknownJob, WireError
from gridmill.job import new_id
from gridmill.ledger import BOARDS_LOST, Ledger, boards_hash
from gridmill.piece import Piece
from gridmill.reply import size_limit
from gridmill.said import Begun, Created, Enqueued
from gridmill.settings import Settings
from producer.cut import Cut, cut

BOARD = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
BUDGET = 1_000_000
MINE, OTHER = "mine", "other"  # tokens
OUT = "host:/out.csv"


def records(count: int) -> list[Record]:
    return [Record(line, BOARD) for line in range(1, count + 1)]


class Rig:
    """One job of chunks of two records, and short names for its steps."""

    def __init__(self, client: "redis.Redis", settings: Settings) -> None:
        self.client = client
        self.ledger = Ledger(client, settings.prefix, broker.queue_key(settings))
        self.job = new_id()
        self.cuts = list(cut(records(8), 2))

    def create(self, token: str = MINE, spec: bytes = b"spec", start: Place = Place()) -> Created:  # noqa: B008
        return self.ledger.create(self.job, token, spec, start)

    def enqueue(self, number: int, token: str = MINE, budget: int = BUDGET, made: Cut | None = None) -> Enqueued:
        made = made or self.cuts[number]
        return self.ledger.enqueue(self.job, token, made.at, made.chunk, made.after, budget)

    def begin(self, number: int, seq: int, token: str = "w") -> Begun:
        return self.ledger.begin(self.job, Piece(number, 0, 2), seq, token)

    def finish(self, number: int, token: str = "w", reply: bytes = b"reply") -> str:
        return self.ledger.finish(self.job, Piece(number, 0, 2), token, b"hash", reply)

    def commit(self, number: int, token: str = MINE, *, own: bool = False, out: str = OUT) -> str:
        place = self.cuts[number - 1].after if number else Place()
        return self.ledger.commit(self.job, token, place, b"{}", out=out, own=own)

    def requeue(self, number: int, *, lie: bool = False, **seen: Any) -> int:
        entry = self.entry(number)._replace(**seen)
        return self.ledger.requeue(self.job, Piece(number, 0, 2), entry, lie=lie)

    def entry(self, number: int) -> Entry:
        snapshot = self.ledger.scan(self.job)
        assert snapshot is not None
        return snapshot.entries[Piece(number, 0, 2)]

    def mark(self) -> int:
        snapshot = self.ledger.scan(self.job)
        assert snapshot is not None
        return snapshot.mark

    def fed(self, count: int) -> "Rig":
        """The job, created, with ``count`` chunks."""
        assert self.create().said == "ok"
        for number in range(count):
            assert self.enqueue(number).said == "ok"
        return self

    def contents(self) -> dict[bytes, object]:
        """Everything in the server."""
        read: dict[bytes, Callable[[bytes], object]] = {
            b"string": self.client.get,
            b"hash": self.client.hgetall,
            b"stream": self.client.xrange,
        }
        keys: Any = self.client.keys("*")
        kinds: Any = {key: self.client.type(key) for key in keys}
        return {key: read[kinds[key]](key) for key in keys}


@pytest.fixture
def rig(client: "redis.Redis", settings: Settings) -> Rig:
    return Rig(client, settings)


# -- CREATE


def test_a_new_job_begins_where_it_is_told_to(rig: Rig) -> None:
    place = rig.cuts[1].after

    said = rig.create(start=place)

    job = rig.ledger.view(rig.job)
    assert said == Created("ok", place, 1)
    assert (job.state, job.place, job.cursor, job.written, job.total) == ("open", place, 2, 4, None)
    assert rig.ledger.jobs() == [rig.job]


def test_attaching_goes_on_where_the_job_is_and_not_where_one_would_begin(rig: Rig) -> None:
    rig.fed(3)

    said = rig.create(OTHER, start=Place())

    assert said == Created("ok", rig.cuts[2].after, 2)


def test_a_job_with_another_spec_differs_and_keeps_its_producer(rig: Rig) -> None:
    rig.fed(1)

    assert rig.create(OTHER, spec=b"another").said == "differs"
    assert rig.enqueue(1).said == "ok"


# -- ENQUEUE


def test_a_chunk_is_stored_and_queued_under_the_next_number(rig: Rig) -> None:
    rig.create()

    said = [rig.enqueue(0), rig.enqueue(1)]

    assert said == [Enqueued("ok", 1), Enqueued("ok", 2)]
    assert rig.ledger.chunk(rig.job, 1) == rig.cuts[1].chunk
    assert rig.entry(1) == Entry("q", 2, 0, 0, False, 0, "-", "-")
    assert rig.ledger.view(rig.job).place == rig.cuts[1].after


def test_numbers_go_on_over_all_jobs(rig: Rig, client: "redis.Redis", settings: Settings) -> None:
    rig.fed(2)

    other = Rig(client, settings)
    other.create()

    assert other.enqueue(0).seq == 3


def test_a_chunk_without_a_board_is_born_answered(rig: Rig) -> None:
    rig.create()
    rubbish = [Record(1, None, Fault(0, "no cells", "x"))] * 2

    rig.enqueue(0, made=next(cut(rubbish, 2)))

    assert rig.entry(0).state == "a"
    assert rig.entry(0).eid == "-"


@pytest.mark.parametrize("number", [0, 2, 3])
def test_a_chunk_that_is_not_expected_is_answered_with_the_place_that_is(rig: Rig, number: int) -> None:
    rig.fed(2)
    rig.begin(0, 1)
    rig.finish(0)
    rig.commit(1, own=True)
    expected = Enqueued("ok", 3) if number == 2 else Enqueued("rewind", place=rig.cuts[1].after)

    assert rig.enqueue(number) == expected


def test_the_last_chunk_again_with_other_content_is_not_taken_for_a_repetition(rig: Rig) -> None:
    rig.fed(1)
    other = Chunk.of(1, [Record(7, BOARD)] * 2)
    made = Cut(Place(), other, Place(1, 2, other.chained(Place().chain)))

    assert rig.enqueue(0, made=made).said == "rewind"


def test_another_producer_fences_the_first_and_says_that_it_came_later(rig: Rig) -> None:
    rig.fed(1)
    rig.create(OTHER)

    assert rig.enqueue(1) == Enqueued("fenced", generation=2)
    assert rig.ledger.close(rig.job, MINE, 1) == Enqueued("fenced", generation=2)
    assert rig.enqueue(1, OTHER).said == "ok"


def test_the_budget_counts_boards_side_data_and_room_for_two_solutions_a_board(rig: Rig) -> None:
    chunk = rig.cuts[0].chunk
    price = 3 * len(chunk.boards) + len(chunk.side)
    rig.fed(1)

    assert rig.ledger.view(rig.job).bytes_in_flight == price
    assert rig.enqueue(1, budget=2 * price + 10).said == "ok"
    assert rig.enqueue(2, budget=2 * price + 10).said == "full"


def test_the_chunk_that_the_collector_waits_for_is_never_too_much(rig: Rig) -> None:
    rig.create()

    assert rig.enqueue(0, budget=1).said == "ok"
    assert rig.enqueue(1, budget=1).said == "full"

    rig.begin(0, 1)
    rig.finish(0)
    rig.commit(1, own=True)
    assert rig.enqueue(1, budget=1).said == "ok"


# -- CLOSE, FEEDING, WAITAOF


def test_closing_says_how_many_chunks_there_are(rig: Rig) -> None:
    rig.fed(2)

    assert rig.ledger.close(rig.job, MINE, 2).said == "ok"
    assert rig.ledger.view(rig.job).total == 2


@pytest.mark.parametrize("number", [0, 1, 3])
def test_closing_elsewhere_than_at_the_expected_place_is_refused(rig: Rig, number: int) -> None:
    rig.fed(2)

    assert rig.ledger.close(rig.job, MINE, number) == Enqueued("rewind", place=rig.cuts[1].after)
    assert rig.ledger.view(rig.job).total is None


def test_an_input_without_records_is_closed_at_nothing(rig: Rig) -> None:
    rig.create()

    assert rig.ledger.close(rig.job, MINE, 0).said == "ok"
    assert rig.ledger.view(rig.job).total == 0


def test_only_the_jobs_producer_can_show_life(rig: Rig) -> None:
    rig.fed(1)

    assert rig.ledger.feeding(rig.job, MINE)
    assert not rig.ledger.feeding(rig.job, OTHER)
    assert rig.ledger.view(rig.job).fed == 1


def test_a_server_without_an_append_only_file_promises_nothing(rig: Rig) -> None:
    rig.fed(1)

    assert rig.ledger.flush(rig.job, MINE) is False


def test_a_server_with_one_promises_only_to_the_jobs_producer(tmp_path: Path, session_server: Server) -> None:
    with Server(tmp_path, durable=True) as durable:
        settings = Settings.load(broker=durable.url)
        rig = Rig(broker.redis_client(settings), settings).fed(2)

        assert rig.ledger.flush(rig.job, MINE) is True
        assert rig.ledger.flush(rig.job, OTHER) is False


# -- BEGIN, DECLINE, BEAT, CHILD_LOST


def test_beginning_counts_a_try_and_gives_the_boards(rig: Rig) -> None:
    rig.fed(1)

    assert rig.begin(0, 1) == Begun("ok", rig.cuts[0].chunk.boards)
    assert rig.entry(0) == Entry("s", 1, 1, 0, False, 0, "-", "w")
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

    assert rig.begin(0, 1, "w2").said == "taken"
    assert rig.entry(0).tries == 1
    assert rig.entry(0).token == "w"


def test_an_answered_piece_is_taken_too(rig: Rig) -> None:
    rig.fed(1)
    rig.begin(0, 1)
    rig.finish(0)

    assert rig.begin(0, 1).said == "taken"


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
    assert rig.entry(0) == Entry("q", 1, 0, 0, False, 0, "-", "-")
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


# -- FINISH


def test_an_answer_is_in_the_stream_and_named_in_the_entry(rig: Rig) -> None:
    rig.fed(1)
    rig.begin(0, 1)

    assert rig.finish(0) == "ok"

    entry = rig.entry(0)
    assert (entry.state, entry.tries, entry.token) == ("a", 1, "w")
    assert rig.ledger.answers(rig.job, [entry.eid]) == {entry.eid: Answered(b"0:0:2", "w", b"hash", b"reply")}


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
    assert rig.client.xlen(rig.client.keys("*:answers")[0]) == 1


def test_an_answer_to_a_committed_piece_is_dropped_and_makes_no_stream(rig: Rig) -> None:
    rig.fed(1)
    rig.begin(0, 1)
    rig.commit(1, own=True)

    assert rig.finish(0) == "dropped"
    assert rig.client.keys("*:answers") == []


def test_a_reply_as_long_as_one_can_be_is_taken_and_a_longer_one_refused(rig: Rig) -> None:
    rig.fed(2)
    rig.begin(0, 1)

    assert rig.finish(0, reply=b"x" * (size_limit(2) + 1)) == "refused"
    assert rig.entry(0).state == "s"
    assert rig.finish(0, reply=b"x" * size_limit(2)) == "ok"


def test_a_hash_that_is_no_hash_is_refused(rig: Rig) -> None:
    rig.fed(1)

    assert rig.ledger.finish(rig.job, Piece(0, 0, 2), "w", b"h" * 65, b"reply") == "refused"


# -- REQUEUE and REJECT


def test_a_piece_is_queued_again_under_a_new_number(rig: Rig) -> None:
    rig.fed(2)
    rig.begin(0, 1)
    rig.ledger.lost(rig.job, Piece(0, 0, 2), 1)

    assert rig.requeue(0) == 3
    assert rig.entry(0) == Entry("q", 3, 1, 0, False, 0, "-", "-")


@pytest.mark.parametrize("seen", [{"state": "q"}, {"seq": 9}, {"token": "w2"}, {"eid": "1-1"}])
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
    eid = rig.entry(0).eid

    assert rig.requeue(0, lie=True) == 2
    assert rig.entry(0) == Entry("q", 2, 0, 1, False, 0, "-", "-")
    assert rig.ledger.answers(rig.job, [eid]) == {}


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


# -- COMMIT


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
    assert list(rig.ledger.answers(rig.job, [kept.eid])) == [kept.eid]
    assert rig.client.xlen(rig.client.keys("*:answers")[0]) == 1
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


# -- DONE, CANCEL, FORGET


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


SEEN = Entry("s", 2, 1, 0, False, 0, "-", "w")
STEPS: dict[str, tuple[Callable[[Rig], object], object]] = {
    "enqueue": (lambda rig: rig.enqueue(2).said, None),
    "close": (lambda rig: rig.ledger.close(rig.job, MINE, 2).said, None),
    "feeding": (lambda rig: rig.ledger.feeding(rig.job, MINE), False),
    "begin": (lambda rig: rig.begin(0, 1).said, None),
    "decline": (lambda rig: rig.ledger.decline(rig.job, 1, "why"), False),
    "beat": (lambda rig: rig.ledger.beat(rig.job, Piece(1, 0, 2), "w"), False),
    "lost": (lambda rig: rig.ledger.lost(rig.job, Piece(1, 0, 2), 2), False),
    "finish": (lambda rig: rig.finish(1), "dropped"),
    "requeue": (lambda rig: rig.ledger.requeue(rig.job, Piece(1, 0, 2), SEEN), 0),
    "commit": (lambda rig: rig.commit(1, own=True), None),
}


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("state", ["done", "cancelled", "nojob"])
def test_nothing_happens_to_a_job_that_is_not_open(rig: Rig, step: str, state: str) -> None:
    # Given two chunks, one of them begun, and then the end, which leaves the pieces behind as it never should
    rig.fed(2)
    rig.begin(1, 2)
    key: Any = rig.client.keys("*:led")[0]
    pieces: Any = rig.client.hgetall(key)
    rig.ledger.final(rig.job, "done" if state == "nojob" else state)
    if state == "nojob":
        rig.ledger.forget(rig.job)
    rig.client.hset(key, mapping=pieces)
    before = rig.contents()

    take, refusal = STEPS[step]
    said = take(rig)

    assert said == (state if refusal is None else refusal) or (step == "decline" and said is None)
    assert rig.contents() == before


REPEATED: dict[str, Callable[[Rig], object]] = {
    "create": lambda rig: rig.create(OTHER),
    "enqueue": lambda rig: rig.enqueue(2),
    "close": lambda rig: rig.ledger.close(rig.job, MINE, 2),
    "begin": lambda rig: rig.begin(0, 1, "w0"),
    "decline": lambda rig: rig.ledger.decline(rig.job, 1, "why"),
    "lost": lambda rig: rig.ledger.lost(rig.job, Piece(1, 0, 2), 2),
    "commit": lambda rig: rig.commit(1, own=True),
    "done": lambda rig: rig.ledger.final(rig.job, "done"),
}


@pytest.mark.parametrize("step", REPEATED)
def test_a_step_whose_reply_was_lost_may_be_taken_again(rig: Rig, step: str) -> None:
    """Client libraries repeat a call by themselves: the second says the same and changes nothing."""
    rig.fed(2)
    rig.begin(1, 2)

    said = REPEATED[step](rig)
    after = rig.contents()

    assert REPEATED[step](rig) == said
    assert rig.contents() == after


def test_finishing_again_changes_nothing(rig: Rig) -> None:
    rig.fed(1)
    rig.begin(0, 1)
    rig.finish(0)
    after = rig.contents()

    assert rig.finish(0) == "dropped"
    assert rig.contents() == after


@pytest.mark.parametrize("lie", [False, True])
def test_requeuing_again_changes_nothing(rig: Rig, lie: bool) -> None:
    rig.fed(1)
    rig.begin(0, 1)
    rig.finish(0)
    seen = rig.entry(0)
    assert rig.ledger.requeue(rig.job, Piece(0, 0, 2), seen, lie=lie) == 2
    after = rig.contents()

    assert rig.ledger.requeue(rig.job, Piece(0, 0, 2), seen, lie=lie) == 0
    assert rig.contents() == after


# -- looking


def test_a_snapshot_has_the_length_of_the_queue(rig: Rig, settings: Settings) -> None:
    rig.fed(1)
    rig.client.lpush(broker.queue_key(settings), "message", "message")

    snapshot = rig.ledger.scan(rig.job)

    assert snapshot is not None
    assert snapshot.queued == 2


def test_new_answers_wake_who_waits_for_them(rig: Rig) -> None:
    rig.fed(3)
    for number in range(3):
        rig.finish(number, reply=b"%d" % number)
    first = rig.entry(0).eid

    woken = rig.ledger.wait(rig.job, first, 5)

    assert [answered.reply for answered in woken.values()] == [b"1", b"2"]


def test_waiting_ends_by_itself(rig: Rig) -> None:
    rig.fed(1)

    assert rig.ledger.wait(rig.job, "0-0", 0.01) == {}


def test_answers_that_are_gone_are_missing(rig: Rig) -> None:
    rig.fed(1)
    rig.finish(0)
    eid = rig.entry(0).eid

    assert list(rig.ledger.answers(rig.job, ["1-1", eid])) == [eid]
    assert rig.ledger.answers(rig.job, []) == {}


@pytest.mark.parametrize("kind", ["b", "s"])
def test_a_chunk_of_which_a_part_is_gone_is_gone(rig: Rig, kind: str) -> None:
    rig.fed(1)
    rig.client.delete(*rig.client.keys(f"*:{kind}:0"))

    assert rig.ledger.chunk(rig.job, 0) is None


def test_a_job_that_the_server_does_not_know_is_no_empty_answer(rig: Rig) -> None:
    with pytest.raises(UnknownJob, match=f"knows no job {rig.job}"):
        rig.ledger.view(rig.job)
    assert rig.ledger.scan(rig.job) is None


def test_jobs_are_listed_the_oldest_first(rig: Rig, client: "redis.Redis", settings: Settings) -> None:
    rigs = [rig, Rig(client, settings), Rig(client, settings)]
    for each in rigs:
        each.create()

    assert rig.ledger.jobs() == [each.job for each in rigs]


def test_an_entry_of_another_form_is_an_error_that_quotes_it(rig: Rig) -> None:
    rig.fed(1)
    rig.client.hset(rig.client.keys("*:led")[0], "0:0:2", "q one 0 0 0 0 - -")

    with pytest.raises(WireError, match="one 0 0"):
        rig.ledger.scan(rig.job)


def test_a_piece_of_another_form_is_an_error(rig: Rig) -> None:
    rig.fed(1)
    rig.client.hset(rig.client.keys("*:led")[0], b"\xff", "q 1 0 0 0 0 - -")

    with pytest.raises(WireError, match="is not a piece"):
        rig.ledger.scan(rig.job)


def age(rig: Rig) -> None:
    """Let an hour pass since the last step."""
    key = rig.client.keys("*:job")[0]
    rig.client.hset(key, "renewed", float(rig.client.hget(key, "renewed")) - 3600)  # type: ignore[arg-type]


RENEWALS: dict[str, tuple[Callable[[Rig], object], bool]] = {
    "enqueue": (lambda rig: rig.enqueue(2), True),
    "begin": (lambda rig: rig.begin(0, 1), True),
    "look of the collector": (lambda rig: rig.ledger.scan(rig.job, MINE), True),
    "look of another": (lambda rig: rig.ledger.scan(rig.job, OTHER), False),
    "view": (lambda rig: rig.ledger.view(rig.job), False),
}


@pytest.mark.parametrize("step", RENEWALS)
def test_a_step_renews_the_job_and_a_look_from_outside_does_not(rig: Rig, step: str) -> None:
    rig.fed(2)
    rig.commit(0, own=True)
    began = rig.ledger.view(rig.job).renewed
    age(rig)

    take, renews = RENEWALS[step]
    take(rig)

    renewed = rig.ledger.view(rig.job).renewed
    assert renewed >= began if renews else renewed == began - 3600


def test_a_hash_of_boards_tells_them_apart(rig: Rig) -> None:
    boards = rig.cuts[0].chunk.boards

    assert boards_hash(boards) == boards_hash(bytes(boards))
    assert boards_hash(boards) != boards_hash(boards[:41])
    assert len(boards_hash(boards)) == 16


# -- a server in trouble


@pytest.fixture
def full(server: Server) -> Iterator[Rig]:
    """A job on a real server that is at its memory limit."""
    settings = Settings.load(broker=server.url)
    with broker.redis_client(settings) as client:
        rig = Rig(client, settings).fed(3)
        rig.begin(0, 1)
        rig.finish(0)
        client.config_set("maxmemory", 1)
        yield rig
        client.config_set("maxmemory", 0)


def test_a_full_server_takes_no_chunk_and_says_what_to_do(full: Rig) -> None:
    with pytest.raises(BrokerFull, match="GRIDMILL_IN_FLIGHT"):
        full.enqueue(3)


def test_a_collector_attaches_to_a_full_server_and_makes_room(full: Rig) -> None:
    assert full.commit(0, own=True) == "ok"
    assert full.commit(1) == "ok"
    assert full.ledger.chunk(full.job, 0) is None
    assert full.ledger.view(full.job).collector == MINE


def test_a_full_server_can_be_looked_at_although_the_job_is_old(full: Rig) -> None:
    full.commit(0, own=True)
    full.client.config_set("maxmemory", 0)
    age(full)
    full.client.config_set("maxmemory", 1)

    assert full.ledger.scan(full.job, MINE) is not None
    assert full.commit(1) == "ok"


def test_a_job_on_a_full_server_can_be_ended(full: Rig) -> None:
    assert full.ledger.final(full.job, "cancelled") == "cancelled"
    assert full.ledger.view(full.job).state == "cancelled"


def test_an_answer_is_rejected_on_a_full_server(full: Rig) -> None:
    assert full.requeue(0, lie=True) == 4


def test_a_server_that_forgot_its_scripts_is_given_them_again(rig: Rig) -> None:
    rig.fed(1)
    rig.client.script_flush()

    assert rig.enqueue(1).said == "ok"


def test_a_server_that_is_not_there_is_lost_for_now(tmp_path: Path) -> None:
    settings = Settings.load(broker=f"redis+socket://{tmp_path}/none.sock?virtual_host=0")

    with pytest.raises(BrokerLost, match="connection to the server broke"):
        Ledger.connect(settings).view("2345678923")


@pytest.mark.parametrize(
    "answer", ["LOADING in memory", "BUSY script", "READONLY replica", "MISCONF disk", "NOREPLICAS"]
)
def test_a_server_that_cannot_answer_now_is_lost_for_now(rig: Rig, answer: str) -> None:
    error = redis.ResponseError(answer)

    with pytest.raises(BrokerLost):
        rig.ledger._call(lambda: raising(error))


def test_a_server_that_refuses_the_user_is_no_use_at_all(rig: Rig) -> None:
    with pytest.raises(BrokerError, match="ACL") as caught:
        rig.ledger._call(lambda: raising(redis.exceptions.NoPermissionError("no permissions")))
    assert not isinstance(caught.value, BrokerLost)


def test_a_step_that_the_server_does_not_understand_is_an_error(rig: Rig) -> None:
    rig.client.set(rig.client.keys("*:led")[0] if rig.fed(1) else "", "text")

    with pytest.raises(BrokerError, match="refused a step") as caught:
        rig.begin(0, 1)
    assert not isinstance(caught.value, BrokerLost)


def raising(error: Exception) -> None:
    raise error
