"""HoDoKu's library lines."""

import pytest

from gridmill.chunk import Record
from gridmill.formats.hodoku import COLUMNS, Library, recognise
from gridmill.formats.reader import Tally

PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
LINE = f":0361:4:{PUZZLE}:434 441:411:r7c39 r6c1b9 fr3c3"


def read(*lines: str) -> list[Record]:
    return list(Library().records(lines, Tally()))


def test_everything_around_the_cells_is_carried() -> None:
    assert read(LINE) == [Record(1, PUZZLE, None, "", ("0361", "4", "434 441", "411", "r7c39 r6c1b9 fr3c3"))]


@pytest.mark.parametrize("line", [f":0000:x:{PUZZLE}:::", f":0000:x:{PUZZLE}:", f":0000:x:{PUZZLE}"])
def test_fields_may_be_empty_or_missing(line: str) -> None:
    assert read(line) == [Record(1, PUZZLE, None, "", ("0000", "x", "", "", ""))]


def test_colons_in_the_comment_belong_to_it() -> None:
    assert read(LINE + ":a:b")[0].extras[-1] == "r7c39 r6c1b9 fr3c3:a:b"


def test_cells_that_were_filled_while_solving_are_no_givens() -> None:
    filled = PUZZLE[:2] + "+4+6" + PUZZLE[4:]
    assert read(f":0000:x:{filled}:::")[0].board == PUZZLE[:2] + ".." + PUZZLE[4:]


@pytest.mark.parametrize("line", ["rubbish", ":", ":0000:x", f":0000:x:{PUZZLE[1:]}:::", f"x:0000:x:{PUZZLE}:", "\0"])
def test_what_is_no_entry_is_malformed_and_moves_no_other(line: str) -> None:
    records = read(LINE, line, LINE)
    assert [record.board for record in records] == [PUZZLE, None, PUZZLE]
    assert records[1].extras == ("",) * len(COLUMNS)


def test_comments_are_skipped() -> None:
    tally = Tally()
    assert len(list(Library().records(["# Hidden Single", LINE], tally))) == 1
    assert tally.skipped == 1


def test_it_is_seen_at_the_first_entry() -> None:
    found = recognise(["# note", "rubbish", LINE])
    assert found is not None
    assert (found.at, found.format, found.reason) == (2, "hodoku", "line 3 is a HoDoKu library entry")


@pytest.mark.parametrize("line", [PUZZLE, f"{PUZZLE}:1:", ":0000:x:123:", ""])
def test_other_lines_are_not_taken_for_entries(line: str) -> None:
    assert recognise([line]) is None
