"""A ledger whose messages go nowhere."""

from typing import Any

from gridmill.ledger import Ledger
from gridmill.piece import Piece


class Silent(Ledger):
    """``sent``: the messages that it was to send, a piece and a number each; ``about``: the jobs they were about."""

    def __init__(self, *where: Any) -> None:
        super().__init__(*where)
        self.sent: list[tuple[Piece, int]] = []
        self.about: set[str] = set()

    def send(self, job: str, piece: Piece, seq: int) -> None:
        self.sent.append((piece, seq))
        self.about.add(job)
