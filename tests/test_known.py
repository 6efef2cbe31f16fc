"""Answers that come with the input are held against ours."""

import json

import pytest

from gridmill.answers import Answer, Status
from gridmill.board import pack
from gridmill.chunk import Chunk, Fault, Record
from gridmill.formats.sheet import Sheet
from gridmill.known import DETAIL, compared, disagreements
from gridmill.reply import Claim, Reply

PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SOLUTION = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
OTHER = SOLUTION.translate(str.maketrans("12", "21"))
EMPTY = "." * 81
CLASH = "55" + EMPTY[2:]
THIRD = SOLUTION.translate(str.maketrans("34", "43"))
UNIQUE = Claim(Status.UNIQUE, 1, pack(SOLUTION))
SOLVED = Claim(Status.SOLVED, 1, pack(SOLUTION))
MULTIPLE = Claim(Status.MULTIPLE, 1, pack(SOLUTION), pack(OTHER))


def told(board: str | None, claim: Claim, given: str, ruling: Answer | None = None) -> str | None:
    """The detail of the answer to a record in the middle of three; None when ours stays as it is."""
    fault = None if board else Fault(0, "why", "text")
    records = [
        Record(1, PUZZLE, extras=("x", SOLUTION)),
        Record(2, board, fault, extras=("x", given)),
        Record(3, PUZZLE, extras=("x", "")),
    ]
    sheet = Sheet.of(Chunk.of(1, records), Reply.of([UNIQUE, claim, UNIQUE]), {1: ruling} if ruling else {})
    found = disagreements(sheet, [1])
    assert set(found) <= {1}
    return found[1].detail if found else None


@pytest.mark.parametrize(
    ("board", "claim", "given"),
    [
        (PUZZLE, UNIQUE, OTHER),
        (PUZZLE, UNIQUE, PUZZLE),
        (PUZZLE, UNIQUE, json.dumps(list(OTHER))),
        (PUZZLE, UNIQUE, PUZZLE.replace(".", "0")),
        (PUZZLE, SOLVED, OTHER),
        (EMPTY, MULTIPLE, "1" * 81),
        (PUZZLE, Claim(Status.NONE), SOLUTION),
    ],
)
def test_a_grid_that_contradicts_ours_is_told(board: str, claim: Claim, given: str) -> None:
    assert told(board, claim, given) == DETAIL == "disagrees with the input's solution"


def test_what_was_told_before_stays() -> None:
    detail = "5 twice in row 1: r1c1, r1c2"
    assert told(CLASH, Claim(Status.CLASH), SOLUTION) == f"{detail}; {DETAIL}"


@pytest.mark.parametrize(
    ("board", "claim", "given"),
    [
        (PUZZLE, UNIQUE, SOLUTION),
        (PUZZLE, UNIQUE, " ".join(SOLUTION)),
        (PUZZLE, UNIQUE, json.dumps([list(map(int, SOLUTION[at : at + 9])) for at in range(0, 81, 9)])),
        (PUZZLE, UNIQUE, "[" + SOLUTION),
        (EMPTY, SOLVED, OTHER),
        (EMPTY, MULTIPLE, THIRD),
        (PUZZLE, Claim(Status.UNDECIDED), OTHER),
        (None, Claim(None), OTHER),
        (PUZZLE, UNIQUE, "unknown"),
        (PUZZLE, UNIQUE, ""),
        (PUZZLE, UNIQUE, "\u0661" * 80),
    ],
)
def test_what_contradicts_nothing_is_not_told(board: str | None, claim: Claim, given: str) -> None:
    assert told(board, claim, given) is None


def test_our_own_last_word_counts_and_not_the_workers() -> None:
    assert told(PUZZLE, UNIQUE, OTHER, Answer(Status.UNDECIDED)) is None
    assert told(PUZZLE, UNIQUE, SOLUTION, Answer(Status.NONE)) is None


def test_a_column_without_any_text_says_nothing() -> None:
    sheet = Sheet.of(Chunk.of(1, [Record(1, PUZZLE)]), Reply.of([UNIQUE]), {})
    assert disagreements(sheet, [0]) == {}


def test_one_of_several_columns_is_enough() -> None:
    records = [Record(1, PUZZLE, extras=(SOLUTION, OTHER)), Record(2, PUZZLE, extras=(OTHER, SOLUTION))]
    sheet = Sheet.of(Chunk.of(1, records), Reply.of([UNIQUE, UNIQUE]), {})
    assert set(disagreements(sheet, [0, 1])) == {0, 1}


def test_of_several_columns_each_is_held_against_ours() -> None:
    records = [Record(1, PUZZLE, extras=("5" * 81, OTHER))]
    sheet = Sheet.of(Chunk.of(1, records), Reply.of([SOLVED]), {})
    assert set(disagreements(sheet, [0, 1])) == set(disagreements(sheet, [1, 0])) == {0}


def test_a_sheet_in_which_nothing_disagrees_stays_as_it_is() -> None:
    sheet = Sheet.of(Chunk.of(1, [Record(1, PUZZLE, extras=(SOLUTION,))] * 3), Reply.of([UNIQUE] * 3), {})
    assert compared(sheet, [0]) == (sheet, 0)


def test_what_disagrees_is_marked_beside_other_rulings_and_counted() -> None:
    records = [Record(1, PUZZLE, extras=(SOLUTION,)), Record(2, PUZZLE, extras=(OTHER,)), Record(3, PUZZLE)]
    failed = Answer(Status.FAILED)
    sheet = Sheet.of(Chunk.of(1, records), Reply.of([UNIQUE] * 3), {2: failed})
    marked, count = compared(sheet, [0])
    assert count == 1
    assert {index: answer.detail for index, answer in marked.rulings.items()} == {1: DETAIL, 2: failed.detail}
    assert marked.counts() == {"unique": 2, "failed": 1}
