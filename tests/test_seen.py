"""Which boards have been seen before: by the kernel and in Python."""

import random
import sys

import pytest

from gridmill import kernel
from gridmill.board import HOLE
from gridmill.seen import Seen

pytestmark = pytest.mark.usefixtures("implementation")

ONE, TWO, THREE = (bytes([number]) * 40 + b"\0" for number in (1, 2, 3))


def test_the_first_of_equal_boards_is_named() -> None:
    assert Seen().note(ONE + TWO + ONE + ONE, 1) == (1, 2, 1, 1)


def test_boards_are_remembered_from_call_to_call() -> None:
    seen = Seen()
    seen.note(ONE + TWO, 1)

    assert seen.note(TWO + THREE, 3) == (2, 4)


def test_holes_are_the_same_as_nothing() -> None:
    assert Seen().note(HOLE + ONE + HOLE, 1) == (0, 2, 0)


def test_who_is_shown_again_is_still_the_first() -> None:
    seen = Seen()
    seen.note(ONE + TWO, 1)

    assert seen.note(ONE + TWO, 1) == (1, 2)


def test_a_hundred_thousand_are_told_apart() -> None:
    rng = random.Random(3)
    boards = [rng.randbytes(40) + b"\0" for _ in range(50_000)]
    again = rng.choices(range(50_000), k=50_000)
    seen = Seen()

    assert seen.note(b"".join(boards), 1) == tuple(range(1, 50_001))
    assert seen.note(b"".join(boards[at] for at in again), 50_001) == tuple(at + 1 for at in again)


def test_a_table_of_the_kernel_is_gone_when_nobody_has_it() -> None:
    """Each holds a reference to its type."""
    if not kernel.native:
        pytest.skip("Python's own tables are dicts")
    kind = kernel.extension.Seen
    before = sys.getrefcount(kind)
    tables = [Seen() for _ in range(100)]
    for table in tables:
        table.note(ONE + TWO, 1)
    assert sys.getrefcount(kind) == before + 100

    del table, tables

    assert sys.getrefcount(kind) == before
