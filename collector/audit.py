"""A sample of the answers that no check can settle, to be derived again: what it finds, no worker can rely on."""

import math
import random
import secrets

from gridmill.digest import digest
from gridmill.piece import Piece

SEED_BYTES = 16


class Audit:
    """Each record is in the sample with probability ``share``, whatever the others are.

    The sample of a piece follows from ``seed``, which no worker knows: one of a run, unless a test gives it.
    """

    def __init__(self, share: float, seed: bytes | None = None) -> None:
        self._share = share
        self._seed = seed or secrets.token_bytes(SEED_BYTES)

    def of(self, piece: Piece) -> list[int]:
        """The records of ``piece`` in the sample, in order, counted inside it."""
        if self._share >= 1:
            return list(range(len(piece)))
        found: list[int] = []
        if self._share > 0:
            chance = random.Random(digest(self._seed, str(piece).encode()))
            # The distances between them, drawn at once: a sample costs what it holds, not what the piece does.
            spread = math.log1p(-self._share)
            at = _distance(chance, spread)
            while at <= len(piece):
                found.append(at - 1)
                at += _distance(chance, spread)
        return found


def _distance(chance: random.Random, spread: float) -> int:
    return int(min(math.log(1 - chance.random()) / spread, 1e9)) + 1
