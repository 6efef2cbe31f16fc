"""JSON lines carry the same fields as CSV, and text exactly."""

import json

from hypothesis import given
from hypothesis import strategies as st

from gridmill.answers import Answer, Status
from gridmill.formats.jsonl import JsonlWriter
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
