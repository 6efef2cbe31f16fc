"""Columns become the same bytes by the kernel as row by row, whatever stands in them."""

import os
import struct
from collections import Counter
from collections.abc import Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gridmill import kernel
from gridmill.answers import FAILED_DETAIL, Answer, Status
from gridmill.board import HOLE, pack
from gridmill.chunk import Chunk, Fault, Record, Side
from gridmill.column import Column
from gridmill.errors import SettingsError, WireError
from gridmill.finding import Counted, spared
from gridmill.formats import press, told
from gridmill.formats.output import WRITERS, writer
from gridmill.formats.sheet import Sheet
from gridmill.questions import Questions
from gridmill.reply import Claim, Reply

PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SOLUTION = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
TWIN = "..3456789456789123789123456..4365897365897214897214365531642978642978531978531642"  # 12/21 and 21/12
FIRST, SECOND = ("12".join(TWIN.split("..", 1)).replace("..", "21"), "21".join(TWIN.split("..", 1)).replace("..", "12"))
CLASH = "5" + "." * 79 + "5"

needs_kernel = pytest.mark.skipif(
    not kernel.native and "GRIDMILL_CI" not in os.environ, reason="this installation has no native kernel"
)

SIGNS = "=+-@'\",;\\\t\r\n\b\f\0\x1f\x7f.eE0123456789 aé\u2028\U0001f600"
TEXTS = (
    st.just("")
    | st.sampled_from(["7", "-1.5", "+3e7", "-1.", "1e", "=1+1", "-", "--1", "-1e+5x", "'=x", 'a"b', "a,b", "a\nb"])
    | st.text(SIGNS, max_size=12)
)
CLAIMS: list[tuple[str | None, Claim]] = [
    (None, Claim(None)),
    (PUZZLE, Claim(Status.UNIQUE, 3, pack(SOLUTION))),
    (PUZZLE, Claim(Status.SOLVED, 0xFFFFFFFF, pack(SOLUTION))),
    (TWIN, Claim(Status.MULTIPLE, 10, pack(FIRST), pack(SECOND))),
    (PUZZLE.replace("53", "35"), Claim(Status.NONE, 0)),
    (CLASH, Claim(Status.CLASH)),
    ("." * 81, Claim(Status.UNDECIDED, 1_000_000)),
]
RULINGS = [Answer(Status.FAILED, detail=FAILED_DETAIL), Answer(Status.UNDECIDED, nodes=12)]


NOTHING, COUNTING, LISTING = Questions(), Questions(count=5), Questions(count=5, every=True)
FORMED = Questions(count=5, every=True, canonical=True, minimal=True, difficulty=True)
RATED = Questions(difficulty=True)


def found(asked: Questions) -> bytes:
    return Counted(2, False, pack(FIRST) + pack(SECOND) if asked.every else b"").encode()


@st.composite
def sheets(draw: st.DrawFn) -> tuple[Sheet, list[str]]:
    """A sheet, and the names of its columns."""
    names = draw(st.lists(st.sampled_from(["a", 'b"c', "d,é", "=e"]), max_size=3, unique=True))
    has_ids, has_texts = draw(st.booleans()), draw(st.booleans())
    records, claims, rulings = [], [], {}
    line = draw(st.sampled_from([0, 8, 98, 10**12]))
    for index in range(draw(st.integers(1, 12))):
        line += draw(st.sampled_from([1, 1, 1, 2, -line + 1]))
        board, claim = draw(st.sampled_from(CLAIMS))
        fault = None if board else Fault(draw(st.integers(0, 1)), draw(TEXTS), draw(TEXTS))
        extras = tuple(draw(TEXTS) if has_texts else "" for _ in names)
        records.append(Record(line, board, fault, draw(TEXTS) if has_ids else "", extras))
        claims.append(claim)
        if board and not draw(st.integers(0, 4)):
            rulings[index] = draw(st.sampled_from(RULINGS))
    first = draw(st.sampled_from([1, 9, 95, 999_999_999_999]))
    asked = draw(st.sampled_from([NOTHING, COUNTING, LISTING, RATED, *([FORMED] if kernel.native else [])]))
    if asked.count:
        claims = [claim._replace(finding=found(asked)) if claim.second else claim for claim in claims]
    if asked.minimal:
        claims = [claim._replace(finding=spared([0])) if claim.status is Status.UNIQUE else claim for claim in claims]
    return Sheet.of(Chunk.of(first, records), Reply.of(claims), rulings, asked), names


def written(name: str, sheet: Sheet, names: list[str], *, native: bool, block: int = press.BLOCK) -> bytes:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kernel, "native", native)
        patch.setattr(told, "check", lambda asked: None)  # what it would refuse without the kernel is there already
        patch.setattr(press, "BLOCK", block)
        try:
            made = writer(name, names, sheet.asked)
        except SettingsError:  # it has no place for what is asked
            return b""
        return b"".join(made.sheet(sheet))


@needs_kernel
@settings(max_examples=500, deadline=None)
@given(sheets(), st.sampled_from(sorted(WRITERS)), st.sampled_from([1, 1000, press.BLOCK]))
def test_the_kernel_and_python_write_the_same_bytes(drawn: tuple[Sheet, list[str]], name: str, block: int) -> None:
    sheet, names = drawn
    assert written(name, sheet, names, native=True, block=block) == written(name, sheet, names, native=False)


@given(sheets())
def test_statuses_are_counted_as_they_are_written(drawn: tuple[Sheet, list[str]]) -> None:
    sheet, _ = drawn
    assert sheet.counts() == Counter(row.answer.status.value for row in sheet.rows())


def a_sheet(*records: Record, claims: list[Claim], rulings: Mapping[int, Answer] | None = None) -> Sheet:
    return Sheet.of(Chunk.of(1, records), Reply.of(claims), rulings or {})


def test_a_row_has_all_that_is_known_of_its_record() -> None:
    sheet = a_sheet(Record(7, PUZZLE, None, "id", ("x",)), claims=[Claim(Status.UNIQUE, 5, pack(SOLUTION))])
    (row,) = sheet.rows()
    assert row == (1, 7, "id", PUZZLE, Answer(Status.UNIQUE, SOLUTION, nodes=5), ("x",), ())


def test_lines_grow_by_one_between_the_runs() -> None:
    claim = Claim(Status.NONE)
    sheet = a_sheet(*(Record(line, CLASH) for line in (3, 4, 9, 10, 2)), claims=[claim] * 5)
    assert [row.line for row in sheet.rows()] == [3, 4, 9, 10, 2]


def test_what_is_no_puzzle_says_why_and_where() -> None:
    faults = [Fault(3, "it is wrong", "text"), Fault(0, "all of it is wrong", "text")]
    sheet = a_sheet(*(Record(1, None, fault) for fault in faults), claims=[Claim(None)] * 2)
    assert [row.answer.detail for row in sheet.rows()] == ["column 3: it is wrong", "all of it is wrong"]
    assert [row.puzzle for row in sheet.rows()] == ["text", "text"]


def test_a_clash_is_named() -> None:
    sheet = a_sheet(Record(1, "55" + "." * 79), claims=[Claim(Status.CLASH)])
    assert [row.answer.detail for row in sheet.rows()] == ["5 twice in row 1: r1c1, r1c2"]


def test_a_ruling_goes_before_the_reply() -> None:
    failed = Answer(Status.FAILED, detail=FAILED_DETAIL)
    claims = [Claim(Status.UNIQUE, 5, pack(SOLUTION)), Claim(Status.UNIQUE, 5, pack(SOLUTION))]
    sheet = a_sheet(Record(1, PUZZLE), Record(2, PUZZLE), claims=claims, rulings={0: failed})
    assert [row.answer.status for row in sheet.rows()] == [Status.FAILED, Status.UNIQUE]
    assert sheet.counts() == {"failed": 1, "unique": 1}


@pytest.mark.usefixtures("implementation")
def test_difficulty_is_told_of_what_has_one_solution_and_givens_of_every_board() -> None:
    boards = [PUZZLE, PUZZLE, TWIN, CLASH, PUZZLE]
    records = [*(Record(line, board) for line, board in enumerate(boards, 1)), Record(6, None, Fault(0, "why", "x"))]
    claims = [Claim(Status.UNIQUE, 0, pack(SOLUTION)), Claim(Status.SOLVED, 0, pack(SOLUTION))]
    claims += [Claim(Status.MULTIPLE, 1, pack(FIRST), pack(SECOND)), Claim(Status.CLASH), claims[0], Claim(None)]
    rulings = {4: Answer(Status.FAILED, detail=FAILED_DETAIL)}

    sheet = Sheet.of(Chunk.of(1, records), Reply.of(claims), rulings, RATED)

    assert sheet.told() == [["30", "30", "77", "2", "30", ""], ["naked single", "naked single", "", "", "", ""]]


@pytest.mark.usefixtures("implementation")
@pytest.mark.parametrize("ids", [Column(b"ab", b"\1\0\0\0"), Column(b"a", b"\2\0\0\0"), Column(b"a", b"")])
def test_a_column_that_does_not_fit_is_a_wire_error(ids: Column) -> None:
    good = a_sheet(Record(1, PUZZLE), claims=[Claim(Status.UNIQUE, 5, pack(SOLUTION))])
    side = type(good.side)(1, [(0, 1)], ids, [], {})
    broken = Sheet(good.boards, side, good.reply, {})
    with pytest.raises(WireError):
        b"".join(writer("csv", []).sheet(broken))


@needs_kernel
def test_a_board_that_is_none_is_a_wire_error() -> None:
    good = a_sheet(Record(1, PUZZLE), claims=[Claim(Status.UNIQUE, 5, pack(SOLUTION))])
    broken = Sheet(b"\xaa" * 41, good.side, good.reply, {})
    with pytest.raises(WireError, match="no board"):
        b"".join(writer("csv", []).sheet(broken))


@pytest.mark.parametrize(("text", "sizes"), [(b"\xce2", [2]), ("é".encode() + b"xy", [1, 3])])
@pytest.mark.parametrize("form", ["csv", "jsonl"])
def test_a_column_whose_texts_are_no_utf8_is_a_wire_error(
    implementation: None, form: str, text: bytes, sizes: list[int]
) -> None:
    column = Column(text, struct.pack(f"<{len(sizes)}I", *sizes))
    records = len(sizes)
    side = Side(1, [(0, 1)], Column(), [column], {index: Fault(0, "why", "x") for index in range(records)})
    made = Sheet(HOLE * records, side, Reply(bytes(records), bytes(4 * records), b"", b""), {})

    with pytest.raises(WireError):
        b"".join(writer(form, ["a"]).sheet(made))
