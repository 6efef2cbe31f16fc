"""Simple Sudoku's boards in a frame."""

import pytest

from gridmill.chunk import Record
from gridmill.formats.framed import Framed, recognise
from gridmill.formats.reader import Tally

PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
EDGE = "*-----------*"


def rows(puzzle: str = PUZZLE) -> list[str]:
    parted = ["|" + "|".join(puzzle[at : at + 9][box : box + 3] for box in (0, 3, 6)) + "|" for at in range(0, 81, 9)]
    return [*parted[:3], "|---+---+---|", *parted[3:6], "|---+---+---|", *parted[6:]]


BOARD = [EDGE, *rows(), EDGE]
CANDIDATES = [f"*{'-' * 60}*", *["| 1567 3 1567 | 4 12579 179 | 689 5678 579 |"] * 9, f"*{'-' * 60}*"]


def read(lines: list[str]) -> tuple[list[Record], int]:
    """The records, and how many lines were skipped."""
    tally = Tally()
    return list(Framed().records(lines, tally)), tally.skipped


def test_a_frame_is_a_record_at_its_first_row() -> None:
    assert read(BOARD) == ([Record(2, PUZZLE)], 2)


def test_words_around_the_frame_and_candidates_are_passed_over() -> None:
    lines = ["Puzzle", *BOARD, "Simple Sudoku", " Version 4.2n", "", *CANDIDATES, "end"]
    assert read(lines) == ([Record(3, PUZZLE)], len(lines) - 11)


def test_several_frames_are_several_records() -> None:
    assert [record.line for record in read([*BOARD, "", *BOARD])[0]] == [2, 16]


@pytest.mark.parametrize(
    "broken",
    [
        [EDGE, *rows()[1:], EDGE],
        [EDGE, "|x" + rows()[0][2:], *rows()[1:], EDGE],
        [EDGE, *rows(), *rows(), EDGE],
        [EDGE, *rows(), "words where the lower edge belongs"],
        [EDGE, "damaged", *rows()[1:], EDGE],
        [EDGE, *rows()[:4], "", *rows()[4:], EDGE],
    ],
)
def test_a_broken_frame_is_one_malformed_record_and_moves_no_other(broken: list[str]) -> None:
    records, _ = read([*BOARD, *broken, *BOARD])
    assert [record.board for record in records] == [PUZZLE, None, PUZZLE]


@pytest.mark.parametrize("lines", [[*BOARD[1:], *BOARD], [*BOARD[:-1], *BOARD], [*BOARD, *BOARD[1:]]])
def test_a_missing_edge_costs_no_board(lines: list[str]) -> None:
    assert [record.board for record in read(lines)[0]] == [PUZZLE, PUZZLE]


def test_a_frame_without_end_takes_no_memory() -> None:
    records, _ = read([EDGE, *["|...|"] * 100_000])
    assert len(records) == 1000


def test_it_is_seen_at_the_frame() -> None:
    found = recognise(["Puzzle", *BOARD])
    assert found is not None
    assert (found.at, found.format, found.reason) == (1, "ss", "line 2 is the frame of a Simple Sudoku board")


@pytest.mark.parametrize("head", [CANDIDATES, rows(), [], [EDGE], [EDGE, *rows()[:3], EDGE, *rows()[4:7], EDGE]])
def test_what_has_no_framed_board_is_another_format(head: list[str]) -> None:
    assert recognise(head) is None
