"""How a run ended, in a table and as an exit code."""

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from collector.progress import Progress
from gridmill.cli.screen import Screen
from gridmill.cli.summary import code, conclude, rows
from gridmill.sitting import Summary


def summary(counts: dict[str, int], *, finished: bool = True, signal: int = 0) -> Summary:
    written = sum(counts.values())
    progress = Progress(written=written, enqueued=written, total=written, counts=Counter(counts))
    return Summary("abcdefghjk", finished, progress, seconds=2.0, written=written, signal=signal, skipped=3)


def test_the_table_has_every_status_that_occurred_and_no_other() -> None:
    names = [name for name, _ in rows(summary({"unique": 5, "clash": 2}), Path("a.csv"))]
    assert "unique" in names
    assert "clash" in names
    assert "none" not in names


def test_the_table_accounts_for_every_line() -> None:
    table = dict(rows(summary({"unique": 5000, "clash": 2}), Path("a.csv")))
    assert (table["records read"], table["lines skipped"], table["unique"]) == ("5,002", "3", "5,000")
    assert (table["records a second"], table["answers"]) == ("2,501", "a.csv")


def test_what_went_wrong_has_a_line_only_if_it_did() -> None:
    names = dict(rows(summary({"unique": 5}), Path("a.csv")))
    assert {"pieces sent again", "worker restarts"} & set(names) == set()
    assert names["rejected answers"] == "0"
    progress = Progress(written=5, resent=2, counts=Counter(unique=5))
    table = dict(rows(Summary("abcdefghjk", True, progress, 2.0, 5, skipped=0, restarts=1), None))
    assert (table["pieces sent again"], table["worker restarts"]) == ("2", "1")


def test_contradicted_answers_are_counted_where_the_input_has_answers_and_change_no_exit_code() -> None:
    assert "disagree with the input" not in dict(rows(summary({"unique": 5}), None))
    for number in (0, 2):
        ended = replace(summary({"unique": 5}), progress=Progress(5, 5, 5, counts=Counter(unique=5, disagrees=number)))
        assert dict(rows(ended, None))["disagree with the input"] == str(number)
        assert code(ended, strict=True) == 0


def test_a_run_of_less_than_a_second_has_no_rate() -> None:
    short = replace(summary({"unique": 5}), seconds=0.9)
    assert "records a second" not in dict(rows(short, None))


def test_who_did_not_read_the_input_knows_neither_skipped_lines_nor_a_rate() -> None:
    names = dict(rows(replace(summary({"unique": 5}), skipped=None), None))
    assert {"lines skipped", "records a second"} & set(names) == set()


def test_an_unfinished_output_is_where_its_part_is() -> None:
    table = dict(rows(summary({"unique": 5}, finished=False, signal=2), Path("a.csv")))
    assert (table["records written"], table["answers"]) == ("5", "a.csv.part")


def test_what_an_earlier_run_wrote_is_told_apart() -> None:
    progress = Progress(written=50, counts=Counter(unique=50))
    table = dict(rows(Summary("abcdefghjk", True, progress, seconds=1.0, written=20, skipped=0), None))
    assert table["  of them by an earlier run"] == "30"
    assert table["records a second"] == "20"


@pytest.mark.parametrize(
    ("counts", "strict", "expected"),
    [
        ({"unique": 5}, False, 0),
        ({"unique": 5, "solved": 1}, True, 0),
        ({"unique": 5, "none": 1, "clash": 1, "malformed": 1, "multiple": 1}, False, 0),
        ({"unique": 5, "none": 1}, True, 1),
        ({"unique": 5, "malformed": 1}, True, 1),
        ({"unique": 5, "undecided": 1}, False, 3),
        ({"unique": 5, "failed": 1}, False, 3),
        ({"unique": 5, "failed": 1, "none": 1}, True, 3),
        ({"unique": 5, "failed": 0}, False, 0),
    ],
)
def test_the_exit_code_follows_the_statuses(counts: dict[str, int], strict: bool, expected: int) -> None:
    assert code(summary(counts), strict=strict) == expected


@pytest.mark.parametrize(("signal", "expected"), [(2, 130), (15, 143)])
def test_a_run_that_was_stopped_has_its_signal_s_code(signal: int, expected: int) -> None:
    assert code(summary({"unique": 5}, finished=False, signal=signal), strict=True) == expected


def test_a_run_that_was_stopped_says_how_to_go_on(capsys: pytest.CaptureFixture[str]) -> None:
    stopped = summary({"unique": 5}, finished=False, signal=2)
    conclude(stopped, Path("a.csv"), Screen(talks=False), strict=False, go_on="gridmill resume a.csv")
    assert capsys.readouterr().err == "gridmill: stopped with 5 records written; to go on: gridmill resume a.csv\n"


def test_a_run_that_wrote_nothing_begins_again(capsys: pytest.CaptureFixture[str]) -> None:
    stopped = summary({}, finished=False, signal=2)
    conclude(stopped, Path("a.csv"), Screen(talks=False), strict=False, go_on="gridmill resume a.csv")
    assert "the same command begins again" in capsys.readouterr().err


def test_a_run_that_was_stopped_before_its_first_answer_has_no_output() -> None:
    """It takes its files along."""
    stopped = summary({}, finished=False, signal=2)
    assert "answers" not in dict(rows(stopped, Path("a.csv")))


def test_a_run_to_standard_output_is_not_resumed(capsys: pytest.CaptureFixture[str]) -> None:
    stopped = summary({"unique": 5}, finished=False, signal=2)
    conclude(stopped, None, Screen(talks=False), strict=False, go_on="")
    assert "a run to standard output cannot be resumed" in capsys.readouterr().err
