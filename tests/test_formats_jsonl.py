"""JSON lines carry the same fields as CSV, and text exactly."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gridmill.answers import Answer, Status
from gridmill.chunk import Record
from gridmill.formats.jsonl import Jsonl, JsonlWriter, recognise
from gridmill.formats.reader import Tally
from gridmill.formats.row import FIELDS, Row

PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SOLUTION = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"


def test_a_line_is_an_object_with_our_fields_in_their_order() -> None:
    row = Row(2, 3, "7", PUZZLE, Answer(Status.UNIQUE, SOLUTION, nodes=5))
    said = json.loads(JsonlWriter([]).rows([row]))
    assert tuple(said) == FIELDS
    assert list(said.values()) == [2, 3, "7", PUZZLE, "unique", "1", SOLUTION, "", 5, ""]


def test_the_inputs_columns_are_an_object_of_their_own() -> None:
    row = Row(1, 1, "", PUZZLE, Answer(Status.NONE), ("a", "b"))
    assert json.loads(JsonlWriter(["id", "note"]).rows([row]))["in"] == {"id": "a", "note": "b"}


def test_a_row_without_extras_has_empty_ones() -> None:
    row = Row(1, 1, "", PUZZLE, Answer(Status.NONE))
    assert json.loads(JsonlWriter(["note"]).rows([row]))["in"] == {"note": ""}


def test_there_is_no_header() -> None:
    assert JsonlWriter(["note"]).header() == b""


@given(st.lists(st.text(st.characters(codec="utf-8"))))
def test_any_text_is_carried_exactly_on_one_line_each(texts: list[str]) -> None:
    rows = [Row(1, 1, text, PUZZLE, Answer(Status.CLASH), (text,)) for text in texts]
    lines = JsonlWriter(["note"]).rows(rows).decode().split("\n")
    assert lines.pop() == ""
    assert [(json.loads(line)["id"], json.loads(line)["in"]["note"]) for line in lines] == [(t, t) for t in texts]


def read(*lines: str) -> list[Record]:
    found = recognise(lines, "f", None)
    assert found is not None
    assert isinstance(found.reader, Jsonl)
    return list(found.reader.records(lines, Tally()))


@pytest.mark.parametrize("first", [f'{{"puzzle": "{PUZZLE}"}}', f'"{PUZZLE}"', json.dumps(list(PUZZLE))])
def test_each_line_is_a_record(first: str) -> None:
    assert [record.board for record in read(first, "", first)] == [PUZZLE, PUZZLE]


def test_a_broken_line_spoils_only_itself() -> None:
    line = json.dumps({"id": "a", "puzzle": PUZZLE, "rank": 4})
    records = read(line, line[:50], line)
    assert [record.board for record in records] == [PUZZLE, None, PUZZLE]
    assert [record.line for record in records] == [1, 2, 3]
    assert records[2] == Record(3, PUZZLE, None, "a", ("4",))


def test_a_broken_first_line_spoils_only_itself() -> None:
    line = json.dumps({"puzzle": PUZZLE})
    assert [record.board for record in read(line[:50], line, line)] == [None, PUZZLE, PUZZLE]


@pytest.mark.parametrize(
    "head", [[], ["[", f'"{PUZZLE}"', "]"], ['{"puzzle":', f'"{PUZZLE}"}}'], ['"x"'], ["12", "12"], [PUZZLE]]
)
def test_other_files_are_not_taken_for_json_lines(head: list[str]) -> None:
    assert recognise(head, "f", None) is None


def test_what_was_written_can_be_read() -> None:
    row = Row(1, 1, "a", PUZZLE, Answer(Status.UNIQUE, SOLUTION), ("x",))
    line = JsonlWriter(("c",)).rows([row]).decode().strip()
    assert [(record.id, record.board) for record in read(line, line)] == [("a", PUZZLE)] * 2
