"""Answers files are read back: our own, and those of others."""

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gridmill.answers import Answer, Status
from gridmill.errors import FormatError
from gridmill.formats import told
from gridmill.formats.answers_file import read_answers
from gridmill.formats.input import Input
from gridmill.formats.output import writer
from gridmill.formats.row import Row
from gridmill.formats.stated import Stated
from gridmill.questions import LIST_MOST, Questions

PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SOLUTION = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
OUR_HEADER = "record,line,id,puzzle,status,count,solution,solution2,nodes,detail"

Read = Callable[[str | bytes], list[Stated]]


@pytest.fixture
def read(tmp_path: Path) -> Read:
    """``read(content)``: what a file with this content says."""

    def made(content: str | bytes) -> list[Stated]:
        path = tmp_path / "answers"
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return list(read_answers(str(path)))

    return made


@pytest.mark.parametrize("name", ["csv", "jsonl"])
@pytest.mark.parametrize("status", Status)
def test_what_is_written_with_all_fields_is_read_back_for_every_status(read: Read, name: str, status: Status) -> None:
    answer = Answer(status, SOLUTION, PUZZLE, 5, 'a "detail", with\nlines')
    made = writer(name, ["note"])
    content = made.header() + made.rows([Row(2, 3, "=id", PUZZLE, answer, ("x\ny",))])
    (stated,) = read(content)
    assert stated == Stated(
        stated.line, PUZZLE, status, answer.count, SOLUTION, PUZZLE, record=2, detail='a "detail", with\nlines'
    )


TEXTS = st.text(st.characters(codec="utf-8", exclude_characters="\0\r")) | st.text(st.sampled_from("=-+@'\",\n1 #"))


@pytest.mark.parametrize("name", ["csv", "jsonl"])
@given(rows=st.lists(st.tuples(TEXTS, TEXTS, TEXTS), min_size=1, max_size=5))
def test_malformed_rows_with_any_text_are_read_back_exactly(
    tmp_path_factory: pytest.TempPathFactory, name: str, rows: list[tuple[str, str, str]]
) -> None:
    # Given an answers file about records that are not puzzles, with any id and any column
    answer = Answer(Status.MALFORMED, detail="not a puzzle")
    made = writer(name, ["note"])
    path = tmp_path_factory.mktemp("any") / "answers"
    path.write_bytes(
        made.header() + made.rows(Row(n, n, row[0], row[1], answer, (row[2],)) for n, row in enumerate(rows, 1))
    )
    # When it is read back
    stated = list(read_answers(str(path)))
    # Then every text is what it was
    assert [(said.record, said.puzzle, said.status) for said in stated] == [
        (n, row[1], Status.MALFORMED) for n, row in enumerate(rows, 1)
    ]
    if name == "csv":
        assert [(record.id, record.extras[-1]) for record in Input([str(path)]).records()] == [
            (row[0], row[2]) for row in rows
        ]


def test_malformed_text_is_read_back_without_its_mark_against_formulas(read: Read) -> None:
    content = writer("csv", []).rows([Row(1, 1, "", "=1+1", Answer(Status.MALFORMED))])
    (stated,) = read(f"{OUR_HEADER}\n".encode() + content)
    assert stated.puzzle == "=1+1"


@pytest.mark.parametrize(
    ("answer", "stated"),
    [
        (Answer(Status.UNIQUE, SOLUTION), Stated(1, PUZZLE, count="1", solution=SOLUTION)),
        (Answer(Status.SOLVED, SOLUTION), Stated(1, PUZZLE, count=">0", solution=SOLUTION)),
        (Answer(Status.MULTIPLE, SOLUTION, SOLUTION), Stated(1, PUZZLE, count=">1")),
        (Answer(Status.NONE), Stated(1, PUZZLE, count="0")),
        (Answer(Status.UNDECIDED), Stated(1, PUZZLE, Status.UNDECIDED)),
        (Answer(Status.MALFORMED), Stated(1, status=Status.MALFORMED)),
    ],
)
def test_counts_are_read_back(read: Read, answer: Answer, stated: Stated) -> None:
    assert read(writer("counts", []).rows([Row(1, 1, "", PUZZLE, answer)])) == [stated]


@pytest.mark.parametrize(
    "line",
    [f"{PUZZLE}:1:{SOLUTION}", f"{PUZZLE}:1:{SOLUTION}:9.1", f"{PUZZLE}:1:{SOLUTION}  # a comment: with a colon"],
)
def test_what_stands_behind_a_counted_solution_is_a_comment(read: Read, line: str) -> None:
    assert read(line) == [Stated(1, PUZZLE, count="1", solution=SOLUTION)]


@pytest.mark.parametrize("between", [",", " ", "\t", ";", ", "])
def test_a_line_with_a_board_and_its_solution_is_read(read: Read, between: str) -> None:
    assert read(f"{PUZZLE}{between}{SOLUTION}") == [Stated(1, PUZZLE, solution=SOLUTION)]


@pytest.mark.parametrize("header", ["puzzle,solution", "quizzes,solutions", "question,answer"])
def test_tables_of_others_are_read(read: Read, header: str) -> None:
    assert read(f"# note\n{header}\n{PUZZLE},{SOLUTION}\n") == [Stated(3, PUZZLE, solution=SOLUTION)]


def test_a_count_in_a_table_of_others_is_not_taken_for_ours(read: Read) -> None:
    assert read(f"puzzle,count,status,solution\n{PUZZLE},30,new,{SOLUTION}")[0] == Stated(2, PUZZLE, solution=SOLUTION)


def test_json_lines_of_others_may_leave_fields_out_and_give_the_count_as_a_number(read: Read) -> None:
    assert read(f'{{"puzzle": "{PUZZLE}", "count": 332, "other": [1]}}\n\n') == [Stated(1, PUZZLE, count="332")]


ALL = Questions(count=5, every=True, minimal=True, canonical=True)
TOLD = {"solutions": f"{SOLUTION} {PUZZLE}", "minimal": "no", "redundant": "r1c1 r9c9", "canonical": PUZZLE}


@pytest.mark.parametrize("name", ["csv", "jsonl"])
@pytest.mark.parametrize("said", [TOLD, dict.fromkeys(TOLD, "")])
def test_what_else_was_asked_is_read_back(
    read: Read, name: str, said: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(told, "check", lambda asked: None)  # whatever would find it, here it is found
    made = writer(name, ["minimal"], ALL)
    row = Row(1, 1, "", PUZZLE, Answer(Status.UNIQUE, SOLUTION), ("own",), tuple(said.values()))
    assert [stated.told for stated in read(made.header() + made.rows([row, row]))] == [said] * 2


def test_a_column_of_others_that_is_called_like_one_of_ours_tells_nothing(read: Read) -> None:
    assert read(f"puzzle,solution,minimal\n{PUZZLE},{SOLUTION},maybe\n")[0].told == {}
    assert read(f'{{"puzzle":"{PUZZLE}","minimal":"maybe"}}\n')[0] == Stated(1, PUZZLE)


def test_a_line_without_what_the_first_one_tells_is_a_fault(read: Read) -> None:
    made = writer("jsonl", [], Questions(minimal=True))
    one = made.rows([Row(1, 1, "", PUZZLE, Answer(Status.UNIQUE, SOLUTION), (), ("yes", ""))])
    other = one.replace(b',"minimal":true', b"")
    assert [bool(stated.fault) for stated in read(one + other)] == [False, True]


@pytest.mark.parametrize("name", ["csv", "jsonl"])
def test_rows_with_all_solutions_that_can_be_listed_are_read_back(read: Read, name: str) -> None:
    made = writer(name, ["note"], Questions(count=LIST_MOST, every=True))
    listed = " ".join([SOLUTION] * LIST_MOST)
    note = 'a "note", over\nlines'
    rows = [Row(n, n, "", PUZZLE, Answer(Status.UNIQUE, SOLUTION), (note,), (listed,)) for n in (1, 2)]
    stated = read(made.header() + made.rows(rows))
    assert [(said.record, said.fault, said.told["solutions"] == listed) for said in stated] == [
        (1, "", True),
        (2, "", True),
    ]


@pytest.mark.parametrize("content", ["", "\n", "# note\n", f"{OUR_HEADER}\n"])
def test_a_file_without_answers_says_nothing(read: Read, content: str) -> None:
    assert read(content) == []


@pytest.mark.parametrize(
    ("row", "fault"),
    [
        ("1,1,,x", "is not a row of 10 fields"),
        (f"1,1,,{PUZZLE},perfect,1,{SOLUTION},,5,", "has the unknown status 'perfect'"),
        (f"one,1,,{PUZZLE},unique,1,{SOLUTION},,5,", "has 'one' for the number of its record"),
        (f'1,1,,{PUZZLE},unique,1,{SOLUTION},,5,"', "is not a row of 10 fields"),
    ],
)
def test_a_row_that_cannot_be_read_is_a_fault_of_its_line(read: Read, row: str, fault: str) -> None:
    good = f"1,1,,{PUZZLE},unique,1,{SOLUTION},,5,"
    stated = read(f"{OUR_HEADER}\n{good}\n{row}\n{good}")
    assert [(line.line, line.fault) for line in stated] == [(2, ""), (3, fault), (4, "")]


@pytest.mark.parametrize(
    "line",
    ["{", '{"puzzle": 5}', '{"status": "unique"}', '{"puzzle": "\udcff"}', '{"puzzle": "x", "y": ' + "[" * 50_000],
    ids=["open", "number", "no puzzle", "wrong byte", "deep"],
)
def test_json_that_cannot_be_read_is_a_fault_of_its_line(read: Read, line: str) -> None:
    stated = read(f'{{"puzzle": "a"}}\n{line}\n{{"puzzle": "b"}}'.encode("utf-8", "surrogateescape"))
    assert [(said.line, said.puzzle, bool(said.fault)) for said in stated] == [
        (1, "a", False),
        (2, "", True),
        (3, "b", False),
    ]


def test_a_text_line_that_says_nothing_about_a_board_is_a_fault_of_its_line(read: Read) -> None:
    stated = read(f"{PUZZLE}:1:{SOLUTION}\nrubbish\n")
    assert stated[1].fault.startswith("is not puzzle:count:solution, nor a board and its solution: ")


@pytest.mark.parametrize("content", [f"{SOLUTION}\n", "<multiple>\n", "rubbish\n", f"{PUZZLE}\n"])
def test_a_file_that_has_no_answers_to_puzzles_is_refused(read: Read, content: str) -> None:
    with pytest.raises(FormatError, match="is no answers file: it needs puzzles with their solutions"):
        read(content)


def test_a_table_without_solutions_is_refused(read: Read) -> None:
    with pytest.raises(FormatError, match="has no column with solutions"):
        read(f"id,puzzle\n1,{PUZZLE}\n")


SIGNS = ["\n", ",", ":", ":1:", ":>1:", "<", ">", '"', "\udcff", "\0", "5", " "]
WORDS = [OUR_HEADER, "puzzle,solution", "{", '{"puzzle":"', '"}', "<malformed>::", "unique"]
SCRAPS = st.sampled_from([PUZZLE, SOLUTION, *WORDS, *SIGNS])


@given(st.lists(SCRAPS, max_size=30).map("".join))
def test_any_file_is_read_or_refused_with_a_format_error(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    path = tmp_path_factory.mktemp("any") / "answers"
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    try:
        stated = list(read_answers(str(path)))
    except FormatError:
        return
    lines = [said.line for said in stated]
    assert lines == sorted(set(lines))


@pytest.mark.parametrize(("name", "place"), [("line", 1), ("nodes", 8)])
@pytest.mark.parametrize("number", ["-5", "x", "", "9" * 19, "1.0"])
def test_a_line_or_nodes_that_are_no_number_are_a_fault(read: Read, name: str, place: int, number: str) -> None:
    fields = ["1", "1", "", PUZZLE, "unique", "1", SOLUTION, "", "0", ""]
    fields[place] = number
    (stated,) = read(f"{OUR_HEADER}\n{','.join(fields)}\n")
    assert stated.fault == f"has {number!a} for its {name}, which is no number"


def test_negative_numbers_in_json_lines_are_a_fault(read: Read) -> None:
    (stated,) = read(f'{{"puzzle":"{PUZZLE}","status":"unique","solution":"{SOLUTION}","nodes":-5}}\n')
    assert "nodes" in stated.fault
