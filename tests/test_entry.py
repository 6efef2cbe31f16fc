"""What the ledger holds, as Python sees it."""

import pytest

from gridmill.chunk import CHAIN_START
from gridmill.entry import Entry, JobView, Place
from gridmill.errors import WireError

FIELDS = {
    b"state": b"open", b"spec": b"\x80", b"next": b"3", b"record": b"30", b"chain": b"c" * 16, b"cursor": b"1",
    b"written": b"10", b"bytes": b"77", b"created": b"1.5", b"renewed": b"2",
}  # fmt: skip


def test_a_job_begins_at_nothing() -> None:
    assert Place() == (0, 0, CHAIN_START)


def test_an_entry_is_read_from_its_line() -> None:
    assert Entry.parse(b"s 7 2 1 1 5 host/9/ab") == Entry("s", 7, 2, 1, True, 5, "host/9/ab")


@pytest.mark.parametrize("text", [b"", b"s 7 2 1 1 5", b"s x 2 1 1 5 w", b"s 7 2 1 1 5 12-3 w", b"s 7 2 1 1 5 \xff"])
def test_a_line_of_another_form_is_refused(text: bytes) -> None:
    with pytest.raises(WireError, match="is no entry"):
        Entry.parse(text)


def test_a_job_that_was_just_made_has_neither_total_nor_collector() -> None:
    job = JobView.parse(FIELDS)

    assert (job.place, job.cursor, job.written, job.bytes_in_flight) == (Place(3, 30, b"c" * 16), 1, 10, 77)
    assert (job.total, job.collector, job.producer, job.fed, job.out, job.declined) == (None, "", "", 0, "", "")
    assert (job.created, job.renewed) == (1.5, 2.0)


def test_what_a_worker_wrote_cannot_break_the_reading() -> None:
    assert JobView.parse(FIELDS | {b"declined": b"\xffno", b"total": b"4"}).declined == "\ufffdno"


def test_a_job_names_the_workers_that_are_refused() -> None:
    refused = {b"refused:0123456789abcdef": b"host/12", b"lies:0123456789abcdef": b"3", b"lies:other": b"1"}

    assert JobView.parse(FIELDS | refused).refused == {"0123456789abcdef": "host/12"}
    assert JobView.parse(FIELDS).refused == {}


@pytest.mark.parametrize("field", [b"spec", b"next", b"chain", b"cursor", b"created"])
def test_a_job_without_a_part_of_its_record_is_refused(field: bytes) -> None:
    with pytest.raises(WireError, match="record of a job cannot be read"):
        JobView.parse({name: value for name, value in FIELDS.items() if name != field})


def test_a_job_with_a_number_that_is_none_is_refused() -> None:
    with pytest.raises(WireError):
        JobView.parse(FIELDS | {b"next": b"three"})
