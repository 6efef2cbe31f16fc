"""A false line of an answers file is found, whatever is false about it; a true one never is."""

from dataclasses import replace

import pytest
from hypothesis import given, settings, strategies

from gridmill import kernel
from gridmill.answers import UNSAID, Status
from gridmill.board import CELLS
from gridmill.formats.stated import Stated
from gridmill.proof import Proof
from gridmill.truth import examine

PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SOLUTION = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
TWIN = "..3456789456789123789123456..4365897365897214897214365531642978642978531978531642"  # 12/21 and 21/12
TWIN_FIRST = TWIN.replace("..", "12", 1).replace("..", "21", 1)
TWIN_SECOND = TWIN.replace("..", "21", 1).replace("..", "12", 1)
CLASH = "55" + "." * 79
Spoil = tuple[int, str]  # a cell, and what is written there
UNIQUE = Stated(2, PUZZLE, Status.UNIQUE, "1", SOLUTION)
MULTIPLE = Stated(2, TWIN, Status.MULTIPLE, ">1", TWIN_FIRST, TWIN_SECOND)
NONE = Stated(2, PUZZLE, Status.NONE, "0")


@pytest.mark.parametrize(
    "stated",
    [
        UNIQUE,
        MULTIPLE,
        NONE,
        replace(MULTIPLE, count="2"),
        replace(UNIQUE, puzzle=PUZZLE.replace(".", "0")),
        Stated(2, PUZZLE, Status.SOLVED, ">0", SOLUTION),
        Stated(2, CLASH, Status.CLASH, "0"),
        Stated(2, PUZZLE, Status.UNDECIDED),
        Stated(2, PUZZLE, Status.FAILED),
        Stated(2, PUZZLE[:80], Status.MALFORMED),
        Stated(2, "", Status.MALFORMED),
        Stated(2, PUZZLE, Status.MALFORMED, detail="the number of fields is 1, not 2"),
        Stated(2, PUZZLE, solution=SOLUTION),
        Stated(2, PUZZLE, count="1", solution=SOLUTION),
        Stated(2, PUZZLE, count="1"),
        Stated(2, TWIN, count="332"),
        Stated(2, CLASH, count="0"),
    ],
)
def test_a_true_line_is_not_blamed(stated: Stated) -> None:
    assert examine(stated) is None


OTHER_SOLUTION = SOLUTION.translate(str.maketrans("12", "21"))


@pytest.mark.parametrize(
    ("stated", "fault"),
    [
        (Stated(2, fault="is not a row of 10 fields"), "is not a row of 10 fields"),
        (replace(UNIQUE, puzzle=PUZZLE[:80]), "the puzzle is no board: 80 cells instead of 81"),
        (replace(UNIQUE, solution=OTHER_SOLUTION), "the given 1 in r2c4 became 2"),
        (replace(UNIQUE, solution="5" * 81), "row 1 of the solution does not hold each digit once"),
        (replace(UNIQUE, solution=SOLUTION[:80]), "the solution has 80 cells"),
        (replace(UNIQUE, solution=""), "the number of solutions is 0, with unique it is 1"),
        (replace(UNIQUE, solution2=SOLUTION), "the number of solutions is 2, with unique it is 1"),
        (replace(UNIQUE, count=">1"), "the count '>1' does not fit unique"),
        (replace(MULTIPLE, count="1"), "the count '1' does not fit multiple"),
        (replace(MULTIPLE, count=">0"), "the count '>0' does not fit multiple"),
        (replace(MULTIPLE, solution2=TWIN_FIRST), "both solutions are the same"),
        (replace(MULTIPLE, solution2=""), "the number of solutions is 1, with multiple it is 2"),
        (replace(MULTIPLE, solution2=SOLUTION), "the given 3 in r1c3 became 4"),
        (replace(NONE, solution=SOLUTION), "the number of solutions is 1, with none it is 0"),
        (replace(NONE, puzzle=CLASH), "the givens clash: 5 twice in row 1: r1c1, r1c2"),
        (Stated(2, PUZZLE, Status.CLASH, "0"), "called a clash, but no digit stands twice in a unit"),
        (Stated(2, CLASH, Status.UNDECIDED), "the givens clash: 5 twice in row 1: r1c1, r1c2"),
        (Stated(2, PUZZLE, Status.MALFORMED), "called malformed, but it is a board"),
        (Stated(2, PUZZLE, count="0", solution=SOLUTION), "the count is 0, but here is a solution"),
        (Stated(2, CLASH, count="2"), "the givens clash: 5 twice in row 1: r1c1, r1c2"),
        (Stated(2, PUZZLE, solution=TWIN_FIRST), "the given 5 in r1c1 became 1"),
        (Stated(2, PUZZLE), "says nothing that can be checked (count '', no solution)"),
    ],
)
def test_a_false_line_is_blamed_for_what_is_false(stated: Stated, fault: str) -> None:
    assert examine(stated) == fault


@pytest.mark.parametrize(
    ("stated", "found", "fault"),
    [
        (UNIQUE, 2, "said to be unique, but it has two or more solutions"),
        (UNIQUE, 1, None),
        (NONE, 1, "said to be none, but it has one solution"),
        (NONE, 0, None),
        (Stated(2, TWIN, count="7"), 1, "said to be multiple, but it has one solution"),
        (Stated(2, PUZZLE, count="1"), 0, "said to be unique, but it has no solution"),
        (Stated(2, PUZZLE, Status.SOLVED, ">0", SOLUTION), 2, None),
    ],
)
def test_what_cannot_be_seen_from_the_line_is_recounted(stated: Stated, found: int, fault: str | None) -> None:
    assert examine(stated, recount=lambda board, limit: min(found, limit)) == fault


def test_a_recount_gets_the_board_with_points_for_blanks() -> None:
    asked: list[str] = []

    def recount(board: str, limit: int) -> int:
        asked.append(board)
        return 1

    examine(replace(UNIQUE, puzzle=PUZZLE.replace(".", "0")), recount)
    assert asked == [PUZZLE]


def test_the_proof_gives_the_false_lines_and_the_totals() -> None:
    answers = [
        replace(UNIQUE, line=2),
        replace(UNIQUE, line=3, solution=TWIN_FIRST),
        Stated(4, PUZZLE, solution=SOLUTION),
    ]
    proof = Proof(answers)
    assert list(proof) == [(3, "the given 5 in r1c1 became 1")]
    assert (proof.rows, proof.faults) == (3, 1)
    assert proof.statuses == {"unique": 2, UNSAID: 1}


def test_a_missing_record_is_blamed_once() -> None:
    answers = [replace(UNIQUE, line=1 + record, record=record) for record in (1, 2, 4, 5)]
    assert list(Proof(answers)) == [(5, "record 4 stands where record 3 belongs")]


def test_a_repeated_record_is_blamed() -> None:
    answers = [replace(UNIQUE, line=line, record=record) for line, record in ((2, 1), (3, 1), (4, 2))]
    assert list(Proof(answers)) == [(3, "record 1 stands where record 2 belongs")]


def test_a_false_line_does_not_put_the_records_behind_it_out_of_step() -> None:
    answers = [replace(UNIQUE, line=2, record=1, solution=""), Stated(3, fault="unreadable"), replace(UNIQUE, record=3)]
    assert len(list(Proof(answers))) == 2


SPOILS = strategies.lists(
    strategies.tuples(strategies.integers(0, 80), strategies.sampled_from("123456789.0x ")), max_size=3
)


@settings(deadline=None, max_examples=300)
@given(
    strategies.sampled_from([UNIQUE, MULTIPLE, replace(UNIQUE, status=None), replace(UNIQUE, count="0", status=None)]),
    *[SPOILS] * 3,
    strategies.integers(79, 83),
)
def test_the_kernels_judge_and_the_rules_say_the_same(
    stated: Stated, first: list[Spoil], second: list[Spoil], puzzle: list[Spoil], size: int
) -> None:
    line = replace(
        stated,
        puzzle=spoilt(stated.puzzle, puzzle),
        solution=spoilt(stated.solution, first).ljust(size)[:size] if size != CELLS else spoilt(stated.solution, first),
        solution2=spoilt(stated.solution2, second),
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kernel, "native", False)
        wanted = examine(line)

    assert examine(line) == wanted


def spoilt(text: str, spoils: list[Spoil]) -> str:
    for at, sign in spoils:
        text = text and text[:at] + sign + text[at + 1 :]
    return text
