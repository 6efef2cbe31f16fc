"""Other answers in the place of those that failed."""

from pathlib import Path

import pytest

from gridmill.answers import FAILED_DETAIL, Answer, Status
from gridmill.errors import FormatError
from gridmill.formats.amend import Said, amended, answers, failed
from gridmill.formats.output import writer
from gridmill.formats.row import Row
from gridmill.questions import Questions

BOARD = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SOLUTION = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
UNIQUE = Answer(Status.UNIQUE, SOLUTION, nodes=3)
NONE = Answer(Status.NONE, nodes=4)
FAILED = Answer(Status.FAILED, detail=FAILED_DETAIL)
ODD = ('a,"b"\n,failed,\u00e9', "=1+1")  # what a record may carry


def file(folder: Path, form: str, *answers: Answer, name: str = "out") -> Path:
    """An answers file with one record for each, all solutions listed."""
    told = [(answer.solution,) for answer in answers]
    rows = [Row(n, n + 1, 'id,"1', BOARD, answer, ODD, told[n - 1]) for n, answer in enumerate(answers, 1)]
    made = writer(form, ("first", "second,failed,"), Questions(count=5, every=True))
    path = folder / name
    path.write_bytes(made.header() + made.rows(rows))
    return path


def said(folder: Path, *of: Answer) -> list[Said]:
    return list(answers(file(folder, "jsonl", *of, name="again")))


@pytest.mark.parametrize("form", ["csv", "jsonl"])
def test_the_file_is_what_it_would_be_if_nothing_had_failed(tmp_path: Path, form: str) -> None:
    wanted = file(tmp_path, form, UNIQUE, NONE, FAILED, UNIQUE).read_bytes()
    path = file(tmp_path, form, UNIQUE, FAILED, FAILED, FAILED)

    assert failed(path, form) == [BOARD] * 3
    assert b"".join(amended(path, form, said(tmp_path, NONE, FAILED, UNIQUE))) == wanted


@pytest.mark.parametrize("form", ["csv", "jsonl"])
def test_where_nothing_failed_nothing_changes(tmp_path: Path, form: str) -> None:
    path = file(tmp_path, form, UNIQUE, NONE)

    assert failed(path, form) == []
    assert b"".join(amended(path, form, [])) == path.read_bytes()


def test_answers_are_read_back_from_json_lines_whole(tmp_path: Path) -> None:
    (read,) = said(tmp_path, UNIQUE)

    shown = {"status": "unique", "count": "1", "solution": SOLUTION, "solution2": "", "nodes": 3, "detail": ""}
    assert read == shown | {"solutions": [SOLUTION]}


@pytest.mark.parametrize(("form", "text"), [("jsonl", '{"status": "failed"'), ("csv", '1,1,,x,"y",failed,"a"b\n')])
def test_a_file_that_is_none_of_ours_is_an_error(tmp_path: Path, form: str, text: str) -> None:
    (tmp_path / "out").write_text(text)

    with pytest.raises(FormatError, match="cannot be read"):
        failed(tmp_path / "out", form)


def test_a_file_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="No such file"):
        failed(tmp_path / "out", "csv")
