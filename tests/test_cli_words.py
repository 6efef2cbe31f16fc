"""A reading in words."""

import pytest

from gridmill.answers import UNSAID
from gridmill.cli.meter import Reading
from gridmill.cli.words import fitted, parts, short, statuses


def test_a_reading_in_words() -> None:
    reading = Reading(done=1200, total=9600, exact=True, rate=700, in_flight=800)
    assert parts(reading) == ["1,200 of 9,600 records", "700/s", "12 s left", "800 in flight"]


def test_an_estimate_says_that_it_is_one() -> None:
    assert parts(Reading(done=12, total=96, exact=False, rate=7, in_flight=0))[0] == "12 of ~96 records"


def test_an_estimate_has_no_more_digits_than_it_is_worth() -> None:
    assert parts(Reading(done=12, total=9_612_345, exact=False, rate=7, in_flight=0))[0] == "12 of ~9.61M records"


def test_what_is_not_known_is_not_said() -> None:
    assert parts(Reading(done=12, total=None, exact=False, rate=7, in_flight=0)) == ["12 records", "7/s"]


def test_what_people_look_for_is_said_first() -> None:
    counts = {"unique": 9, "none": 2, "failed": 1, "multiple": 0}
    assert statuses(counts) == ["1 failed", "2 none", "9 unique"]


def test_where_all_are_the_same_nobody_needs_a_number() -> None:
    assert statuses({"malformed": 1200}) == ["all malformed"]


def test_before_the_first_answer_there_is_nothing_to_say() -> None:
    assert statuses({}) == []


def test_answers_that_the_input_contradicts_go_before_all() -> None:
    assert statuses({"unique": 9, "disagrees": 3, "repeated": 2}) == ["3 disagree", "all unique"]


@pytest.mark.parametrize(("width", "line"), [(7, "one"), (8, "one, two"), (14, "one, two"), (15, "one, two, three")])
def test_what_does_not_fit_is_left_out_from_the_end(width: int, line: str) -> None:
    assert fitted(["one", "two", "three"], ", ", width) == line


def test_the_first_word_is_said_in_any_case() -> None:
    assert fitted(["one", "two"], ", ", 1) == "one"


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (0, "0"),
        (9_999, "9,999"),
        (10_000, "10k"),
        (12_345, "12.3k"),
        (999_499, "999k"),
        (999_500, "1M"),
        (1_234_567, "1.23M"),
        (999_500_000, "1G"),
        (9_007_199_254_740_992, "9.01e+03T"),
    ],
)
def test_large_numbers_are_short(number: int, text: str) -> None:
    assert short(number) == text


def test_what_names_no_status_keeps_the_others_from_being_all() -> None:
    assert statuses({"unique": 9, UNSAID: 1}) == ["1 without a status", "9 unique"]
    assert statuses({UNSAID: 2}) == ["all without a status"]
