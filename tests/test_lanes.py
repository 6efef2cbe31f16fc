"""The native kernel: every width says the same, and what `bitmask` and `sat` say, whatever stands beside a board."""

import os
import random
import struct
import subprocess
import sys
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gridmill import kernel
from gridmill.answers import Status
from gridmill.board import BLANK, CELLS, HOLE, PACKED, pack, slots, to_grid, unpack
from gridmill.errors import BoardError
from gridmill.reply import CODES, Claim, Reply
from gridmill.rules import verify
from gridmill.solvers import get
from gridmill.solvers import lanes as solver
from gridmill.solvers.claim import claim, reply_to
from gridmill.solvers.lanes import BLOCK, DEEP_NODES, KERNEL_NODES, Lanes
from gridmill.solvers.outcome import Outcome, status_of

if not kernel.native and "GRIDMILL_CI" not in os.environ:
    pytest.skip("this installation has no native kernel", allow_module_level=True)

EASY = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
NONE = "12345678.........9" + BLANK * 63
CLASH = "55" + BLANK * 79
MANY = "31...9......18........3...5.....4....21.....4..6..79...4.3.8..2.......7..9...6..."
TWO = "..3456789456789123789123456..4365897365897214897214365531642978642978531978531642"
SEVENTEEN = "..............3.85..1.2.......5.7.....4...1...9.......5......73..2.1........4...9"
DEEP = ".................5....2.......8.7....2....1..........7......4134.2.1..86....4...9"  # several solutions
FALL = ".57..31..9.3...........7....1..359...4.9.6..7..6.7.45.6.......5..1..........5...."  # a sum falls by 65,536
GUESSED = "....937...6...15.2.3..5...4...1.5.97..6.........92.8..........932....47.6.154.32."  # one solution
REFUTED = "75....4..4...7..83.9...........2..3....1..6.434.86......5.4.32.9..2.8..6.3265.8.."  # none, as many givens
MONSTER = ".....5.8....6.1.43..........1.5........1.6...3.......553.....61........4........."  # Norvig's impossible one


@pytest.fixture(params=kernel.extension.widths())
def width(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def solve(boards: list[str], width: str, *, limit: int = 2, budget: int = 10**6) -> Reply:
    return Reply(*kernel.extension.solve(b"".join(map(pack, boards)), limit, budget, width))


def nodes_of(reply: Reply) -> list[int]:
    return [nodes for (nodes,) in struct.iter_unpack("<I", reply.nodes)]


def transposed(board: str) -> str:
    return "".join(board[9 * column + row] for row in range(9) for column in range(9))


def relabelled(board: str, shuffle: random.Random) -> str:
    return board.translate(str.maketrans("123456789", "".join(shuffle.sample("123456789", 9))))


def boards_of_every_kind(seed: int, count: int) -> list[str]:
    """Solved boards with cells taken out, some with a wrong given: no solution, one, two and many; and their images."""
    shuffle = random.Random(seed)
    boards = []
    for _ in range(count):
        digits = shuffle.sample("123456789", 9)
        rows = [3 * band + row for band in shuffle.sample(range(3), 3) for row in shuffle.sample(range(3), 3)]
        columns = [
            3 * stack + column for stack in shuffle.sample(range(3), 3) for column in shuffle.sample(range(3), 3)
        ]
        solved = [digits[(3 * (row % 3) + row // 3 + column) % 9] for row in rows for column in columns]
        kept = set(shuffle.sample(range(CELLS), shuffle.randint(17, 50)))
        if shuffle.random() < 0.3:
            solved[shuffle.choice(sorted(kept))] = shuffle.choice("123456789")
        board = "".join(sign if cell in kept else BLANK for cell, sign in enumerate(solved))
        boards += [board, transposed(board), relabelled(board, shuffle)]
    return boards


def test_a_pass_that_changes_a_sum_by_all_that_sixteen_bits_hold_is_not_taken_for_one_that_changes_nothing(
    width: str,
) -> None:
    # Given a board that would be split too early then, after 10 nodes instead of 15
    reply = solve([FALL], width)

    assert nodes_of(reply) == [15]


def test_the_widths_and_the_reference_agree() -> None:
    boards = boards_of_every_kind(1, 120)
    bitmask = get("bitmask")
    wanted = [claim(bitmask, pack(board), first=False, budget=bitmask.budget).status for board in boards]

    for width in kernel.extension.widths():
        reply = solve(boards, width)
        found = list(reply.claims())
        assert [answer.status for answer in found] == wanted
        for board, answer in zip(boards, found, strict=True):
            solutions = [unpack(packed) for packed in (answer.solution, answer.second) if packed]
            assert all(verify(board, solution) is None for solution in solutions)
            assert len({*solutions}) == len(solutions)
    assert {*wanted} >= {Status.UNIQUE, Status.MULTIPLE, Status.NONE, Status.CLASH}, Counter(wanted)


def test_an_answer_is_the_same_at_every_width_and_beside_every_neighbour(width: str) -> None:
    boards = [*boards_of_every_kind(2, 60), MONSTER, SEVENTEEN, *[BLANK * CELLS] * 3]
    alone = [solve([board], "baseline", budget=500) for board in boards]
    order = random.Random(3).sample(range(len(boards)), len(boards))

    together = list(solve([boards[at] for at in order], width, budget=500).claims())

    assert together == [next(alone[at].claims()) for at in order]


def test_the_first_solution_is_the_same_whether_a_second_is_wanted_or_not(width: str) -> None:
    one, two = solve([MANY, TWO], width, limit=1), solve([MANY, TWO], width)

    assert one.solutions == two.solutions
    assert one.codes == bytes([CODES[Status.SOLVED]] * 2)
    assert two.codes == bytes([CODES[Status.MULTIPLE]] * 2)


def test_a_board_of_81_equal_digits_is_no_solution(width: str) -> None:
    assert solve(["5" * CELLS], width).codes == bytes([CODES[Status.CLASH]])


def test_a_solved_board_is_its_own_solution_and_a_wrong_one_is_not(width: str) -> None:
    solved = unpack(solve([EASY], width).solutions)
    wrong = solved.translate(str.maketrans("12", "21"))[:9] + solved[9:]

    reply = solve([solved, wrong], width)

    assert reply.codes == bytes([CODES[Status.UNIQUE], CODES[Status.CLASH]])
    assert reply.solutions == pack(solved)


def test_every_single_clash_is_seen(width: str) -> None:
    """Any two cells of a unit with the same digit, and nothing else on the board."""
    for first in range(CELLS):
        boards, wanted = [], []
        for second in set(range(CELLS)) - {first}:
            board = [BLANK] * CELLS
            board[first] = board[second] = "7"
            row, column = first // 9 == second // 9, first % 9 == second % 9
            box = (first // 27, first % 9 // 3) == (second // 27, second % 9 // 3)
            boards.append("".join(board))
            wanted.append(Status.CLASH if row or column or box else Status.MULTIPLE)
        assert [answer.status for answer in solve(boards, width).claims()] == wanted


def test_a_clash_costs_no_node_and_a_board_of_singles_neither(width: str) -> None:
    assert nodes_of(solve([CLASH, EASY], width)) == [0, 0]


@pytest.mark.parametrize("budget", [0, 1, 5])
def test_a_spent_budget_leaves_a_board_undecided_without_a_solution(width: str, budget: int) -> None:
    reply = solve([MONSTER, EASY, MONSTER], width, budget=budget)

    assert [answer.status for answer in reply.claims()] == [Status.UNDECIDED, Status.UNIQUE, Status.UNDECIDED]
    assert nodes_of(reply) == [budget, 0, budget]
    assert reply.solutions == solve([EASY], width).solutions


def test_a_board_that_only_seems_to_have_many_solutions_is_searched_to_its_end(width: str) -> None:
    # Given boards of so many givens that four cells are guessed at once
    reply = solve([GUESSED, REFUTED] * 20, width)

    assert [answer.status for answer in reply.claims()] == [Status.UNIQUE, Status.NONE] * 20
    assert min(nodes_of(reply)) > 4
    assert verify(GUESSED, unpack(reply.solutions[:PACKED])) is None


@pytest.mark.parametrize("budget", [4, 5, 8])
def test_guesses_are_nodes_and_stay_within_the_budget(width: str, budget: int) -> None:
    reply = solve([GUESSED], width, budget=budget)

    assert reply.codes[0] == CODES[Status.UNDECIDED]
    assert nodes_of(reply) == [budget]


def test_the_emptiest_boards_go_deepest_and_come_back(width: str) -> None:
    """A search that goes down as many levels as there can be: nothing given, one digit given, one row given."""
    boards = [BLANK * CELLS, "1" + BLANK * 80, "123456789" + BLANK * 72, BLANK * 80 + "9"] * 9

    reply = solve(boards, width)

    for board, answer in zip(boards, reply.claims(), strict=True):
        assert answer.status is Status.MULTIPLE
        assert verify(board, unpack(answer.solution)) is None
        assert verify(board, unpack(answer.second)) is None


@pytest.mark.parametrize("count", [0, 1, 2, 7, 8, 9, 31, 32, 33, 100])
def test_any_number_of_boards_with_holes_between_them_keeps_its_order(width: str, count: int) -> None:
    kinds = [EASY, MANY, None, NONE, CLASH, SEVENTEEN]
    asked = [kinds[at % 6] for at in range(count)]
    packed = b"".join(HOLE if board is None else pack(board) for board in asked)

    reply = Reply(*kernel.extension.solve(packed, 2, 1000, width))

    statuses = [Status.UNIQUE, Status.MULTIPLE, None, Status.NONE, Status.CLASH, Status.UNIQUE]
    answers = list(Reply.decode(reply.encode(), count).claims())
    assert [answer.status for answer in answers] == [statuses[at % 6] for at in range(count)]
    assert all(verify(board, unpack(answer.solution)) is None for board, answer in zip(asked, answers, strict=True)
               if board and answer.solution)  # fmt: skip


@pytest.mark.parametrize("size", [1, PACKED - 1, PACKED + 1])
def test_boards_that_are_no_whole_slots_are_refused(width: str, size: int) -> None:
    with pytest.raises(ValueError, match="whole slots"):
        kernel.extension.solve(bytes(size), 2, 1, width)


@pytest.mark.parametrize("limit", [-1, 0, 3])
def test_other_limits_than_one_and_two_are_refused(width: str, limit: int) -> None:
    with pytest.raises(ValueError, match="limit"):
        kernel.extension.solve(bytes(PACKED), limit, 1, width)


@pytest.mark.parametrize("name", ["", "avx", "python"])
def test_an_unknown_width_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="no kernel called"):
        kernel.extension.solve(b"", 2, 1, name)


def test_a_slot_is_named_by_its_number_in_the_piece_and_not_in_its_block() -> None:
    with pytest.raises(BoardError, match=f"slot {BLOCK + 3} is neither"):
        Lanes().reply(HOLE * (BLOCK + 3) + b"\xaa" * PACKED, 2, 100)


@settings(deadline=None)
@given(st.integers(0, PACKED - 1), st.integers(0, 255), st.integers(0, 40))
def test_a_slot_that_is_no_board_is_named(at: int, byte: int, before: int) -> None:
    slot = bytes(at) + bytes([byte]) + bytes(PACKED - at - 1)
    is_board = byte >> 4 < 10 and (byte & 15 < 10 if at < PACKED - 1 else byte & 15 == 0)
    if is_board:
        return
    for width in kernel.extension.widths():
        with pytest.raises(ValueError, match=f"slot {before} is neither"):
            kernel.extension.solve(HOLE * before + slot, 2, 1, width)


@settings(max_examples=200, deadline=None)
@given(st.lists(st.text("123456789....................", min_size=CELLS, max_size=CELLS), max_size=40))
def test_random_boards_get_the_same_answer_at_every_width(boards: list[str]) -> None:
    replies = [solve(boards, width, budget=200) for width in kernel.extension.widths()]

    assert all(reply == replies[0] for reply in replies)


@settings(max_examples=100, deadline=None)
@given(
    st.lists(st.sampled_from([HOLE, *map(pack, (EASY, NONE, CLASH, MANY, SEVENTEEN, DEEP))]), max_size=70),
    st.integers(1, 80),
)
def test_blocks_change_no_answer_and_each_is_followed_by_a_tick(records: list[bytes], block: int) -> None:
    ticks: list[None] = []
    for width in kernel.extension.widths():
        ticks.clear()
        columns = kernel.extension.solve(b"".join(records), 2, 200, width, 0, block, lambda: ticks.append(None))
        assert columns == kernel.extension.solve(b"".join(records), 2, 200, width)
        assert len(ticks) == -(-len(records) // block)


def test_what_a_tick_raises_ends_the_call() -> None:
    with pytest.raises(ZeroDivisionError):
        kernel.extension.solve(HOLE * 10, 2, 1, kernel.width, 0, 3, lambda: 1 // 0)


def test_a_block_of_no_boards_is_refused() -> None:
    with pytest.raises(ValueError, match="a block of no boards"):
        kernel.extension.solve(HOLE, 2, 1, kernel.width, 0, 0)


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=5 * PACKED))
def test_any_bytes_get_a_reply_or_an_error(data: bytes) -> None:
    for width in kernel.extension.widths():
        try:
            columns = kernel.extension.solve(data, 2, 50, width)
        except ValueError:
            continue
        Reply.decode(Reply(*columns).encode(), len(data) // PACKED)


def test_what_the_kernel_leaves_open_is_settled() -> None:
    lanes = Lanes()
    boards = [EASY, MONSTER, MANY, MONSTER, EASY]

    reply = reply_to(lanes, b"".join(map(pack, boards)), first=False, budget=lanes.budget)

    wanted = [Status.UNIQUE, Status.NONE, Status.MULTIPLE, Status.NONE, Status.UNIQUE]
    assert [answer.status for answer in reply.claims()] == wanted
    assert nodes_of(reply)[1] >= KERNEL_NODES


@settings(max_examples=100, deadline=None)
@given(st.lists(st.sampled_from([EASY, NONE, CLASH, MANY, SEVENTEEN, DEEP, MONSTER]), max_size=40), st.integers(1, 2))
def test_what_the_kernel_leaves_open_gets_the_answer_of_the_search_that_learns(boards: list[str], limit: int) -> None:
    packed = list(map(pack, boards))
    ticks: list[None] = []
    for width in kernel.extension.widths():
        ticks.clear()
        wanted = [Reply(*kernel.extension.solve(board, limit, 5, width)).claim(0) for board in packed]
        left = [at for at, claimed in enumerate(wanted) if claimed.status is Status.UNDECIDED]
        for at in left:
            found, nodes, spent = kernel.extension.deep(packed[at], limit, DEEP_NODES)
            status = status_of(Outcome(tuple(map(unpack, slots(found))), nodes, spent), limit)
            wanted[at] = Claim(status, 5 + nodes, *slots(found))

        columns = kernel.extension.solve(
            b"".join(packed), limit, 5, width, DEEP_NODES, BLOCK, lambda: ticks.append(None)
        )

        assert list(Reply(*columns).claims()) == wanted
        assert len(ticks) == bool(boards) + len(left)


def test_a_small_budget_is_the_kernels_alone() -> None:
    assert Lanes().search(to_grid(MONSTER), 2, 10).spent


@pytest.mark.parametrize("budget", [KERNEL_NODES - 1, KERNEL_NODES, KERNEL_NODES + 1, KERNEL_NODES + 3])
def test_no_node_is_used_above_the_budget_and_none_is_left(budget: int) -> None:
    outcome = Lanes().search(to_grid(DEEP), 2, budget)

    assert (outcome.nodes, outcome.spent) == (budget, True)


def test_what_the_search_that_learns_leaves_open_is_settled_by_sat(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solver, "DEEP_NODES", 3)

    outcome = Lanes().search(to_grid(DEEP), 2, 10_000)

    assert (len(outcome.solutions), outcome.spent) == (2, False)
    assert outcome.nodes == KERNEL_NODES + 3 + 2  # SAT was asked for two solutions


@settings(max_examples=100, deadline=None)
@given(st.lists(st.text("123456789" + 30 * BLANK, min_size=CELLS, max_size=CELLS), min_size=1, max_size=40))
def test_no_board_is_left_undecided(boards: list[str]) -> None:
    reply = Lanes().reply(b"".join(map(pack, boards)), 2, Lanes.budget)

    assert CODES[Status.UNDECIDED] not in reply.codes


def test_the_default_budget_reaches_every_step() -> None:
    assert Lanes.budget > KERNEL_NODES + DEEP_NODES


def test_a_monster_does_not_load_the_sat_library() -> None:
    program = f"""
import sys
from gridmill.board import pack
from gridmill.solvers.lanes import Lanes
reply = Lanes().reply(pack({MONSTER!r}), 2, Lanes.budget)
sys.exit(reply.codes != bytes([{CODES[Status.NONE]}]) or "pysat" in sys.modules)
"""

    assert subprocess.run([sys.executable, "-c", program], timeout=30, check=False).returncode == 0


def test_one_board_says_what_many_say() -> None:
    lanes = Lanes()
    boards = [*boards_of_every_kind(5, 20), MONSTER, BLANK * CELLS]

    reply = reply_to(lanes, b"".join(map(pack, boards)), first=False, budget=lanes.budget)

    assert list(reply.claims()) == [claim(lanes, pack(board), first=False, budget=lanes.budget) for board in boards]


def test_more_than_two_solutions_are_found_too() -> None:
    outcome = Lanes().search(to_grid(MANY), 5, 1000)

    assert len({*outcome.solutions}) == 5


def test_a_slot_that_is_no_board_is_an_error_of_the_board() -> None:
    with pytest.raises(BoardError, match="slot 1 is neither"):
        reply_to(Lanes(), pack(EASY) + b"\xaa" * PACKED, first=False, budget=1)


def test_a_piece_gives_signs_of_life() -> None:
    ticks: list[None] = []

    reply_to(Lanes(), pack(EASY) * 9000 + pack(MONSTER), first=False, budget=10_000, tick=lambda: ticks.append(None))

    assert len(ticks) > 2
