"""The report as a page."""

import os
import re
from pathlib import Path

import pytest

from gridmill.answers import Answer, Status
from gridmill.errors import OutputError, OutputRefused, SettingsError
from gridmill.formats.output import writer
from gridmill.formats.row import Row
from gridmill.questions import Questions
from gridmill.report import check, check_form, make, write

PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SOLUTION = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
SITTINGS = [[(0.0, 0), (2.0, 1)], [(0.0, 1), (1.0, 2)]]


def answers(path: Path, said: list[Answer], puzzle: str = PUZZLE) -> Path:
    made = writer("csv", [])
    path.write_bytes(made.header() + made.rows(Row(n, n, "", puzzle, one) for n, one in enumerate(said, 1)))
    return path


def headings(page: str) -> list[str]:
    return re.findall("<h2[^>]*>(.*?)</h2>", page)


def test_what_did_not_occur_has_no_section(tmp_path: Path) -> None:
    page = make(answers(tmp_path / "a.csv", [Answer(Status.UNIQUE, SOLUTION)]))
    assert headings(page) == ["Totals", "Difficulty", "Givens"]


def test_techniques_have_a_chart_where_the_file_has_them(tmp_path: Path) -> None:
    made = writer("csv", [], Questions(difficulty=True))
    row = Row(1, 1, "", PUZZLE, Answer(Status.UNIQUE, SOLUTION), (), ("30", "subset"))
    (tmp_path / "a.csv").write_bytes(made.header() + made.rows([row]))

    page = make(tmp_path / "a.csv")

    assert headings(page) == ["Totals", "Difficulty", "Hardest technique", "Givens"]
    found = re.findall(r'<th scope="row">([a-z ]+)</th><td class="number">(\d+)</td>', page)
    assert [row for row in found if row[0] != "unique"] == [
        ("naked single", "0"), ("hidden single", "0"), ("locked candidates", "0"), ("subset", "1"), ("search", "0"),
    ]  # fmt: skip


def test_a_report_about_nothing_is_a_report(tmp_path: Path) -> None:
    assert headings(make(answers(tmp_path / "a.csv", []))) == ["Totals"]


def test_the_rate_is_of_each_span_between_two_looks(tmp_path: Path) -> None:
    page = make(answers(tmp_path / "a.csv", [Answer(Status.UNIQUE, SOLUTION)] * 2), sittings=SITTINGS)
    spans = re.findall(r'<th scope="row">(\S+ to \S+)</th><td class="number">(\S+)</td>', page)
    assert spans == [("0.0 to 2.0", "0"), ("2.0 to 3.0", "1")]


def test_how_fast_another_run_was_is_not_shown(tmp_path: Path) -> None:
    page = make(answers(tmp_path / "a.csv", [Answer(Status.UNIQUE, SOLUTION)] * 3), sittings=SITTINGS)
    assert "Rate over time" not in headings(page)


def test_what_is_rare_is_not_nothing(tmp_path: Path) -> None:
    said = [Answer(Status.UNIQUE, SOLUTION)] * 2000 + [Answer(Status.NONE)]
    assert "&lt;0.1%" in make(answers(tmp_path / "a.csv", said))


def test_a_page_stays_small(tmp_path: Path) -> None:
    # Given 20,000 records that are no puzzles, each of 300 characters
    few, many = (
        make(answers(tmp_path / "a.csv", [Answer(Status.MALFORMED, detail="bad")] * number, "x" * 300))
        for number in (50, 20_000)
    )
    # Then
    assert len(many) - len(few) < 200


def test_a_file_that_is_there_is_not_overwritten(tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    page.write_text("mine")
    with pytest.raises(OutputRefused, match="--force"):
        check(page, force=False)
    check(page, force=True)


def test_a_folder_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(OutputRefused, match="folder"):
        check(tmp_path / "nowhere" / "report.html", force=True)


@pytest.mark.parametrize("form", ["lines", "counts.gz", "sdm"])
def test_a_form_that_leaves_out_too_much_is_refused(form: str) -> None:
    with pytest.raises(SettingsError, match="csv, jsonl, parquet"):
        check_form(form)


def test_a_page_is_put_into_its_place(tmp_path: Path) -> None:
    write("é", tmp_path / "report.html")
    assert [path.name for path in tmp_path.iterdir()] == ["report.html"]
    assert (tmp_path / "report.html").read_text("utf-8") == "é"


def test_a_report_leaves_the_unfinished_output_of_its_name_alone(tmp_path: Path) -> None:
    (tmp_path / "b.csv.part").write_text("rows")
    write("<html>", tmp_path / "b.csv")
    assert (tmp_path / "b.csv.part").read_text() == "rows"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["b.csv", "b.csv.part"]


def test_what_is_no_file_is_never_replaced_by_a_report(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(OutputRefused, match="is no regular file"):
        check(tmp_path / "pipe", force=True)
    with pytest.raises(OutputError, match="is no regular file"):
        write("<html>", tmp_path / "pipe")
    assert (tmp_path / "pipe").is_fifo()


def test_a_report_that_cannot_be_written_says_how_to_have_it(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match=r"there is no folder .*; gridmill report makes it anew"):
        write("<html>", tmp_path / "nowhere" / "report.html")
