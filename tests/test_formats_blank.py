"""Any sign may stand for a blank, if it is demanded; what is carried stays as it stood."""

import json
from pathlib import Path

import pytest

from gridmill.chunk import Record
from gridmill.errors import FormatError
from gridmill.formats.input import Input

PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"


def read(path: Path, text: str, sign: str) -> list[Record]:
    path.write_text(text)
    return list(Input([str(path)], blank=sign).records())


@pytest.mark.parametrize("sign", ["#", "~", "B", " ", "·", "0", "."])
def test_a_line_with_the_sign_is_a_board(tmp_path: Path, sign: str) -> None:
    assert read(tmp_path / "f", PUZZLE.replace(".", sign) + "\n", sign) == [Record(1, PUZZLE)]


def test_points_and_signs_in_other_columns_stay_what_they_are(tmp_path: Path) -> None:
    text = f"id,puzzle,note\na.1#,{PUZZLE.replace('.', '#')},1.5 #2\n"
    assert read(tmp_path / "f", text, "#") == [Record(2, PUZZLE, None, "a.1#", ("1.5 #2",))]


def test_a_fault_is_told_in_the_words_of_the_file(tmp_path: Path) -> None:
    # Given a board with a point in it, where # is the blank
    cells = PUZZLE.replace(".", "#")
    records = read(tmp_path / "f", f"{cells}\n.{cells[1:]}\n", "#")
    # Then the point is named
    assert records[1].fault is not None
    assert records[1].fault.reason == "'.' is neither a digit 1-9 nor a blank"
    assert records[1].fault.text == "." + cells[1:]


def test_it_works_inside_json(tmp_path: Path) -> None:
    text = json.dumps([{"puzzle": PUZZLE.replace(".", "#"), "rank": 1.5}])
    assert read(tmp_path / "f", text, "#") == [Record(1, PUZZLE, None, "", ("1.5",))]


def test_a_fault_inside_json_is_told_in_the_words_of_the_file(tmp_path: Path) -> None:
    record = read(tmp_path / "f", json.dumps(["." + PUZZLE[1:].replace(".", "#")]), "#")[0]
    assert record.fault is not None
    assert record.fault.reason == "'.' is neither a digit 1-9 nor a blank"


@pytest.mark.parametrize("sign", ["", "..", "5", "\n", "\x1b"])
def test_what_can_be_no_blank_is_refused(sign: str) -> None:
    with pytest.raises(FormatError, match="is no sign for a blank; give one character"):
        Input(["f"], blank=sign)
