"""Which format an answers file gets."""

import pytest

from gridmill.answers import Answer, Status
from gridmill.errors import SettingsError
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
    with pytest.raises(SettingsError, match="no output format 'xml'; there are csv, jsonl, lines, counts"):
        choose_format("xml", "out.csv")


@pytest.mark.parametrize("out", ["out.csv.gz", "out.parquet", "out.json", "out.xlsx"])
def test_an_ending_of_a_format_that_is_not_written_is_refused(out: str) -> None:
    with pytest.raises(SettingsError, match="is not written; say --format"):
        choose_format(None, out)


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
