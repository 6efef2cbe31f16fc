"""Files of puzzles: what is read is what was there, in every format that is written."""

import gzip
import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gridmill.chunk import Fault, Record
from gridmill.errors import SettingsError
from gridmill.formats.input import Input
from gridmill.formats.puzzles import FORMATS, blocks, choose_puzzle_format, to_parquet

PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
BROKEN = Fault(0, "80 cells instead of 81", PUZZLE[1:])
RECORDS = [
    Record(1, PUZZLE, None, "a", ("x",)),
    Record(2, None, BROKEN, "b", ("",)),
    Record(3, PUZZLE, None, "", ("y",)),
]
TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=9)


def written(records: list[Record], columns: tuple[str, ...], form: str) -> bytes:
    return b"".join(blocks(records, columns, form))


def test_a_table_has_id_puzzle_and_the_inputs_columns() -> None:
    text = written(RECORDS, ("note",), "csv").decode()
    assert text == f"id,puzzle,note\na,{PUZZLE},x\nb,{PUZZLE[1:]},\n,{PUZZLE},y\n"


def test_a_column_that_is_called_like_ours_gets_a_number() -> None:
    assert written([], ("puzzle", "id"), "csv") == b"id,puzzle,puzzle_2,id_2\n"


def test_json_lines_are_objects() -> None:
    lines = written(RECORDS, ("note",), "jsonl").decode().splitlines()
    assert json.loads(lines[0]) == {"id": "a", "puzzle": PUZZLE, "note": "x"}
    assert json.loads(lines[1]) == {"id": "b", "puzzle": PUZZLE[1:], "note": ""}


@pytest.mark.parametrize(("form", "blank"), [("lines", "."), ("sdm", "0")])
def test_where_lines_are_boards_a_broken_one_is_marked_in_its_place(form: str, blank: str) -> None:
    board = PUZZLE.replace(".", blank)
    assert written(RECORDS, ("note",), form).decode().split() == [board, "<malformed>", board]


@pytest.mark.parametrize("form", FORMATS)
def test_packed_it_is_the_same(form: str) -> None:
    assert gzip.decompress(written(RECORDS, ("note",), f"{form}.gz")) == written(RECORDS, ("note",), form)


@pytest.mark.parametrize("form", [*FORMATS, "parquet"])
def test_what_was_written_is_read(form: str, tmp_path: Path) -> None:
    path = tmp_path / "set"
    if form == "parquet":
        pytest.importorskip("pyarrow")
        to_parquet(path, RECORDS, ("note",))
    else:
        path.write_bytes(written(RECORDS, ("note",), form))
    source = Input([str(path)])
    read = list(source.records())
    assert [record.board for record in read] == [PUZZLE, None, PUZZLE]
    if form in ("csv", "jsonl", "parquet"):
        assert source.columns == ("note",)
        assert [(record.id, record.extras) for record in read] == [("a", ("x",)), ("b", ("",)), ("", ("y",))]


@settings(deadline=None)
@given(texts=st.lists(st.tuples(TEXTS, TEXTS), min_size=1, max_size=5))
def test_any_texts_are_carried_through_json_lines(
    tmp_path_factory: pytest.TempPathFactory, texts: list[tuple[str, str]]
) -> None:
    path = tmp_path_factory.mktemp("any") / "set.jsonl"
    records = [Record(at, PUZZLE, None, number, (note,)) for at, (number, note) in enumerate(texts, 1)]
    path.write_bytes(written(records, ("note",), "jsonl") * 2)
    read = list(Input([str(path)]).records())
    assert [(record.id, record.extras[0]) for record in read] == texts * 2


def test_a_format_of_answers_is_none_of_puzzles() -> None:
    assert choose_puzzle_format(None, "a.sdm.gz") == "sdm.gz"
    with pytest.raises(SettingsError, match="counts is for answers; puzzles can be written as csv, jsonl, lines, sdm"):
        choose_puzzle_format("counts", "-")
