"""The native module by itself: whatever it is handed, it answers or raises, and never reads past its input."""

import os
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gridmill import kernel
from gridmill.board import HOLE, PACKED, pack

SOLUTION = pack("534678912672195348198342567859761423426853791713924856961537284287419635345286179")


@pytest.fixture(name="native", scope="module")
def native_module() -> ModuleType:
    if not kernel.native:
        missing = pytest.fail if "GRIDMILL_CI" in os.environ else pytest.skip
        missing("this installation has no native kernel")
    return kernel.extension


@pytest.mark.parametrize(
    ("boards", "codes", "solutions", "seconds"),
    [
        (SOLUTION[:-1], b"\1", SOLUTION, b""),
        (SOLUTION + b"\0", b"\1", SOLUTION, b""),
        (SOLUTION, b"", b"", b""),
        (SOLUTION, b"\1\1", SOLUTION, b""),
        (SOLUTION, b"\1", b"", b""),
        (SOLUTION, b"\1", SOLUTION[:-1], b""),
        (SOLUTION, b"\1", SOLUTION + b"\0", b""),
        (SOLUTION, b"\3", SOLUTION, b""),
        (SOLUTION, b"\3", SOLUTION, SOLUTION[:-1]),
        (SOLUTION, b"\4", SOLUTION, b""),
        (SOLUTION, b"\1", SOLUTION, SOLUTION),
    ],
)
def test_sizes_that_do_not_fit_are_refused(
    native: ModuleType, boards: bytes, codes: bytes, solutions: bytes, seconds: bytes
) -> None:
    with pytest.raises(ValueError, match="do not fit together"):
        native.judge(boards, codes, solutions, seconds)


def test_any_contiguous_buffer_will_do(native: ModuleType) -> None:
    padded = memoryview(b"xx" + SOLUTION)[2:]
    assert native.judge(padded, bytearray(b"\1"), memoryview(SOLUTION), b"") == b"\0"


def test_a_buffer_with_gaps_is_refused(native: ModuleType) -> None:
    with pytest.raises(BufferError):
        native.judge(memoryview(SOLUTION * 2)[::2], b"\1", SOLUTION, b"")


@pytest.mark.parametrize("place", range(4))
def test_what_has_no_bytes_is_refused(native: ModuleType, place: int) -> None:
    arguments: list[object] = [SOLUTION, b"\1", SOLUTION, b""]
    arguments[place] = "text"
    with pytest.raises(TypeError):
        native.judge(*arguments)


@given(st.binary(min_size=PACKED, max_size=PACKED), st.integers(0, 255), st.binary(max_size=2 * PACKED))
def test_any_bytes_get_a_verdict_or_an_error(native: ModuleType, board: bytes, code: int, solutions: bytes) -> None:
    try:
        verdicts = native.judge(board, bytes([code]), solutions, b"")
    except ValueError:
        return
    assert verdicts in (b"\0", b"\1", b"\2")


@given(st.binary(min_size=PACKED, max_size=PACKED))
def test_random_bytes_never_solve_the_empty_board(native: ModuleType, solution: bytes) -> None:
    assert native.judge(bytes(PACKED), b"\2", solution, b"") == b"\1"


def test_a_long_row_of_wrong_claims_is_no_more_work_for_each(native: ModuleType) -> None:
    """Were what is right counted again for each that is wrong, this would take longer than a test may."""
    count = 200_000
    boards, right, wrong = bytes(PACKED * count), SOLUTION * count, bytes(PACKED * count)
    for way in native.judge_ways():
        assert native.judge(boards, b"\3" * count, right, wrong, way) == b"\1" * count
        assert native.judge(boards, b"\3" * count, wrong, right, way) == b"\1" * count
        assert native.judge(boards, b"\1" * count, wrong, b"", way) == b"\1" * count


def test_a_hole_is_told_from_a_board_by_all_its_bytes(native: ModuleType) -> None:
    for at in range(PACKED):
        slot = HOLE[:at] + b"\x7f" + HOLE[at + 1 :]
        with pytest.raises(ValueError, match="slot 0 is neither"):
            native.judge(slot, b"\0", b"", b"")


@given(st.binary(max_size=9000))
def test_codes_are_counted_as_python_counts_them(native: ModuleType, codes: bytes) -> None:
    assert list(native.tally(codes)) == [codes.count(code) for code in range(7)]
    assert list(native.tally(bytes(code % 9 for code in codes))) == [
        sum(code % 9 == wanted for code in codes) for wanted in range(7)
    ]
