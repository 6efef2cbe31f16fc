"""Which format an answers file gets."""

import pytest

from gridmill.answers import Answer, Status
from gridmill.errors import SettingsError
from gridmill.formats import parquet
from gridmill.formats.output import WRITERS, choose_format, writer
from gridmill.formats.row import Row


@pytest.mark.parametrize(
    ("out", "name"),
    [
        ("out.csv", "csv"),
        ("OUT.CSV", "csv"),
        ("out.jsonl", "jsonl"),
        ("out.ndjson", "jsonl"),
        ("out.txt", "lines"),
        ("out.sdm", "sdm"),
        ("out.parquet", "parquet"),
        ("out.csv.gz", "csv.gz"),
        ("out.TXT.GZ", "lines.gz"),
        ("out.gz", "csv.gz"),
        ("-", "csv"),
        ("out", "csv"),
        ("out.answers", "csv"),
        ("folder.txt/out", "csv"),
    ],
)
def test_the_ending_chooses_the_format_and_csv_is_the_default(out: str, name: str) -> None:
    assert choose_format(None, out) == name


def test_a_name_goes_before_the_ending() -> None:
    assert choose_format("counts", "out.csv") == "counts"


def test_an_unknown_name_is_an_error_that_lists_those_there_are() -> None:
    with pytest.raises(
        SettingsError, match="no output format 'xml'; there are csv, jsonl, lines, counts, sdm, parquet"
    ):
        choose_format("xml", "out.csv")


@pytest.mark.parametrize("out", ["out.csv.xz", "out.json", "out.json.gz", "out.xlsx", "out.zip", "out.pdf"])
def test_an_ending_of_a_format_that_is_not_written_is_refused(out: str) -> None:
    with pytest.raises(SettingsError, match="is not written; say --format"):
        choose_format(None, out)


@pytest.mark.parametrize(
    ("name", "out", "reason"),
    [
        ("parquet.gz", "out", "parquet.gz is not written, for parquet is packed already; leave .gz away"),
        (None, "out.parquet.gz", "parquet is packed already"),
        ("parquet", "-", "parquet cannot go to standard output.*; say -o FILE"),
    ],
)
def test_parquet_is_made_at_the_end_and_packs_itself(name: str | None, out: str, reason: str) -> None:
    with pytest.raises(SettingsError, match=reason):
        choose_format(name, out)


def test_without_its_package_parquet_is_refused_before_anything_is_solved(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parquet, "is_there", lambda: False)
    with pytest.raises(SettingsError, match=r"Parquet needs a package .*pip install 'gridmill\[parquet\]'"):
        choose_format("parquet", "out.parquet")


@pytest.mark.parametrize("name", WRITERS)
def test_what_is_written_in_parts_is_what_is_written_at_once(name: str) -> None:
    made = writer(name, ["note"])
    rows = [Row(n, n, "id", "." * 81, Answer(Status.UNDECIDED, nodes=n), ("x",)) for n in range(1, 5)]
    assert made.rows(rows[:1]) + made.rows([]) + made.rows(rows[1:]) == made.rows(rows)


@pytest.mark.parametrize("name", WRITERS)
@pytest.mark.parametrize("status", Status)
def test_every_status_is_written_as_one_line(name: str, status: Status) -> None:
    row = Row(1, 1, "", "." * 81, Answer(status))
    assert writer(name, []).rows([row]).count(b"\n") == 1
