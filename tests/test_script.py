"""Going through an input by place, and proof that it is the same input."""

from collections.abc import Iterable, Iterator

import pytest

from gridmill.chunk import Record
from gridmill.entry import Place
from gridmill.errors import Incomplete, InputChanged
from producer.cut import cut
from producer.script import Script

BOARD = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
OTHER = BOARD.replace("53", "35", 1)


class Records:
    """An input that counts how often it is read from its first record."""

    def __init__(self, records: Iterable[Record], *, repeatable: bool = True) -> None:
        self.records, self.repeatable, self.readings = list(records), repeatable, 0

    def __iter__(self) -> Iterator[Record]:
        self.readings += 1
        return iter(self.records)


def lines(count: int) -> list[Record]:
    return [Record(line, BOARD) for line in range(1, count + 1)]


CUTS = list(cut(lines(10), 3))


@pytest.fixture
def records() -> Records:
    return Records(lines(10))


@pytest.fixture
def script(records: Records) -> Script:
    return Script(records, 3, "2345678923")


@pytest.mark.parametrize("number", range(4))
def test_any_place_is_found(script: Script, number: int) -> None:
    script.seek(CUTS[number].at)

    assert script.current == CUTS[number]
    assert script.at == CUTS[number].at


def test_the_end_is_a_place_without_a_chunk(script: Script) -> None:
    script.seek(CUTS[-1].after)

    assert script.current is None
    assert script.at == CUTS[-1].after


def test_going_forward_reads_on(script: Script, records: Records) -> None:
    script.seek(Place())
    script.advance()
    script.seek(CUTS[3].at)

    assert script.current == CUTS[3]
    assert records.readings == 1


def test_staying_reads_nothing(script: Script, records: Records) -> None:
    script.seek(CUTS[2].at)
    script.seek(CUTS[2].at)

    assert script.current == CUTS[2]
    assert records.readings == 1


def test_going_back_reads_anew(script: Script, records: Records) -> None:
    script.seek(CUTS[3].at)
    script.seek(CUTS[1].at)

    assert script.current == CUTS[1]
    assert records.readings == 2


def test_an_input_that_can_be_read_once_goes_forward_only() -> None:
    script = Script(Records(lines(10), repeatable=False), 3, "2345678923")
    script.seek(CUTS[1].at)
    script.seek(CUTS[2].at)

    with pytest.raises(Incomplete, match="cannot be read twice") as caught:
        script.seek(CUTS[0].at)
    assert caught.value.job == "2345678923"


@pytest.mark.parametrize(
    "changed",
    [
        [Record(1, OTHER), *lines(10)[1:]],  # another board
        lines(10)[1:],  # a line is gone
        [*lines(3), Record(4, BOARD, id="new"), *lines(10)[4:]],  # another id
        lines(5),  # it ends early
    ],
)
def test_another_input_is_found_out_at_the_place(changed: list[Record]) -> None:
    script = Script(Records(changed), 3, "2345678923")

    with pytest.raises(InputChanged, match="within the first 6 records; give the original input"):
        script.seek(CUTS[2].at)


def test_another_chunk_size_is_found_out_too() -> None:
    with pytest.raises(InputChanged):
        Script(Records(lines(10)), 2, "2345678923").seek(CUTS[2].at)


def test_what_comes_after_the_place_may_have_changed() -> None:
    """Nothing of it was asked yet."""
    script = Script(Records([*lines(6), Record(7, OTHER)]), 3, "2345678923")

    script.seek(CUTS[2].at)

    assert script.current is not None
    assert len(script.current.chunk) == 1
