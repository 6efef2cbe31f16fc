"""A function in several threads."""

import threading
from collections.abc import Iterator

import pytest

from gridmill.threads import AHEAD, in_order


def test_what_goes_in_comes_out_in_the_same_order() -> None:
    # Given that the first is done last
    second = threading.Event()

    def made(item: int) -> int:
        if item == 0:
            assert second.wait(20)
        if item == 1:
            second.set()
        return item

    # Then
    assert list(in_order(made, range(50), threads=2)) == list(range(50))


def test_no_more_is_taken_than_soon_is_wanted() -> None:
    taken: list[int] = []

    def items() -> Iterator[int]:
        for item in range(1000):
            taken.append(item)
            yield item

    made = in_order(str, items(), threads=2)

    assert next(made) == "0"
    assert len(taken) == 2 * AHEAD + 1
    made.close()  # type: ignore[attr-defined]  # it is a generator


def test_an_error_ends_it() -> None:
    def made(item: int) -> int:
        return 1 // (item - 3)

    with pytest.raises(ZeroDivisionError):
        list(in_order(made, range(1000), threads=2))
