"""Lines that are no records."""

import pytest

from gridmill.formats.notes import is_note, is_title


@pytest.mark.parametrize("line", ["", "   ", "\t", "# note", "  # note", "#", "// note", "% note"])
def test_blank_lines_and_comments_are_notes(line: str) -> None:
    assert is_note(line)


@pytest.mark.parametrize("line", ["-" * 81, "*" * 81, "_" * 81, "?" * 81, "0" * 81, "rubbish", "/", "; x"])
def test_anything_else_is_no_note(line: str) -> None:
    assert not is_note(line)


@pytest.mark.parametrize(
    "line", ["Grid 01", "grid 50", "Puzzle #3", "Sudoku 7:", "No. 12", "Nr 3 (hard)", "SUDOKU", " Board 1 ", "Level 2"]
)
def test_a_word_for_a_puzzle_with_or_without_number_is_a_title(line: str) -> None:
    assert is_title(line)


@pytest.mark.parametrize("line", ["53..7....", "Grid of mine", "no puzzle here", "x" * 9, "Puzzle 1 " + "." * 81, "id"])
def test_what_says_more_or_less_is_no_title(line: str) -> None:
    assert not is_title(line)
