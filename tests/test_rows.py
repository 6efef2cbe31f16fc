"""From a chunk and its verified replies to rows."""

from collector.rows import rows
from gridmill.answers import Answer, Status
from gridmill.board import pack
from gridmill.chunk import Chunk, Fault, Record
from gridmill.formats.row import Row
from gridmill.reply import Claim

BOARD = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SOLUTION = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
CLASH = "55" + "." * 79


def test_a_claim_becomes_an_answer_with_its_evidence() -> None:
    chunk = Chunk.of(1, [Record(1, BOARD)])

    (row,) = rows(chunk, [Claim(Status.MULTIPLE, 7, pack(SOLUTION), pack(SOLUTION[::-1]))])

    assert row == Row(1, 1, "", BOARD, Answer(Status.MULTIPLE, SOLUTION, SOLUTION[::-1], 7))


def test_records_and_lines_are_counted_on() -> None:
    chunk = Chunk.of(101, [Record(line, BOARD) for line in (7, 8, 20, 21)])

    made = list(rows(chunk, [Claim(Status.NONE)] * 4))

    assert [(row.record, row.line) for row in made] == [(101, 7), (102, 8), (103, 20), (104, 21)]


def test_ids_and_columns_come_along() -> None:
    chunk = Chunk.of(1, [Record(1, BOARD, id="a", extras=("x", "y")), Record(2, BOARD)])

    made = list(rows(chunk, [Claim(Status.NONE)] * 2))

    assert [(row.id, row.extras) for row in made] == [("a", ("x", "y")), ("", ())]


def test_a_hole_shows_what_stood_there_and_why_it_is_no_puzzle() -> None:
    faults = [Fault(4, "no digit", "53x"), Fault(0, "80 cells instead of 81", "53")]
    chunk = Chunk.of(1, [Record(line, None, fault) for line, fault in enumerate(faults)])

    made = list(rows(chunk, [Claim(None)] * 2))

    assert [(row.puzzle, row.answer.status, row.answer.detail) for row in made] == [
        ("53x", Status.MALFORMED, "column 4: no digit"),
        ("53", Status.MALFORMED, "80 cells instead of 81"),
    ]


def test_a_clash_is_explained() -> None:
    (row,) = rows(Chunk.of(1, [Record(1, CLASH)]), [Claim(Status.CLASH)])

    assert row.answer == Answer(Status.CLASH, detail="5 twice in row 1: r1c1, r1c2")


def test_the_collectors_own_answer_is_taken_as_it_is() -> None:
    own = Answer(Status.FAILED, detail="why")

    (row,) = rows(Chunk.of(1, [Record(1, BOARD)]), [own])

    assert row.answer is own
