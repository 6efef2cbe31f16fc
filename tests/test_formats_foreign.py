"""What is known and not read is refused by its name, with what to do."""

import pytest

from gridmill.errors import FormatError
from gridmill.formats.detect import detect
from gridmill.formats.foreign import is_candidates, refusal

PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
CANDIDATES = ["| 1567 3 1567 | 4 12579 179 | 689 5678 579 |"] * 9
PLAYED = ["1567 u3 1567 4 12579 179 689 5678 579"] * 9


@pytest.mark.parametrize(
    ("head", "words"),
    [
        (CANDIDATES, "f is a grid of candidates (pencilmarks); export the puzzle as 81 characters"),
        (PLAYED, "f is SudoCue's .sdx, a game in progress; export the puzzle as 81 characters, or save it as .sdk"),
        (["1" * 729], "729 characters are a pencilmark grid"),
        (["123456789" * 81] * 3, "729 characters are a pencilmark grid"),
        (["https://www.sudokuwiki.org/sudoku.htm?bd=" + PUZZLE], "addresses of puzzles at SudokuWiki; open them there"),
        (["https://f-puzzles.com/?load=N4Ig"], "addresses of puzzles at f-puzzles"),
        (["# mine", "https://sudokupad.app/fpuzN4Ig"], "addresses of puzzles at SudokuPad"),
        (["https://swaroopg92.github.io/penpa-edit/#m=edit"], "addresses of puzzles at penpa"),
        (["https://puzzles.example/1"], "f is addresses of puzzles; open them there"),
        (["fpuzN4IgzglgXgpiBcBOANCALhNAbO8QGEALAQwFcCYBPE"], "links of f-puzzles"),
        (["sclN4IgzglgXgpiBcBOANCALhNAbO8QGEALAQwFcCYBPE"], "links of SudokuPad"),
        (["m=edit&p=7VZNb9s4EL37V"], "a puzzle of penpa"),
        (["<!DOCTYPE html>", "<html>"], "a web page (HTML)"),
        (["1..4" * 4], "size 4×4, Gridmill solves 9×9"),
        (["1.3.5." * 6] * 2, "size 6×6 is not supported"),
        (["12.4", "34..", "..21", "43.."], "size 4×4 is not supported"),
        ([" ".join("12.456")] * 6, "size 6×6 is not supported"),
        (["0 0 16 4 0 0 1 2 0 0 0 12 0 0 0 0"] * 16, "size 16×16 is not supported"),
        (["5\x003\x00.\x00.\x007\x00.\x00"], "UTF-16LE text without a mark; save it as UTF-8 (iconv -f UTF-16LE"),
        (["\x005\x003\x00.\x00.\x007\x00."], "UTF-16BE text without a mark"),
    ],
)
def test_it_is_refused_by_name_with_a_remedy(head: list[str], words: str) -> None:
    with pytest.raises(FormatError) as refused:
        detect(head, "f")
    assert words.replace("size 4×4,", "size 4×4 is not supported,") in str(refused.value)


@pytest.mark.parametrize(("path", "words"), [("a.sud", "a .sud file"), ("a.SDX", "SudoCue's .sdx")])
def test_a_name_gives_words_only_to_what_has_no_board_anyway(path: str, words: str) -> None:
    with pytest.raises(FormatError, match=words):
        detect(["rubbish"], path)
    assert detect([PUZZLE], path).format == "lines"


@pytest.mark.parametrize(
    "head",
    [[], ["# note"], ["rubbish"], [PUZZLE[1:]], ["1..4" * 4, PUZZLE[1:]], ["abcdefghijklmnop"], ["12.4", "34.."]],
)
def test_what_is_not_known_is_not_refused(head: list[str]) -> None:
    assert refusal(head, "f") is None


def test_one_line_of_another_size_among_boards_spoils_itself_alone() -> None:
    assert detect(["1..4" * 4, PUZZLE], "f").format == "lines"


@pytest.mark.parametrize(
    ("line", "are"),
    [
        (CANDIDATES[0], True),
        ("1 2 3 4 5 6 7 8 9", False),
        ("1 2 3 4 5 6 7 8 95", True),
        ("53..7....", False),
        ("12 3", False),
        ("", False),
    ],
)
def test_a_row_of_candidates_has_nine_cells_of_which_one_has_several(line: str, are: bool) -> None:
    assert is_candidates(line) is are
