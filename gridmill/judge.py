"""Whether what a worker claims about a piece is true. No worker is believed, so nothing here comes from a solver.

The native path (``native/verify.cpp``) and the Python path (`gridmill.rules`) are two implementations of one contract.
"""

from gridmill import kernel
from gridmill.answers import Status
from gridmill.board import HOLE, PACKED, slots, unpack
from gridmill.errors import BoardError, WireError
from gridmill.reply import HOLE_CODE, WITH_SECOND, Claim, Reply, tally, with_solution
from gridmill.rules import clash, verify

RIGHT = 0  # checked here and true
WRONG = 1  # checked here and false, or a claim about a hole, or no claim about a board
OPEN = 2  # not to be checked here (`none`, `undecided`): the collector derives it again


def judge(boards: bytes, reply: Reply) -> bytes:
    """One verdict (RIGHT, WRONG, OPEN) a record of ``boards``, which are packed as in `gridmill.chunk`.

    A solution is right when it holds every digit once in all 27 units and keeps every given; two, when they also
    differ. Of a board whose givens clash only ``clash`` is right. Raises WireError when the reply does not fit the
    boards, BoardError when a slot is neither a board nor a hole.
    """
    _check_sizes(boards, reply)
    if not kernel.native:
        records = zip(slots(boards), reply.codes, reply.claims(), strict=True)
        return bytes(_verdict(index, *record) for index, record in enumerate(records))
    try:
        return kernel.extension.judge(boards, reply.codes, reply.solutions, reply.seconds)
    except ValueError as error:
        raise BoardError(str(error)) from error


def _check_sizes(boards: bytes, reply: Reply) -> None:
    records = len(reply.codes)
    if len(boards) != PACKED * records or len(reply.nodes) != 4 * records:
        raise WireError(f"a reply speaks of {records} records, its boards have {len(boards)} bytes")
    counts = tally(reply.codes)
    sizes = PACKED * with_solution(counts), PACKED * counts[WITH_SECOND]
    if (len(reply.solutions), len(reply.seconds)) != sizes:
        raise WireError("a reply has more or fewer solutions than its codes call for")


def _verdict(index: int, slot: bytes, code: int, claim: Claim) -> int:
    if slot == HOLE:
        return RIGHT if code == HOLE_CODE else WRONG
    try:
        board = unpack(slot)
    except BoardError as error:
        raise BoardError(f"slot {index} is neither a board nor a hole") from error
    clashes = clash(board) is not None
    if claim.status is None or clashes != (claim.status is Status.CLASH):
        return WRONG
    if claim.status in (Status.NONE, Status.UNDECIDED):
        return OPEN
    if claim.status is Status.MULTIPLE and claim.solution == claim.second:
        return WRONG
    return RIGHT if all(_solves(board, packed) for packed in (claim.solution, claim.second) if packed) else WRONG


def _solves(board: str, packed: bytes) -> bool:
    try:
        return verify(board, unpack(packed)) is None
    except BoardError:
        return False
