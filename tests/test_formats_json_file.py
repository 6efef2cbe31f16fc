"""JSON files: arrays of puzzles, wrapped or not, and single ones."""

import gzip
import json
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest

from gridmill.errors import FormatError
from gridmill.formats.input import Input

PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
OTHER = "....8..79...419..5.6....28.7...2...64..8.3..18...6...3.98....6.6..195...53..7...."
GRID = [[int(sign) if sign != "." else 0 for sign in PUZZLE[at : at + 9]] for at in range(0, 81, 9)]
ROWS = [PUZZLE[at : at + 9] for at in range(0, 81, 9)]

Read = Callable[..., Input]


@pytest.fixture
def read(tmp_path: Path) -> Read:
    """``read(text)``: the input that a file with this text is; ``column``: the demanded one."""

    def made(text: str, column: str | None = None) -> Input:
        path = tmp_path / "f"
        path.write_text(text)
        return Input([str(path)], column=column)

    return made


@pytest.mark.parametrize("indent", [None, 1])
@pytest.mark.parametrize(
    "value",
    [
        [PUZZLE, OTHER],
        [GRID, OTHER],
        [{"puzzle": PUZZLE}, {"puzzle": OTHER}],
        [[cell for row in GRID for cell in row], OTHER],
        [ROWS, OTHER],
        {"puzzles": [PUZZLE, OTHER]},
        {"tags": ["a", "b"], "none": [], "deep": [[1, 2], {"a": [3]}], "puzzles": [PUZZLE, OTHER]},
        {"version": 1, "by": {"name": "me"}, "data": [{"board": GRID}, {"board": OTHER}], "more": [1, 2]},
    ],
)
def test_each_element_of_the_array_is_a_record(read: Read, value: object, indent: int | None) -> None:
    source = read(json.dumps(value, indent=indent))
    assert [record.board for record in source.records()] == [PUZZLE, OTHER]
    assert source.formats[0].format == "json"


@pytest.mark.parametrize("indent", [None, 1])
@pytest.mark.parametrize("value", [GRID, ROWS, [cell for row in GRID for cell in row], {"puzzle": GRID}])
def test_a_single_puzzle_is_one_record(read: Read, value: object, indent: int | None) -> None:
    assert [record.board for record in read(json.dumps(value, indent=indent)).records()] == [PUZZLE]


@pytest.mark.parametrize("board", [PUZZLE, GRID, ROWS])
def test_the_solutions_of_a_single_puzzle_are_no_puzzles(read: Read, board: object) -> None:
    source = read(json.dumps({"solutions": [OTHER, OTHER], "puzzle": board}))
    assert [(record.board, record.extras) for record in source.records()] == [(PUZZLE, (json.dumps([OTHER, OTHER]),))]


def test_a_puzzle_beside_an_array_of_puzzles_is_refused(read: Read) -> None:
    with pytest.raises(FormatError, match="there are puzzles in 'more' and in 'puzzle'; give one array"):
        _ = read(json.dumps({"more": [OTHER], "puzzle": PUZZLE})).formats


def test_ids_and_other_fields_are_carried(read: Read) -> None:
    source = read(json.dumps([{"id": "a", "puzzle": PUZZLE, "rank": 1}, {"id": "b", "puzzle": OTHER, "by": "me"}]))
    assert source.columns == ("rank", "by")
    assert [(record.id, record.extras) for record in source.records()] == [("a", ("1", "")), ("b", ("", "me"))]


@pytest.mark.parametrize("parted", ["[{},{}]", "{}\n{}\n"])
def test_the_puzzles_field_can_be_demanded(read: Read, parted: str) -> None:
    values = (json.dumps({"start": board, "puzzle": "?"}) for board in (PUZZLE, OTHER))
    source = read(parted.format(*values), column="start")
    assert [record.board for record in source.records()] == [PUZZLE, OTHER]
    assert source.columns == ("puzzle",)


@pytest.mark.parametrize("parted", ["[{},{}]", "{}\n{}\n"])
def test_a_demanded_field_that_is_not_there_is_an_error_with_those_that_are(read: Read, parted: str) -> None:
    value = json.dumps({"start": PUZZLE, "level": 1})
    with pytest.raises(FormatError, match=r"f has no field 'end'; its first puzzles have: start, level$"):
        list(read(parted.format(value, value), column="end").records())


@pytest.mark.parametrize("parted", ["[{},{}]", "{}\n{}\n"])
def test_puzzles_in_two_fields_are_refused(read: Read, parted: str) -> None:
    value = json.dumps({"board": GRID, "puzzle": PUZZLE})
    with pytest.raises(FormatError, match="f has puzzles in its fields 'board' and 'puzzle'; say with --column NAME"):
        list(read(parted.format(value, value)).records())


def test_of_two_fields_with_names_of_puzzles_the_one_that_has_some_is_meant(read: Read) -> None:
    assert [r.board for r in read(json.dumps([{"puzzle": "No. 5", "board": PUZZLE}])).records()] == [PUZZLE]


def test_a_record_has_the_line_where_its_value_begins(read: Read) -> None:
    assert [record.line for record in read(f'[\n"{PUZZLE}",\n\n"{OTHER}"]').records()] == [2, 4]


def test_an_element_that_is_no_puzzle_is_malformed_and_moves_no_other(read: Read) -> None:
    records = list(read(json.dumps([PUZZLE, PUZZLE[1:], {"a": 1}, 5, OTHER])).records())
    assert [record.board for record in records] == [PUZZLE, None, None, None, OTHER]


@pytest.mark.parametrize("parted", ["[{},{}]", "{}\n{}\n"])
def test_a_number_that_is_too_long_for_python_spoils_nothing(read: Read, parted: str) -> None:
    long = "7" * 6000
    value = f'{{"puzzle": "{PUZZLE}", "rank": {long}}}'
    records = read(parted.format(value, value)).records()
    assert [(record.board, record.extras) for record in records] == [(PUZZLE, (long,))] * 2


@pytest.mark.parametrize("parted", ["[{},{}]", "{}\n{}\n"])
@pytest.mark.parametrize("board", [-1, [-1] + [0] * 80, [[-1] + [0] * 8] + [[0] * 9] * 8])
def test_a_board_with_such_a_number_spoils_only_itself(read: Read, board: object, parted: str) -> None:
    bad = json.dumps({"puzzle": board}).replace("-1", "7" * 6000)
    records = read(parted.format(bad, json.dumps({"puzzle": PUZZLE}))).records()
    assert [record.board for record in records] == [None, PUZZLE]


@pytest.mark.parametrize("text", ["[]", " [ ] ", '{"puzzles": []}'])
def test_an_empty_array_has_no_records(read: Read, text: str) -> None:
    assert [record.board for record in read(text).records()] in ([], [None])


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (f'["{PUZZLE}" "{OTHER}"]', "line 1: here belongs , or ], not"),
        (f'["{PUZZLE}",', "line 1: a value is broken or not closed"),
        (f'["{PUZZLE}"] x', "line 1: 'x' follows behind the end"),
        (f'{{"a": ["{PUZZLE}"], "b": ["{PUZZLE}"]}}', "there are puzzles in 'a' and in 'b'; give one array"),
        ('{"size": 9, "grid": [[{"value": 1}]]}', "is a puzzle of f-puzzles; export it as 81 characters"),
        ('{"cells": [[{}]], "regions": []}', "is a puzzle of SudokuPad"),
    ],
)
def test_broken_and_foreign_files_are_refused(read: Read, text: str, reason: str) -> None:
    with pytest.raises(FormatError) as refused:
        list(read(text).records())
    assert reason in str(refused.value)


def test_two_arrays_of_puzzles_are_refused_before_one_is_read(read: Read) -> None:
    with pytest.raises(FormatError, match="there are puzzles in 'a' and in 'b'; give one array"):
        _ = read(json.dumps({"a": [PUZZLE], "n": [1, [2]], "b": [PUZZLE]})).formats


def test_a_second_array_behind_the_head_is_refused_when_it_comes(read: Read) -> None:
    records = read(json.dumps({"a": [PUZZLE] * 5000, "b": [PUZZLE]})).records()
    assert next(records).board == PUZZLE
    with pytest.raises(FormatError, match="there are puzzles in 'a' and in 'b'; give one array"):
        list(records)


def test_what_is_good_before_a_broken_place_is_read(read: Read) -> None:
    records = read(f'["{PUZZLE}",\n"{OTHER}",\n}}').records()
    assert [next(records).board, next(records).board] == [PUZZLE, OTHER]
    with pytest.raises(FormatError, match="line 3"):
        next(records)


@pytest.mark.parametrize("text", ["[Puzzle]\n" + "\n".join(ROWS), "{not json", "[5 3 . . 7"])
def test_what_only_begins_like_json_is_another_format(read: Read, text: str) -> None:
    assert read(text).formats[0].format != "json"


@pytest.mark.parametrize("indent", [None, 1])
def test_memory_does_not_grow_with_the_array(tmp_path: Path, indent: int | None) -> None:
    path = tmp_path / "large"
    path.write_bytes(gzip.compress(json.dumps([{"id": "x", "puzzle": PUZZLE}] * 20_000, indent=indent).encode(), 1))
    tracemalloc.start()
    try:
        assert sum(1 for record in Input([str(path)]).records() if record.board) == 20_000
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 3_500_000  # bytes; the file has 2 MB, and without it this takes up to 2.8 MB
