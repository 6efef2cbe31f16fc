"""From a chunk and its verified replies to the sheet that is written."""

from collector.facts import Fact
from collector.rows import sheet
from gridmill.answers import Answer, Status
from gridmill.board import pack
from gridmill.chunk import Chunk, Record
from gridmill.piece import Piece
from gridmill.reply import Claim, Reply

BOARD = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SOLUTION = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
UNIQUE = Claim(Status.UNIQUE, 7, pack(SOLUTION))
CHUNK = Chunk.of(101, [Record(line, BOARD) for line in (1, 2, 3)])


def fact(*claims: Claim, rulings: dict[int, Answer] | None = None) -> Fact:
    return Fact(1, Reply.of(list(claims)), 1, rulings or {})


def test_one_reply_about_all_of_a_chunk_is_taken_as_it_is() -> None:
    known = fact(UNIQUE, UNIQUE, UNIQUE)

    made = sheet(CHUNK, [(Piece(0, 0, 3), known)])

    assert made.reply is known.reply
    assert made.side.first == 101


def test_the_replies_about_parts_of_a_chunk_become_one() -> None:
    known = [(Piece(0, 0, 1), fact(UNIQUE)), (Piece(0, 1, 3), fact(Claim(Status.NONE, 5), UNIQUE))]

    rows = list(sheet(CHUNK, known).rows())

    assert [(row.record, row.answer.status, row.answer.nodes) for row in rows] == [
        (101, Status.UNIQUE, 7),
        (102, Status.NONE, 5),
        (103, Status.UNIQUE, 7),
    ]


def test_the_collectors_own_answers_are_at_their_places_in_the_chunk() -> None:
    own = Answer(Status.FAILED, detail="why")
    known = [(Piece(0, 0, 1), fact(UNIQUE)), (Piece(0, 1, 3), fact(UNIQUE, UNIQUE, rulings={1: own}))]

    made = sheet(CHUNK, known)

    assert made.rulings == {2: own}
    assert [row.answer.status for row in made.rows()] == [Status.UNIQUE, Status.UNIQUE, Status.FAILED]
