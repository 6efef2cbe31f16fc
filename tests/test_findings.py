"""Whether what a reply says beside its claims is acceptable."""

import pytest

from collector.examine import Lie, allowed, examine
from gridmill.answered import Answered
from gridmill.answers import Status
from gridmill.board import HOLE, pack, slots
from gridmill.chunk import Chunk, Record
from gridmill.digest import digest
from gridmill.finding import Counted
from gridmill.findings import fault
from gridmill.job import WIRE, Spec
from gridmill.piece import Piece
from gridmill.questions import NOTHING, Questions
from gridmill.reply import Claim, Reply
from gridmill.solvers.bitmask import Bitmask
from gridmill.solvers.claim import reply_to

UNIQUE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
TWO = "..3456789456789123789123456..4365897365897214897214365531642978642978531978531642"
MANY = "31...9......18........3...5.....4....21.....4..6..79...4.3.8..2.......7..9...6..."
COUNTING, LISTING = Questions(count=5), Questions(count=5, every=True)


def claim_about(board: str, asked: Questions) -> Claim:
    (claim,) = reply_to(Bitmask(), pack(board), first=False, budget=10_000, asked=asked).claims()
    return claim


HONEST = claim_about(TWO, LISTING)
FIRST, SECOND = slots(Counted.decode(HONEST.finding, LISTING).listed)
OTHERS = slots(Counted.decode(claim_about(MANY, LISTING).finding, LISTING).listed)


def said(finding: Counted) -> Reply:
    return Reply.of([HONEST._replace(finding=finding.encode())])


@pytest.mark.parametrize("asked", [NOTHING, COUNTING, LISTING])
def test_an_honest_reply_has_no_fault(asked: Questions) -> None:
    boards = pack(UNIQUE) + HOLE + pack(MANY) + pack(TWO)

    assert fault(boards, reply_to(Bitmask(), boards, first=False, budget=10_000, asked=asked), asked) is None


@pytest.mark.parametrize(
    "listed",
    [FIRST + FIRST, SECOND + FIRST, FIRST + pack(UNIQUE), FIRST + OTHERS[0], b"\xff" * 82],
    ids=["twice", "out of order", "not solved", "another puzzle's", "no boards"],
)
def test_a_false_list_is_found(listed: bytes) -> None:
    assert fault(pack(TWO), said(Counted(2, False, listed)), LISTING) == "what it says of its record 0 is false"


def test_a_list_of_all_that_lacks_a_solution_of_the_answer_is_found() -> None:
    swapped = HONEST._replace(solution=OTHERS[0])

    assert fault(pack(TWO), Reply.of([swapped]), LISTING)


@pytest.mark.parametrize("finding", [b"", b"\1", Counted(6, False).encode(), Counted(2, False, FIRST).encode()])
def test_what_is_no_count_is_refused(finding: bytes) -> None:
    assert fault(pack(TWO), Reply.of([HONEST._replace(finding=finding)]), COUNTING)


def test_a_finding_about_what_needs_none_is_refused() -> None:
    claim = claim_about(UNIQUE, COUNTING)._replace(finding=Counted(2, False).encode())

    assert fault(pack(UNIQUE), Reply.of([claim]), COUNTING) == "what it says of its record 0 is false"


def test_more_than_was_asked_is_refused() -> None:
    assert fault(pack(TWO), said(Counted(2, False)), NOTHING) == "it says more than was asked"


def test_a_reply_with_a_false_finding_is_a_lie() -> None:
    chunk, piece = Chunk.of(1, [Record(1, TWO)]), Piece(0, 0, 1)
    answered = Answered(str(piece).encode(), "w", digest(chunk.boards), said(Counted(2, False, FIRST * 2)).encode())
    codes = allowed(Spec(WIRE, "bitmask", 1, False, 1000, 50, "", (), ()))

    with pytest.raises(Lie, match="what it says of its record 0"):
        examine(chunk, piece, answered, codes, LISTING)


def test_a_claim_without_its_finding_is_no_answer_to_what_was_asked() -> None:
    assert HONEST.status is Status.MULTIPLE
    assert fault(pack(TWO), Reply.of([HONEST._replace(finding=b"")]), COUNTING) == "a finding has no count"


@pytest.mark.parametrize("finding", [b"", b"\1", b"\xff" * 11])
def test_givens_that_are_none_cannot_be_spared(finding: bytes) -> None:
    asked = Questions(minimal=True)
    claim = claim_about(UNIQUE, asked)

    assert fault(pack(UNIQUE), Reply.of([claim]), asked) is None
    assert (
        fault(pack(UNIQUE), Reply.of([claim._replace(finding=finding)]), asked) == "a finding spares what is no given"
    )
