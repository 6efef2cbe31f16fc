"""A puzzle as a JSON value: texts, grids and objects."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gridmill.chunk import Record
from gridmill.errors import BoardError
from gridmill.formats.json_board import Boards, board_of, is_puzzle

PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SOLUTION = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
NUMBERS = [int(sign) if sign != "." else 0 for sign in PUZZLE]


def rows(cells: list[object]) -> list[list[object]]:
    return [cells[at : at + 9] for at in range(0, 81, 9)]


def with_blank(blank: object) -> list[object]:
    return [number or blank for number in NUMBERS]


@pytest.mark.parametrize(
    "value",
    [
        PUZZLE,
        PUZZLE.replace(".", "0"),
        rows(with_blank(0)),
        rows(with_blank(None)),
        rows(with_blank("")),
        rows(with_blank(".")),
        rows([str(number) for number in NUMBERS]),
        with_blank(0),
        [PUZZLE[at : at + 9] for at in range(0, 81, 9)],
    ],
)
def test_texts_and_grids_of_every_kind_are_boards(value: object) -> None:
    assert board_of(json.dumps(value)) == PUZZLE
    assert is_puzzle(value) or isinstance(value, list)


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        (PUZZLE[1:], "80 cells instead of 81"),
        (rows(with_blank(0))[1:], "a grid has 9 rows of 9 cells, not 8 rows of 9 cells"),
        ([*rows(with_blank(0))[1:], [1]], "not 9 rows of 1 or 9 cells"),
        ([], "not 0 rows of no cells"),
        (rows([10, *with_blank(0)[1:]]), "r1c1 is 10, no cell"),
        (rows([5.5, *with_blank(0)[1:]]), "r1c1 is 5.5, no cell"),
        (rows([True, *with_blank(0)[1:]]), "r1c1 is True, no cell"),
        (rows([False, *with_blank(0)[1:]]), "r1c1 is False, no cell"),
        (rows([-1, *with_blank(0)[1:]]), "r1c1 is -1, no cell"),
        (rows(["a", *with_blank(0)[1:]]), "r1c1 is 'a', neither a digit 1-9 nor a blank"),
        (rows([{}, *with_blank(0)[1:]]), "r1c1 is an object, no cell"),
        (5, "a puzzle is a text or a grid, not 5"),
        (None, "not None"),
        ({}, "not an object"),
    ],
)
def test_what_is_no_board_is_told_with_its_place(value: object, reason: str) -> None:
    with pytest.raises(BoardError) as wrong:
        board_of(json.dumps(value))
    assert reason in str(wrong.value)


@pytest.mark.parametrize("key", ["puzzle", "Puzzle", "quizzes", "board", "question"])
def test_an_object_has_its_puzzle_in_the_field_that_is_named_for_it(key: str) -> None:
    text = json.dumps({"id": 7, key: PUZZLE, "solution": SOLUTION, "rating": 1.5})
    boards = Boards([text], None)
    assert boards.columns == ("solution", "rating")
    assert boards.record(3, text) == Record(3, PUZZLE, None, "7", (SOLUTION, "1.5"))


def test_a_field_can_be_demanded() -> None:
    text = json.dumps({"puzzle": "x", "start": PUZZLE})
    assert Boards([text], "start").record(1, text) == Record(1, PUZZLE, None, "", ("x",))


def test_fields_are_carried_as_they_stand_there() -> None:
    text = f'{{"puzzle": "{PUZZLE}", "a": 1.50, "b": null, "c": [1, {{"d": "é"}}], "e": "a\\"b\\n", "f": true}}'
    assert Boards([text], None).record(1, text).extras == ("1.50", "", '[1, {"d": "é"}]', 'a"b\n', "true")


def test_columns_are_those_of_all_samples_and_others_are_passed_over() -> None:
    first, second = (json.dumps({"puzzle": PUZZLE, key: key}) for key in "ab")
    boards = Boards([first, second], None)
    assert boards.columns == ("a", "b")
    assert boards.record(1, second).extras == ("", "b")
    assert boards.record(1, json.dumps({"puzzle": PUZZLE, "c": 1})).extras == ("", "")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('{"a": 1}', "the object has no field with a puzzle (puzzle); it has a"),
        ("{", "it cannot be read as JSON"),
        ('{"puzzle": 1}', "a puzzle is a text or a grid, not 1"),
        ("\0", "a NUL byte"),
        ("x" * 70_000, "it has 65,536 characters or more"),
        ("[" * 60_000, "it cannot be read as JSON"),
        ('"\udcff"', "the byte 0xff is not UTF-8"),
        ('"\\ud800"', "it cannot be read as JSON"),
    ],
)
def test_a_value_that_is_no_puzzle_is_malformed(text: str, reason: str) -> None:
    fault = Boards([], None).record(1, text).fault
    assert fault is not None
    assert reason in fault.reason


@settings(deadline=None)
@given(st.text() | st.recursive(st.none() | st.integers() | st.text(), lambda v: st.lists(v)).map(json.dumps))
def test_any_text_is_a_record(text: str) -> None:
    record = Boards([text], None).record(1, text)
    assert (record.board is None) is (record.fault is not None)
