"""Is what a reply says beside its claims acceptable? Its form, and the truth of all that can be checked here.

Every listed solution is checked. That there are no more, and which givens can be spared, is the worker's word, and
audited.
"""

from itertools import pairwise

from gridmill.answers import Status
from gridmill.board import slots
from gridmill.errors import WireError
from gridmill.finding import Counted, read_spared
from gridmill.judge import RIGHT, judge
from gridmill.questions import Questions
from gridmill.reply import CODES, Claim, Reply

_SOLVED = bytes([CODES[Status.SOLVED]])


def fault(boards: bytes, reply: Reply, asked: Questions) -> str | None:
    """Why the findings of ``reply``, whose claims are right, cannot be believed; None: they can."""
    if not asked.of_workers and reply.findings.sizes:
        return "it says more than was asked"
    if not asked.of_workers or not (reply.findings.sizes or _needs(asked) & set(reply.codes)):
        return None
    try:
        for index, (board, claim) in enumerate(zip(slots(boards), reply.claims(), strict=True)):
            if not _is_right(board, claim, asked):
                return f"what it says of its record {index} is false"
    except WireError as error:
        return str(error)
    return None


def _needs(asked: Questions) -> set[int]:
    """The codes of records that have a finding."""
    needed = {CODES[Status.MULTIPLE]: bool(asked.count), CODES[Status.UNIQUE]: asked.minimal}
    return {code for code, is_needed in needed.items() if is_needed}


def _is_right(board: bytes, claim: Claim, asked: Questions) -> bool:
    if CODES.get(claim.status or Status.FAILED) not in _needs(asked):
        return not claim.finding
    if claim.status is Status.UNIQUE:
        read_spared(claim.finding, board)
        return True
    counted = Counted.decode(claim.finding, asked)
    listed = slots(counted.listed)
    if not all(one < other for one, other in pairwise(listed)):
        return False
    if asked.every and not counted.is_open and not {claim.solution, claim.second} <= set(listed):
        return False
    solved = Reply(_SOLVED * len(listed), bytes(4 * len(listed)), counted.listed, b"")
    return judge(board * len(listed), solved) == bytes([RIGHT]) * len(listed)
