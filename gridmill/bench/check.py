"""Whether the answers that were timed are true. Nothing that is wrong gets a number."""

from gridmill.answers import Status
from gridmill.board import slots, unpack
from gridmill.errors import WrongAnswer
from gridmill.judge import OPEN, WRONG
from gridmill.reply import Claim, Reply
from gridmill.rules import clash, verify
from gridmill.solvers.sat import Sat

BY_RULES = 1000  # boards, evenly spread, that `gridmill.rules` checks too: 20 µs each
BY_SAT = 1000  # boards said to have no solution, evenly spread, that `sat` refutes again: 0.2 ms each


def check(boards: bytes, reply: Reply, verdicts: bytes) -> dict[str, int]:
    """How many boards have each status. Raises WrongAnswer naming a board whose answer is wrong, or is none."""
    packed, claims = slots(boards), list(reply.claims())
    if WRONG in verdicts:
        _refuse(packed, claims, verdicts.index(WRONG), "the judge")
    for at in _spread(range(len(claims)), BY_RULES):
        if not _holds(unpack(packed[at]), claims[at]):
            _refuse(packed, claims, at, "the rules")
    sat = Sat()
    for at in _spread([at for at, verdict in enumerate(verdicts) if verdict == OPEN], BY_SAT):
        if claims[at].status is not Status.UNDECIDED and sat.count(unpack(packed[at]), 1):
            _refuse(packed, claims, at, "sat")
    statuses = [str(claim.status) for claim in claims]
    return {status.value: statuses.count(status.value) for status in Status if status.value in statuses}


def _spread(places: "range | list[int]", most: int) -> "range | list[int]":
    return places[:: -(-len(places) // most) or 1]


def _holds(board: str, claim: Claim) -> bool:
    if claim.status is Status.CLASH:
        return clash(board) is not None
    return all(verify(board, unpack(packed)) is None for packed in (claim.solution, claim.second) if packed)


def _refuse(packed: list[bytes], claims: list[Claim], at: int, judge: str) -> None:
    raise WrongAnswer(
        f"wrong: the solver says that {unpack(packed[at])} is {claims[at].status}, {judge} that it is not"
    )
