"""A worker that lies: ``python -m chaos.liar SEED`` takes a message now and then and answers falsely.

It keeps to the protocol, or just misses it. What it says can be seen to be false: about the nodes, or that a solution
is the only one, any worker is believed.
"""

import base64
import json
import random
import sys
import time
from collections.abc import Callable

from gridmill import broker, solvers
from gridmill.answers import Status
from gridmill.board import PACKED
from gridmill.digest import digest
from gridmill.errors import GridmillError
from gridmill.ledger import Ledger
from gridmill.piece import Piece
from gridmill.reply import CODES, Claim, Reply
from gridmill.settings import Settings

REST = (0.5, 3.0)  # seconds between two lies
TRUTH = solvers.get("lanes")

Lie = Callable[[bytes, random.Random], bytes]


def _all(status: Status) -> Lie:
    """The same claim about every board, which needs no solution."""
    return lambda boards, chance: Reply.of([Claim(status)] * (len(boards) // PACKED)).encode()


def _moved(boards: bytes, chance: random.Random) -> bytes:
    """Sound solutions, of other boards."""
    true = _truth(boards)
    if len(true.solutions) <= PACKED:  # there is no other board, and the truth would be told
        return b""
    return Reply(true.codes, true.nodes, true.solutions[PACKED:] + true.solutions[:PACKED], true.seconds).encode()


def _twice(boards: bytes, chance: random.Random) -> bytes:
    """The one solution as two."""
    true = _truth(boards)
    codes = true.codes.replace(bytes([CODES[Status.UNIQUE]]), bytes([CODES[Status.MULTIPLE]]))
    return Reply(codes, true.nodes, true.solutions, true.solutions).encode()


def _noise(boards: bytes, chance: random.Random) -> bytes:
    return chance.randbytes(chance.randrange(2000))


def _flipped(boards: bytes, chance: random.Random) -> bytes:
    """One half byte of one solution is another."""
    true = _truth(boards)
    if not true.solutions:  # what else there is to change is what nobody can check
        return b""
    whole = bytearray(true.encode())
    whole[-chance.randrange(1, len(true.solutions + true.seconds))] ^= 0x10
    return bytes(whole)


def _too_long(boards: bytes, chance: random.Random) -> bytes:
    return bytes(10_000_000)


def _truth(boards: bytes) -> Reply:
    assert solvers.is_batch(TRUTH)
    return TRUTH.reply(boards, 2, TRUTH.budget, lambda: None)


LIES: tuple[Lie, ...] = (
    *map(_all, (Status.NONE, Status.CLASH, Status.UNDECIDED)), _moved, _twice, _noise, _flipped, _too_long,
)  # fmt: skip


def main(seed: int) -> None:
    """Lie until killed."""
    chance = random.Random(seed)
    settings = Settings.load()
    client, ledger = broker.redis_client(settings), Ledger.connect(settings)
    while True:
        time.sleep(chance.uniform(*REST))
        try:
            with broker.explained(settings):
                taken = client.brpop([broker.queue_key(settings)], 1)
            if taken and isinstance(taken[1], bytes):
                _answer(ledger, taken[1], chance)
        except (GridmillError, ValueError, KeyError, TypeError):
            continue  # no server, or no message


def _answer(ledger: Ledger, message: bytes, chance: random.Random) -> None:
    job, piece_text, seq = json.loads(base64.b64decode(json.loads(message)["body"]))[0]
    piece, token = Piece.parse(piece_text), f"evil{chance.randrange(3)}/1/1/{chance.randrange(1 << 30)}"
    begun = ledger.begin(job, piece, seq, token)
    if begun.said == "ok":
        about = digest(begun.boards) if chance.random() < 0.9 else bytes(16)
        ledger.finish(job, piece, token, about, chance.choice(LIES)(begun.boards, chance))


if __name__ == "__main__":
    main(int(sys.argv[1]))
