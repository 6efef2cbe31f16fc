"""The judge believes nobody. Both implementations pass these same tests."""

import pytest

from gridmill.answers import Status
from gridmill.board import HOLE, pack
from gridmill.errors import BoardError, WireError
from gridmill.judge import OPEN, RIGHT, WRONG, judge
from gridmill.reply import Claim, Reply

PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SOLUTION = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
TWIN = "..3456789456789123789123456..4365897365897214897214365531642978642978531978531642"  # 12/21 and 21/12
TWIN_FIRST = TWIN.replace("..", "12", 1).replace("..", "21", 1)
TWIN_SECOND = TWIN.replace("..", "21", 1).replace("..", "12", 1)
CLASH = "55" + "." * 79
EMPTY = "." * 81
SOLVED_STATUSES = [Status.UNIQUE, Status.SOLVED]


pytestmark = pytest.mark.usefixtures("implementation")


def verdict(board: str, claim: Claim) -> int:
    (found,) = judge(pack(board), Reply.of([claim]))
    return found


@pytest.mark.parametrize("status", SOLVED_STATUSES)
def test_the_solution_of_a_puzzle_is_right(status: Status) -> None:
    assert verdict(PUZZLE, Claim(status, 3, pack(SOLUTION))) == RIGHT


@pytest.mark.parametrize("status", SOLVED_STATUSES)
def test_the_solution_of_another_puzzle_is_wrong(status: Status) -> None:
    assert verdict(PUZZLE, Claim(status, 3, pack(TWIN_FIRST))) == WRONG


@pytest.mark.parametrize("cell", range(81))
def test_any_single_changed_digit_is_wrong(cell: int) -> None:
    # Given a board without givens, so that only the units can tell
    other = str(int(SOLUTION[cell]) % 9 + 1)
    spoiled = SOLUTION[:cell] + other + SOLUTION[cell + 1 :]
    assert verdict(EMPTY, Claim(Status.SOLVED, 0, pack(spoiled))) == WRONG


@pytest.mark.parametrize("cell", range(81))
def test_any_blank_left_in_a_solution_is_wrong(cell: int) -> None:
    spoiled = SOLUTION[:cell] + "." + SOLUTION[cell + 1 :]
    assert verdict(EMPTY, Claim(Status.SOLVED, 0, pack(spoiled))) == WRONG


@pytest.mark.parametrize("cell", [at for at, given in enumerate(PUZZLE) if given != "."])
def test_every_given_must_be_kept(cell: int) -> None:
    # Given the solution with two digits exchanged throughout: a valid grid, and one given is no longer kept
    other = str(int(SOLUTION[cell]) % 9 + 1)
    exchanged = SOLUTION.translate(str.maketrans(SOLUTION[cell] + other, other + SOLUTION[cell]))
    board = "." * cell + SOLUTION[cell] + "." * (80 - cell)
    assert verdict(board, Claim(Status.SOLVED, 0, pack(exchanged))) == WRONG
    assert verdict(EMPTY, Claim(Status.SOLVED, 0, pack(exchanged))) == RIGHT


def test_nine_fives_in_every_unit_are_wrong_although_their_sums_are_right() -> None:
    assert verdict(EMPTY, Claim(Status.SOLVED, 0, pack("5" * 81))) == WRONG


def test_good_rows_and_columns_do_not_excuse_bad_boxes() -> None:
    latin = "".join("123456789"[row:] + "123456789"[:row] for row in range(9))
    assert verdict(EMPTY, Claim(Status.SOLVED, 0, pack(latin))) == WRONG


def test_good_rows_and_boxes_do_not_excuse_bad_columns() -> None:
    band = "123456789456789123789123456"
    assert verdict(EMPTY, Claim(Status.SOLVED, 0, pack(band * 3))) == WRONG


def test_good_columns_and_boxes_do_not_excuse_bad_rows() -> None:
    band = "123456789456789123789123456"
    transposed = "".join((band * 3)[column::9] for column in range(9))
    assert verdict(EMPTY, Claim(Status.SOLVED, 0, pack(transposed))) == WRONG


@pytest.mark.parametrize("half", [0xA, 0xB, 0xC, 0xD, 0xE, 0xF])
def test_a_half_byte_above_nine_is_no_digit(half: int) -> None:
    packed = bytearray(pack(SOLUTION))
    packed[7] = packed[7] & 0x0F | half << 4
    assert verdict(EMPTY, Claim(Status.SOLVED, 0, bytes(packed))) == WRONG


@pytest.mark.parametrize("padding", [1, 5, 9, 15])
def test_a_solution_with_bits_in_its_padding_is_wrong(padding: int) -> None:
    packed = bytearray(pack(SOLUTION))
    packed[40] |= padding
    assert verdict(PUZZLE, Claim(Status.UNIQUE, 0, bytes(packed))) == WRONG


def test_two_different_solutions_are_right() -> None:
    assert verdict(TWIN, Claim(Status.MULTIPLE, 2, pack(TWIN_FIRST), pack(TWIN_SECOND))) == RIGHT


def test_the_same_solution_twice_is_wrong() -> None:
    assert verdict(TWIN, Claim(Status.MULTIPLE, 2, pack(TWIN_FIRST), pack(TWIN_FIRST))) == WRONG


@pytest.mark.parametrize("bad_first", [True, False])
def test_both_of_two_solutions_must_be_right(bad_first: bool) -> None:
    pair = [pack(SOLUTION), pack(TWIN_SECOND)] if bad_first else [pack(TWIN_SECOND), pack(SOLUTION)]
    assert verdict(TWIN, Claim(Status.MULTIPLE, 2, *pair)) == WRONG


def test_a_clash_that_is_there_is_right() -> None:
    assert verdict(CLASH, Claim(Status.CLASH)) == RIGHT


@pytest.mark.parametrize("cells", [(0, 8), (0, 72), (0, 20), (80, 72), (80, 8), (80, 60)])
def test_clashes_in_rows_columns_and_boxes_are_seen(cells: tuple[int, int]) -> None:
    board = "".join("7" if cell in cells else "." for cell in range(81))
    assert verdict(board, Claim(Status.CLASH)) == RIGHT


def test_a_clash_that_is_not_there_is_wrong() -> None:
    assert verdict(PUZZLE, Claim(Status.CLASH)) == WRONG


@pytest.mark.parametrize("status", [Status.NONE, Status.UNDECIDED])
def test_what_cannot_be_checked_stays_open(status: Status) -> None:
    assert verdict(PUZZLE, Claim(status, 9)) == OPEN


@pytest.mark.parametrize("status", [Status.NONE, Status.UNDECIDED])
def test_a_clashing_board_is_never_open(status: Status) -> None:
    assert verdict(CLASH, Claim(status, 9)) == WRONG


def test_no_solution_of_a_clashing_board_is_right() -> None:
    assert verdict(CLASH, Claim(Status.UNIQUE, 0, pack(SOLUTION))) == WRONG


def test_a_hole_answered_as_a_hole_is_right() -> None:
    assert judge(HOLE, Reply.of([Claim(None)])) == bytes([RIGHT])


@pytest.mark.parametrize("claim", [Claim(Status.NONE), Claim(Status.CLASH), Claim(Status.SOLVED, 0, pack(SOLUTION))])
def test_a_hole_answered_with_anything_else_is_wrong(claim: Claim) -> None:
    assert judge(HOLE, Reply.of([claim])) == bytes([WRONG])


def test_a_board_left_out_is_wrong() -> None:
    assert verdict(PUZZLE, Claim(None)) == WRONG


@pytest.mark.parametrize("slot", [pack(PUZZLE), HOLE])
def test_an_unknown_code_is_wrong(slot: bytes) -> None:
    assert judge(slot, Reply(bytes([7]), bytes(4), b"", b"")) == bytes([WRONG])


def test_every_record_gets_its_own_verdict() -> None:
    # Given a piece of every kind, its solutions packed without gaps
    boards = b"".join([pack(PUZZLE), HOLE, pack(CLASH), pack(TWIN), pack(PUZZLE), pack(PUZZLE)])
    claims = [
        Claim(Status.UNIQUE, 1, pack(SOLUTION)),
        Claim(None),
        Claim(Status.CLASH),
        Claim(Status.MULTIPLE, 1, pack(TWIN_SECOND), pack(TWIN_FIRST)),
        Claim(Status.NONE),
        Claim(Status.SOLVED, 1, pack(TWIN_FIRST)),
    ]
    # When it is judged, then no verdict is shifted
    assert judge(boards, Reply.of(claims)) == bytes([RIGHT, RIGHT, RIGHT, RIGHT, OPEN, WRONG])


def test_an_empty_piece_has_no_verdicts() -> None:
    assert judge(b"", Reply.of([])) == b""


@pytest.mark.parametrize("boards", [b"", pack(PUZZLE) * 2, pack(PUZZLE)[:-1]])
def test_a_reply_about_other_boards_is_refused(boards: bytes) -> None:
    with pytest.raises(WireError, match="1 records"):
        judge(boards, Reply.of([Claim(Status.NONE)]))


@pytest.mark.parametrize(("solutions", "seconds"), [(b"", b""), (pack(SOLUTION) * 2, b""), (pack(SOLUTION), b"x")])
def test_missing_and_surplus_solutions_are_refused(solutions: bytes, seconds: bytes) -> None:
    with pytest.raises(WireError, match="more or fewer solutions"):
        judge(pack(PUZZLE), Reply(bytes([1]), bytes(4), solutions, seconds))


@pytest.mark.parametrize("slot", [b"\xa0" + bytes(40), b"\x0a" + bytes(40), bytes(40) + b"\x01", HOLE[:-1] + b"\x00"])
def test_a_slot_that_is_neither_board_nor_hole_is_named(slot: bytes) -> None:
    with pytest.raises(BoardError, match="slot 1 is neither"):
        judge(pack(PUZZLE) + slot, Reply.of([Claim(Status.NONE), Claim(Status.NONE)]))
