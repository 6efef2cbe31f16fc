"""Answers as people read them."""

import pytest

from gridmill.answers import Answer, Status


@pytest.mark.parametrize(
    ("status", "count"),
    [
        (Status.UNIQUE, "1"),
        (Status.SOLVED, ">0"),
        (Status.MULTIPLE, ">1"),
        (Status.NONE, "0"),
        (Status.CLASH, "0"),
        (Status.UNDECIDED, ""),
        (Status.MALFORMED, ""),
        (Status.FAILED, ""),
    ],
)
def test_the_count_says_no_more_than_is_known(status: Status, count: str) -> None:
    assert Answer(status).count == count


def test_all_but_undecided_and_failed_are_decided() -> None:
    assert {status for status in Status if not Answer(status).is_decided} == {Status.UNDECIDED, Status.FAILED}


def test_a_status_is_written_as_its_word() -> None:
    assert f"{Status.UNIQUE}" == "unique"
