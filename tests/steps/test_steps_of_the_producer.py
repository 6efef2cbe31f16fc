"""CREATE, ENQUEUE, CLOSE, FEEDING, and waiting for the disk."""

from pathlib import Path

import pytest
import redis

from gridmill import broker
from gridmill.chunk import Chunk, Fault, Record
from gridmill.embedded import Server
from gridmill.entry import Entry, Place
from gridmill.said import Created, Enqueued
from gridmill.settings import Settings
from producer.cut import Cut, cut

from .rig import BOARD, MINE, OTHER, Rig


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


def test_a_chunk_is_stored_and_queued_under_the_next_number(rig: Rig) -> None:
    rig.create()

    said = [rig.enqueue(0), rig.enqueue(1)]

    assert said == [Enqueued("ok", 1), Enqueued("ok", 2)]
    assert rig.ledger.chunk(rig.job, 1) == rig.cuts[1].chunk
    assert rig.entry(1) == Entry("q", 2, 0, 0, False, 0, "-")
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
    assert rig.client.keys("*:a:*") == []


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
    assert rig.enqueue(2, budget=2 * price + 10) == Enqueued("full", in_flight=rig.ledger.in_flight(rig.job))


def test_boards_that_were_refused_do_not_stay(rig: Rig) -> None:
    rig.fed(1)
    before = rig.contents()

    assert rig.enqueue(1, budget=1).said == "full"
    assert rig.enqueue(2).said == "rewind"
    assert rig.enqueue(1, OTHER).said == "fenced"

    assert rig.contents() == before


def test_the_chunk_that_the_collector_waits_for_is_never_too_much(rig: Rig) -> None:
    rig.create()

    assert rig.enqueue(0, budget=1).said == "ok"
    assert rig.enqueue(1, budget=1).said == "full"

    rig.begin(0, 1)
    rig.finish(0)
    rig.commit(1, own=True)
    assert rig.enqueue(1, budget=1).said == "ok"


def test_a_job_that_was_closed_takes_no_more(rig: Rig) -> None:
    """Its collector may have finished already."""
    rig.fed(2)
    rig.ledger.close(rig.job, MINE, 2)

    assert rig.enqueue(2).said == "closed"
    assert rig.enqueue(1).said == "ok"  # a repetition
    assert rig.ledger.view(rig.job).place == rig.cuts[1].after


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
