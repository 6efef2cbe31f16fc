"""Parquet is made of what was written before, when all of it is there."""

from pathlib import Path

import pytest

from gridmill.answers import Answer, Status
from gridmill.errors import FormatError
from gridmill.formats import parquet_out
from gridmill.formats.answers_file import read_answers
from gridmill.formats.parquet_out import ParquetWriter, finish, write_table
from gridmill.formats.row import FIELDS, Row
from gridmill.proof import Proof

pyarrow = pytest.importorskip("pyarrow", reason="the extra parquet is not installed")
from pyarrow.parquet import ParquetFile, read_table  # noqa: E402  # only where it is installed

PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SOLUTION = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"


def finished(tmp_path: Path, rows: list[Row], columns: tuple[str, ...] = ()) -> Path:
    writer, written, made = ParquetWriter(columns), tmp_path / "out.part", tmp_path / "out.made"
    written.write_bytes(writer.header() + writer.rows(rows))
    list(finish(written, made))
    return made


def test_a_row_has_our_fields_and_the_inputs_columns(tmp_path: Path) -> None:
    row = Row(2, 3, "=7", PUZZLE, Answer(Status.UNIQUE, SOLUTION, nodes=5, detail="é\n"), ("x", ""))
    table = read_table(finished(tmp_path, [row], ("note", "id")))
    assert table.column_names == [*FIELDS, "in_note", "in_id"]
    values = [2, 3, "=7", PUZZLE, "unique", "1", SOLUTION, "", 5, "é\n", "x", ""]
    assert list(table.to_pylist()[0].values()) == values
    assert [str(table.schema.field(name).type) for name in ("record", "nodes", "count")] == ["int64", "int64", "string"]


def test_no_rows_are_a_table_all_the_same(tmp_path: Path) -> None:
    assert read_table(finished(tmp_path, [], ("note",))).column_names == [*FIELDS, "in_note"]


def test_rows_without_extras_have_empty_ones(tmp_path: Path) -> None:
    table = read_table(finished(tmp_path, [Row(1, 1, "", PUZZLE, Answer(Status.NONE))], ("note",)))
    assert table.column("in_note").to_pylist() == [""]


def test_what_else_was_told_is_text_or_a_number(tmp_path: Path) -> None:
    told = ("solutions", "minimal", "redundant", "givens", "technique")
    said = [(SOLUTION, "no", "r1c1 r2c2", "30", "subset"), ("", "yes", "", "30", ""), ("", "", "", "", "")]
    writer, written, made = ParquetWriter((), told), tmp_path / "out.part", tmp_path / "out.made"
    rows = [Row(n, n, "", PUZZLE, Answer(Status.NONE), (), texts) for n, texts in enumerate(said, 1)]
    written.write_bytes(writer.header() + writer.rows(rows))

    list(finish(written, made))

    table = read_table(made)
    assert [[row[name] for name in told] for row in table.to_pylist()] == [
        [SOLUTION, "no", "r1c1 r2c2", 30, "subset"], ["", "yes", "", 30, ""], ["", "", "", None, ""],
    ]  # fmt: skip
    assert [str(table.schema.field(name).type) for name in told] == ["string", "string", "string", "int64", "string"]


def test_the_same_rows_give_the_same_file(tmp_path: Path) -> None:
    rows = [Row(n, n, "", PUZZLE, Answer(Status.NONE)) for n in range(1, 10)]
    assert finished(tmp_path, rows).read_bytes() == finished(tmp_path, rows).read_bytes()


@pytest.mark.parametrize(("limit", "value"), [("GROUP", 4), ("_GROUP_BYTES", 3 * 81)])
def test_rows_come_in_groups_of_a_limited_size(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limit: str, value: int
) -> None:
    monkeypatch.setattr(parquet_out, "BATCH", 2)
    monkeypatch.setattr(parquet_out, limit, value)
    steps = list(write_table(tmp_path / "t", ("puzzle",), ((PUZZLE,) for _ in range(10))))
    file = ParquetFile(tmp_path / "t")
    assert [file.metadata.row_group(at).num_rows for at in range(file.num_row_groups)] == [4, 4, 2]
    assert len(steps) == 3


def test_what_was_written_can_be_checked(tmp_path: Path) -> None:
    rows = [
        Row(1, 1, "", PUZZLE, Answer(Status.UNIQUE, SOLUTION)),
        Row(2, 2, "", "'x", Answer(Status.MALFORMED, detail="why")),
    ]
    answers = list(read_answers(str(finished(tmp_path, rows, ("note",)))))
    assert [(stated.record, stated.status, stated.solution) for stated in answers] == [
        (1, Status.UNIQUE, SOLUTION),
        (2, Status.MALFORMED, ""),
    ]
    assert list(Proof(answers)) == []


def test_a_table_without_solutions_cannot_be_checked(tmp_path: Path) -> None:
    list(write_table(tmp_path / "t", ("puzzle",), [(PUZZLE,)]))
    with pytest.raises(FormatError, match="has no columns with puzzles and solutions"):
        list(read_answers(str(tmp_path / "t")))
