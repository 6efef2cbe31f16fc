"""The judge believes nobody. Both implementations pass these same tests, the native one in each of its ways."""

import os
import random
from collections.abc import Iterator
from functools import partial
from itertools import combinations

import pytest

from gridmill import kernel
from gridmill.answers import Status
from gridmill.board import CELLS, HOLE, PACKED, pack
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
WAYS = kernel.extension.judge_ways() if kernel.native else ("missing",)

pytestmark = pytest.mark.usefixtures("implementation")


@pytest.fixture(params=[*WAYS, "python"])
def implementation(request: pytest.FixtureRequest) -> Iterator[None]:
    """The test runs once with each way of the native judge and once with Python; every one has to pass."""
    if request.param == "missing":
        missing = pytest.fail if "GRIDMILL_CI" in os.environ else pytest.skip
        missing("this installation has no native kernel")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kernel, "native", request.param != "python")
        if request.param != "python":
            patch.setattr(kernel.extension, "judge", partial(kernel.extension.judge, way=request.param))
        yield


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


def halves_of(packed: bytes) -> list[int]:
    """The half bytes, that of the padding too."""
    return [half for byte in packed for half in (byte >> 4, byte & 15)]


def packed_of(halves: list[int]) -> bytes:
    return bytes(high << 4 | low for high, low in zip(halves[::2], halves[1::2], strict=True))


def solved_grid(shuffle: random.Random) -> list[int]:
    """A solved grid as half bytes: a pattern with its digits, rows and columns exchanged."""
    digits = shuffle.sample(range(1, 10), 9)
    rows, columns = (
        [3 * three + one for three in shuffle.sample(range(3), 3) for one in shuffle.sample(range(3), 3)] for _ in "rc"
    )
    return [digits[(3 * (row % 3) + row // 3 + column) % 9] for row in rows for column in columns] + [0]


def with_half(halves: list[int], at: int, half: int) -> list[int]:
    return [*halves[:at], half, *halves[at + 1 :]]


def exchanged(halves: list[int], one: int, other: int) -> list[int]:
    made = halves.copy()
    made[one], made[other] = halves[other], halves[one]
    return made


def relabelled(halves: list[int], to: list[int]) -> list[int]:
    return [to[half] for half in halves[:CELLS]] + halves[CELLS:]


def spoiled(halves: list[int], shuffle: random.Random) -> list[int]:
    """Something that is like a solved grid, and sometimes still is one."""
    made = halves.copy()
    kind = shuffle.randrange(7)
    if kind == 0:  # two cells of a row, a column or anything change places, perhaps several times
        for _ in range(shuffle.randint(1, 3)):
            one = shuffle.randrange(CELLS)
            other = shuffle.choice([one // 9 * 9 + shuffle.randrange(9), shuffle.randrange(9) * 9 + one % 9])
            made = exchanged(made, one, other)
    elif kind == 1:  # some half bytes are anything
        for _ in range(shuffle.randint(1, 4)):
            made[shuffle.randrange(CELLS + 1)] = shuffle.randrange(16)
    elif kind == 2:  # two rows change places
        one, other = shuffle.sample(range(9), 2)
        made[9 * one : 9 * one + 9], made[9 * other : 9 * other + 9] = (
            made[9 * other : 9 * other + 9], made[9 * one : 9 * one + 9],
        )  # fmt: skip
    elif kind == 3:  # a digit is written as something else throughout
        to = list(range(16))
        to[shuffle.randint(1, 9)] = shuffle.randrange(16)
        made = relabelled(made, to)
    elif kind == 4:  # the cells of one digit are anything, in some rows
        digit = shuffle.randint(1, 9)
        made = [shuffle.randrange(16) if half == digit and shuffle.random() < 0.5 else half for half in made]
    elif kind == 5:
        made = [shuffle.randint(1, 9)] * CELLS + [0]
    return made  # the rest stays as it was


def by_python(boards: bytes, reply: Reply) -> bytes:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kernel, "native", False)
        return judge(boards, reply)


def test_of_all_small_changes_to_a_solution_only_what_changes_nothing_is_right() -> None:
    # Given a solved grid in which any two cells change places, or any half byte is any other
    grid = solved_grid(random.Random(1))
    changed = [exchanged(grid, one, other) for one, other in combinations(range(CELLS), 2)]
    changed += [with_half(grid, at, half) for at in range(CELLS + 1) for half in range(16)]
    # When each is judged, as a solution of the empty board
    count = len(changed)
    reply = Reply(b"\2" * count, bytes(4 * count), b"".join(map(packed_of, changed)), b"")
    verdicts = judge(bytes(PACKED * count), reply)
    # Then it is right just where it is the grid itself
    assert verdicts == bytes(RIGHT if made == grid else WRONG for made in changed)
    assert verdicts.count(RIGHT) == CELLS + 1 + 9 * 36  # two cells of the same digit change places, too


def test_of_what_is_like_a_solution_the_same_is_said_as_by_python() -> None:
    # Given many claims about boards with some givens of a solution, or of what is like one; often several of a kind
    shuffle = random.Random(2)
    boards = codes = solutions = seconds = b""
    code = 1
    for _ in range(3000):
        grid = solved_grid(shuffle)
        first, second = spoiled(grid, shuffle), spoiled(grid, shuffle)
        givens = [half if shuffle.random() < 0.3 else 0 for half in shuffle.choice([grid, first])[:CELLS]] + [0]
        boards += HOLE if max(givens) > 9 or shuffle.random() < 0.02 else packed_of(givens)
        code = code if shuffle.random() < 0.7 else shuffle.choice([1, 1, 2, 3, 3, 4, 5, 6, 0, 7])
        codes += bytes([code])
        solutions += packed_of(first) if code in (1, 2, 3) else b""
        seconds += packed_of(second) if code == 3 else b""
    reply = Reply(codes, bytes(4 * len(codes)), solutions, seconds)
    # When they are judged, then as Python does
    verdicts = judge(boards, reply)
    assert verdicts == by_python(boards, reply)
    assert min(map(verdicts.count, (RIGHT, WRONG, OPEN))) > 100


@pytest.mark.parametrize("at", range(CELLS + 1))
def test_a_slot_that_is_no_board_is_named_however_right_its_solution(at: int) -> None:
    # Given right solutions, of which the third is of a board that is none at one half byte
    for half in range(1 if at == CELLS else 10, 16):
        slot = packed_of([half if place == at else 0 for place in range(CELLS + 1)])
        boards = pack(PUZZLE) * 2 + slot + pack(PUZZLE)
        # When they are judged, then that slot is named, also where the solution has the same there
        for solution in (pack(SOLUTION), packed_of(with_half(halves_of(pack(SOLUTION)), at, half))):
            reply = Reply(b"\1\1\2\1", bytes(16), pack(SOLUTION) * 2 + solution + pack(SOLUTION), b"")
            with pytest.raises(BoardError, match="slot 2 is neither"):
                judge(boards, reply)
