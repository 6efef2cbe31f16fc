"""The column with the puzzles is found by what is in it."""

from collections.abc import Callable
from pathlib import Path

import pytest

from gridmill.errors import FormatError
from gridmill.formats.columns import recognise
from gridmill.formats.input import Input

PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
OTHER = "....8..79...419..5.6....28.7...2...64..8.3..18...6...3.98....6.6..195...53..7...."
SOLUTION = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"

Table = Callable[..., Input]


@pytest.fixture
def table(tmp_path: Path) -> Table:
    """``table(row, …, column=…)``: the input that a file of these rows is."""

    def made(*rows: str, column: str | None = None) -> Input:
        path = tmp_path / "t.csv"
        path.write_text("".join(f"{row}\n" for row in rows))
        return Input([str(path)], column=column)

    return made


@pytest.mark.parametrize("delimiter", [",", ";", "\t", " "])
def test_without_a_header_the_first_column_is_the_id_and_the_boards_are_the_puzzles(
    table: Table, delimiter: str
) -> None:
    rows = [delimiter.join(fields) for fields in (("a", PUZZLE, "1.2"), ("b", OTHER, "3"))]
    source = table(*rows)
    assert source.columns == ("column_3",)
    assert [(record.line, record.id, record.board, record.extras) for record in source.records()] == [
        (1, "a", PUZZLE, ("1.2",)),
        (2, "b", OTHER, ("3",)),
    ]
    assert source.formats[0].reason == "line 1 is a row of 3 fields with a board in column 2, without a header"


def test_a_first_column_that_says_the_same_twice_is_no_id(table: Table) -> None:
    source = table(f"easy,{PUZZLE}", f"easy,{OTHER}")
    assert source.columns == ("column_1",)
    assert [(record.id, record.extras) for record in source.records()] == [("", ("easy",)), ("", ("easy",))]


@pytest.mark.parametrize("row", [f"{PUZZLE},{SOLUTION}", f"{SOLUTION},{PUZZLE}", f"{PUZZLE};{SOLUTION}"])
def test_full_boards_beside_the_puzzles_are_the_solutions(table: Table, row: str) -> None:
    source = table(row)
    assert source.columns == ("solution",)
    assert [(record.board, record.extras) for record in source.records()] == [(PUZZLE, (SOLUTION,))]
    assert source.answers == (0,)


def test_what_is_behind_puzzles_at_uneven_widths_is_a_tail(table: Table) -> None:
    source = table(f"{PUZZLE},{SOLUTION}", f"{PUZZLE},{SOLUTION},one, two")
    assert source.formats[0].format == "lines"
    assert source.columns == ("tail",)


def test_a_header_of_unknown_words_gives_the_names(table: Table) -> None:
    source = table("ID,cells81,loesung", f"7,{PUZZLE},{SOLUTION}")
    assert source.columns == ("loesung",)
    assert [(record.id, record.board) for record in source.records()] == [("7", PUZZLE)]
    assert source.skipped == 1
    assert source.formats[0].reason.endswith("column 2, named by line 1")


@pytest.mark.parametrize("damaged", [PUZZLE[1:], PUZZLE + "1", "?" * 40, "12345"])
def test_a_damaged_first_row_is_a_record_and_no_header(table: Table, damaged: str) -> None:
    assert [record.board for record in table(f"1,{damaged}", f"2,{PUZZLE}").records()] == [None, PUZZLE]


def test_a_row_of_another_width_is_malformed_and_moves_no_other(table: Table) -> None:
    assert [record.board for record in table(f"1,{PUZZLE}", f"2,{PUZZLE},x", f"3,{OTHER}").records()] == [
        PUZZLE,
        None,
        OTHER,
    ]


def test_two_columns_of_puzzles_are_refused_and_not_guessed(table: Table) -> None:
    with pytest.raises(FormatError, match="has puzzles in its columns 2 and 3; say with --column NUMBER"):
        list(table(f"1,{PUZZLE},{OTHER}").records())


@pytest.mark.parametrize(("column", "board"), [("2", PUZZLE), ("3", OTHER)])
def test_a_column_can_be_demanded_by_its_number(table: Table, column: str, board: str) -> None:
    source = table(f"1,{PUZZLE},{OTHER}", column=column)
    assert [(record.id, record.board) for record in source.records()] == [("1", board)]


def test_a_number_works_under_a_header_too_and_the_header_is_no_record(table: Table) -> None:
    source = table("key,first,second", f"1,{PUZZLE},{OTHER}", column="3")
    assert [record.board for record in source.records()] == [OTHER]
    assert source.columns == ("key", "first")


def test_a_column_that_is_named_by_a_number_goes_before_its_place(table: Table) -> None:
    assert [record.board for record in table("2,x,1", f"{PUZZLE},y,z", column="2").records()] == [PUZZLE]


@pytest.mark.parametrize("column", ["0", "4", "999999999999"])
def test_a_number_that_is_too_large_is_refused(table: Table, column: str) -> None:
    with pytest.raises(FormatError, match="has no column"):
        list(table(f"1,{PUZZLE},{OTHER}", column=column).records())


def test_two_columns_named_for_puzzles_are_refused_when_both_hold_some(table: Table) -> None:
    with pytest.raises(FormatError, match="has puzzles in its columns 'Board' and 'puzzle'; say with --column NAME"):
        list(table("Board,puzzle", f"{PUZZLE},{OTHER}").records())


@pytest.mark.parametrize("row", [f"Hard one,{PUZZLE}", f"{SOLUTION},{PUZZLE}"])
def test_of_two_columns_named_for_puzzles_the_one_that_holds_some_is_meant(table: Table, row: str) -> None:
    assert [record.board for record in table("puzzle,grid", row).records()] == [PUZZLE]


@pytest.mark.parametrize("head", [[], ["rubbish"], ["a,b"], [PUZZLE], [f"{PUZZLE},x"], [f"{PUZZLE},{OTHER}"]])
def test_other_files_are_no_tables(head: list[str]) -> None:
    assert recognise(head, "f") is None
