"""What else is asked: what can be asked, and what it does to a job."""

import pytest

from gridmill.board import CELLS, PACKED
from gridmill.errors import SettingsError
from gridmill.formats.text import LINE_LIMIT
from gridmill.questions import COUNT_MOST, LIST_DEFAULT, LIST_MOST, LISTED_BYTES, NOTHING, Questions


def test_nothing_is_asked_where_no_option_is_given() -> None:
    assert Questions.of(count=None, every=False) == NOTHING
    assert NOTHING.options == ()


def test_each_question_has_its_option() -> None:
    asked = Questions.of(count=3, every=True, canonical=True, dedupe=True, minimal=True, difficulty=True)
    assert asked.options == ("--all", "--canonical", "--dedupe", "--minimal", "--difficulty")


def test_difficulty_is_nothing_that_a_worker_says() -> None:
    asked = Questions.of(difficulty=True)
    assert not asked.of_workers
    assert asked.chunk(50_000) == 50_000


def test_listing_without_a_number_lists_as_many_as_can_be_read_again() -> None:
    assert Questions.of(count=None, every=True).listed == LIST_DEFAULT
    assert (CELLS + 1) * LIST_DEFAULT < LINE_LIMIT / 1.5


def test_counting_alone_lists_nothing() -> None:
    assert Questions.of(count=7, every=False).listed == 0


def test_more_than_can_be_listed_can_be_counted() -> None:
    assert Questions.of(count=LIST_MOST + 1, every=False).count == LIST_MOST + 1


@pytest.mark.parametrize(
    ("count", "every", "text"), [(LIST_MOST + 1, True, "--all"), (COUNT_MOST + 1, False, "--count")]
)
def test_a_number_that_is_too_large_is_refused_with_the_largest(count: int, every: bool, text: str) -> None:
    with pytest.raises(SettingsError, match=rf"{text} .* up to [\d,]+ solutions"):
        Questions.of(count=count, every=every)


@pytest.mark.parametrize("count", [2, 100, LIST_MOST])
def test_a_chunk_lists_no_more_than_a_reply_may_hold(count: int) -> None:
    asked = Questions.of(count=count, every=True)

    assert asked.chunk(50_000) * PACKED * count <= LISTED_BYTES


def test_the_largest_list_still_has_a_chunk_of_whole_records() -> None:
    assert Questions.of(count=LIST_MOST, every=True).chunk(50_000) >= 1


def test_a_chunk_stays_what_it_is_where_nothing_is_asked() -> None:
    assert NOTHING.chunk(50_000) == 50_000
