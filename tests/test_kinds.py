"""The kinds of values: what each reads, and what it does not."""

from typing import Any

import pytest

from gridmill.kinds import BYTES, COUNT, NAME, SECONDS, Kind, one_of, size


@pytest.mark.parametrize(
    ("kind", "text", "value"),
    [
        (SECONDS, "0.25", 0.25),
        (SECONDS, "15", 15.0),
        (COUNT, "3", 3),
        (BYTES, "64MB", 64_000_000),
        (BYTES, "64 mb", 64_000_000),
        (BYTES, "1.5GiB", 1_610_612_736),
        (BYTES, "2kb", 2_000),
        (BYTES, "1 TB", 10**12),
        (BYTES, "10B", 10),
        (BYTES, "1000", 1_000),
        (NAME, "my-queue_1.x", "my-queue_1.x"),
        (one_of("csv", "json"), "JSON", "json"),
    ],
)
def test_a_text_is_read(kind: Kind, text: str, value: Any) -> None:
    assert kind.read(text) == value


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        *((SECONDS, text) for text in ("", "soon", "0", "-1", "inf", "nan")),
        *((COUNT, text) for text in ("", "0", "-1", "1.5", "few", "²", "1" * 5000)),
        *((BYTES, text) for text in ("", "MB", "64XB", "64M", "-1", "0", "0.1", "1 2MB")),
        *((NAME, text) for text in ("", "a:b", "{tag}", "*", "a" * 65, "a\n")),
        (one_of("csv", "json"), "xml"),
    ],
)
def test_what_is_none_is_refused_in_words(kind: Kind, text: str) -> None:
    with pytest.raises(ValueError, match=r"^not "):
        kind.read(text)


@pytest.mark.parametrize(
    ("number", "text"), [(64_000_000, "64 MB"), (10**9, "1 GB"), (1_500, "1.5 kB"), (12, "12 B"), (2_500_000, "2.5 MB")]
)
def test_a_size_is_shown_as_it_is_written(number: int, text: str) -> None:
    assert size(number) == text
    assert BYTES.read(text) == number
