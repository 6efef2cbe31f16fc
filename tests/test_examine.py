"""Whether a reply is acceptable: its form, what it is about, and whether it is true."""

from typing import Any

import msgspec
import pytest

from collector.examine import Lie, allowed, boards_of, check, examine
from gridmill.answered import Answered
from gridmill.answers import Status
from gridmill.board import PACKED, pack
from gridmill.chunk import Chunk, Fault, Record
from gridmill.digest import digest
from gridmill.job import WIRE, Spec
from gridmill.piece import Piece
from gridmill.reply import CODES, HOLE_CODE, Claim, Reply

BOARD = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SOLUTION = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
RECORDS = [Record(1, BOARD), Record(2, None, Fault(0, "no cells", "x")), Record(3, "55" + "." * 79), Record(4, BOARD)]
CHUNK = Chunk.of(1, RECORDS)
PIECE = Piece(0, 0, 4)
HONEST = [Claim(Status.UNIQUE, 3, pack(SOLUTION)), Claim(None), Claim(Status.CLASH), Claim(Status.NONE, 9)]
SPEC = Spec(WIRE, "bitmask", 1, False, 1000, 50, "", (), ())
PROVEN = allowed(SPEC)


def answered(claims: list[Claim], piece: Piece = PIECE) -> Answered:
    return Answered(str(piece).encode(), "w", digest(boards_of(CHUNK, piece)), Reply.of(claims).encode())


def test_an_honest_reply_passes_and_what_cannot_be_checked_is_named() -> None:
    examined = examine(CHUNK, PIECE, answered(HONEST), PROVEN)

    assert list(examined.reply.claims()) == HONEST
    assert examined.open == [3]


def test_a_piece_is_examined_against_its_own_boards() -> None:
    examined = examine(CHUNK, Piece(0, 2, 4), answered(HONEST[2:], Piece(0, 2, 4)), PROVEN)

    assert examined.open == [1]
    assert boards_of(CHUNK, Piece(0, 2, 4)) == CHUNK.boards[2 * PACKED :]


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"piece": b"0:0:3"}, "names piece"),
        ({"piece": b""}, "names piece"),
        ({"boards_hash": b"x" * 16}, "about other boards"),
        ({"boards_hash": b""}, "about other boards"),
        ({"reply": b""}, "shorter than its head"),
        ({"reply": b"GMR1" + bytes(12)}, "speaks of 0 records"),
        ({"reply": Reply.of(HONEST).encode() + b"x"}, "length"),
    ],
)
def test_a_reply_that_is_not_about_this_is_a_lie(changes: dict[str, Any], reason: str) -> None:
    with pytest.raises(Lie, match=reason):
        examine(CHUNK, PIECE, answered(HONEST)._replace(**changes), PROVEN)


@pytest.mark.parametrize(
    ("at", "claim"),
    [
        (0, Claim(Status.UNIQUE, 3, pack(SOLUTION[::-1]))),  # another solution
        (0, Claim(None)),  # no claim about a board
        (0, Claim(Status.CLASH)),  # the givens do not clash
        (1, Claim(Status.NONE)),  # a claim about what is no board
        (2, Claim(Status.NONE)),  # of a clash only clash is right
        (3, Claim(Status.MULTIPLE, 1, pack(SOLUTION), pack(SOLUTION))),  # the same solution twice
    ],
)
def test_a_claim_that_is_false_is_a_lie_that_names_its_record(at: int, claim: Claim) -> None:
    claims = [*HONEST[:at], claim, *HONEST[at + 1 :]]

    with pytest.raises(Lie, match=f"about its record {at} is false"):
        examine(CHUNK, PIECE, answered(claims), PROVEN)


def test_a_job_that_asks_for_proof_takes_no_answer_without() -> None:
    claims = [Claim(Status.SOLVED, 3, pack(SOLUTION)), *HONEST[1:]]

    with pytest.raises(Lie, match="no answers of code"):
        examine(CHUNK, PIECE, answered(claims), PROVEN)


@pytest.mark.parametrize(
    ("solver", "first", "proves"), [("bitmask", False, True), ("bitmask", True, False), ("scan", False, False)]
)
def test_what_may_be_claimed_depends_on_what_was_asked(solver: str, first: bool, proves: bool) -> None:
    codes = allowed(msgspec.structs.replace(SPEC, solver=solver, first=first))

    assert {CODES[Status.NONE], CODES[Status.CLASH], CODES[Status.UNDECIDED], HOLE_CODE} <= codes
    assert (CODES[Status.UNIQUE] in codes, CODES[Status.MULTIPLE] in codes) == (proves, proves)
    assert (CODES[Status.SOLVED] in codes) is not proves


def test_checking_names_the_first_of_several_false_claims() -> None:
    claims = [HONEST[0], HONEST[1], Claim(Status.NONE), Claim(None)]

    with pytest.raises(Lie, match="record 2"):
        check(CHUNK.boards, Reply.of(claims))
