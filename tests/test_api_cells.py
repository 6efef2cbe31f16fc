"""Rows of 81 bytes, packed and unpacked, by Python and by the kernel alike."""

import random

import pytest

from gridmill import kernel
from gridmill.api.cells import fault_in, packed, unpacked
from gridmill.board import BLANKS, CELLS, HOLE, pack

PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
EVERY = frozenset((1,))

pytestmark = pytest.mark.usefixtures("implementation")


def of(*rows: bytes, step: int = CELLS) -> tuple[bytes, list[int]]:
    return packed(memoryview(b"".join(rows)), step)


def as_values(text: str) -> bytes:
    return bytes(0 if sign == "." else int(sign) for sign in text)


@pytest.mark.parametrize("blank", BLANKS)
def test_a_row_of_text_may_have_any_blank(blank: str) -> None:
    assert of(PUZZLE.replace(".", blank).encode()) == (pack(PUZZLE), [])


def test_a_row_may_be_values() -> None:
    assert of(as_values(PUZZLE)) == (pack(PUZZLE), [])


def test_rows_may_stand_apart() -> None:
    assert of(PUZZLE.encode() + b"\n", PUZZLE.encode() + b"\n", step=82) == (2 * pack(PUZZLE), [])


@pytest.mark.parametrize("at", [0, 1, 40, 79, 80])
@pytest.mark.parametrize("sign", [b"\0", b"\n", b" ", b"a", b"\xff", b":", b"/"])
def test_a_row_with_another_sign_is_a_hole(at: int, sign: bytes) -> None:
    row = bytearray(PUZZLE.encode())
    row[at : at + 1] = sign
    assert of(PUZZLE.encode(), bytes(row)) == (pack(PUZZLE) + HOLE, [1])


def test_two_kinds_of_blank_are_a_hole() -> None:
    assert of(b"0" + b"." * 80) == (HOLE, [0])


@pytest.mark.parametrize(("at", "value"), [(0, 10), (0, 31), (1, 49), (40, 10), (40, 255), (80, 10), (80, 48)])
def test_values_above_nine_are_a_hole_and_named(at: int, value: int) -> None:
    row = bytearray(as_values(PUZZLE))
    row[at] = value
    assert of(bytes(row)) == (HOLE, [0])
    assert fault_in(bytes(row))[:2] == (at + 1, f"{value} is neither 0 nor a digit 1-9")


def test_what_has_become_a_board_meanwhile_is_said() -> None:
    assert fault_in(PUZZLE.encode()).reason == "it was changed while it was read"


@pytest.mark.parametrize("text", [True, False])
def test_rows_come_back(text: bool) -> None:
    row = PUZZLE.encode() if text else as_values(PUZZLE)
    blank = (b"." if text else b"\0") * CELLS
    assert unpacked(pack(PUZZLE) * 2, b"\1\0\1", EVERY, text=text) == row + blank + row


def test_a_hole_comes_back_blank() -> None:
    assert unpacked(HOLE, b"\1", EVERY, text=True) == b"." * CELLS


def test_random_boards_come_back_as_they_were() -> None:
    rng = random.Random(4)
    rows = [bytes(rng.choices(range(10), k=CELLS)) for _ in range(100)]
    boards, holes = of(*rows)
    assert holes == []
    assert unpacked(boards, b"\1" * 100, EVERY, text=False) == b"".join(rows)


def test_random_bytes_are_holes_in_both_implementations(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(5)
    rows = b"".join(bytes(rng.choices(b"\x00\x01\x09\x0a.0123456789x", k=CELLS)) for _ in range(500))
    rows += b"".join(bytes(rng.choices(b"123456789x", k=CELLS)) for _ in range(500))
    found = packed(memoryview(rows), CELLS)
    monkeypatch.setattr(kernel, "native", False)
    assert packed(memoryview(rows), CELLS) == found


@pytest.mark.skipif(not kernel.native, reason="this installation has no native kernel")
@pytest.mark.parametrize(("size", "step"), [(81, 80), (81, 0), (81, 82), (80, 81), (163, 81)])
def test_cells_that_are_no_whole_rows_are_refused(size: int, step: int) -> None:
    with pytest.raises(ValueError, match="not whole rows"):
        kernel.extension.pack_rows(bytes(size), step)


@pytest.mark.skipif(not kernel.native, reason="this installation has no native kernel")
@pytest.mark.parametrize(
    ("boards", "codes", "mask"),
    [
        (pack(PUZZLE), b"", 2),
        (pack(PUZZLE), b"\1\1", 2),
        (pack(PUZZLE)[:40], b"\1", 2),
        (pack(PUZZLE), b"\x21", 0xFFFFFFFF),  # beyond the bits of a mask: it has no slot
        (b"\xaa" * 41, b"\1", 2),
    ],
)
def test_slots_that_do_not_fit_their_codes_are_refused(boards: bytes, codes: bytes, mask: int) -> None:
    with pytest.raises(ValueError, match="not as many as the codes call for"):
        kernel.extension.unpack_rows(boards, codes, mask, True)
