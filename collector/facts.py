"""What the collector knows to be true: verified replies, until their turn to be written comes.

Replies stay in Redis; memory holds their numbers and digests, and the replies themselves only up to a cap.
"""

from dataclasses import dataclass, field

from gridmill.answers import Answer
from gridmill.digest import digest
from gridmill.piece import Piece
from gridmill.reply import Reply

OWN = 0  # stands for the number of the sending, of a reply that the collector made itself: its word is the last
HELD_BYTES = 16_000_000  # bytes of replies kept at hand: a few chunks, so that those in order are fetched once


@dataclass(slots=True)
class Fact:
    """A verified reply of ``size`` bytes. ``seq`` is the sending that it answers, or OWN.

    ``rulings`` are the collector's own answers, by index inside the piece, which go before the reply's. Of a reply that
    was given up the ``digest`` of its bytes remains."""

    seq: int
    reply: Reply | None
    size: int
    rulings: dict[int, Answer] = field(default_factory=dict)
    digest: bytes = b""

    def give_up(self) -> None:
        """Keep no more of the reply than what it is known by when it is fetched again."""
        if self.reply is not None:
            self.digest, self.reply = digest(self.reply.encode()), None


class Facts:
    """Facts by piece."""

    def __init__(self) -> None:
        self._chunks: dict[int, dict[Piece, Fact]] = {}
        self._held = 0

    def clear(self) -> None:
        """Forget all; they are read again."""
        self._chunks.clear()
        self._held = 0

    def __contains__(self, piece: Piece) -> bool:
        """Whether one fact says all about ``piece``."""
        return any(known.lo <= piece.lo and piece.hi <= known.hi for known in self._chunks.get(piece.chunk, ()))

    def any_of(self, chunk: int) -> bool:
        """Whether anything is known about a chunk."""
        return bool(self._chunks.get(chunk))

    def any_beyond(self, chunk: int) -> bool:
        """Whether anything is known about a later chunk."""
        return any(number > chunk and facts for number, facts in self._chunks.items())

    def seq(self, piece: Piece) -> int | None:
        """Which sending of ``piece`` the reply answers that was verified; None: nothing was."""
        fact = self._chunks.get(piece.chunk, {}).get(piece)
        return None if fact is None else fact.seq

    def add(self, piece: Piece, fact: Fact) -> None:
        """Learn a fact; one that can be fetched again gives up its reply when too many are held."""
        self.drop(piece)
        if fact.seq != OWN and self._held + fact.size > HELD_BYTES:
            fact.give_up()
        else:
            self._held += fact.size
        self._chunks.setdefault(piece.chunk, {})[piece] = fact

    def restore(self, fact: Fact, reply: Reply) -> None:
        """Give a fact back the reply that it gave up."""
        fact.reply = reply
        self._held += fact.size

    def drop(self, piece: Piece) -> None:
        """Forget one fact."""
        fact = self._chunks.get(piece.chunk, {}).pop(piece, None)
        if fact is not None and fact.reply is not None:
            self._held -= fact.size

    def drop_chunk(self, chunk: int) -> None:
        """Forget what was written."""
        for piece in list(self._chunks.get(chunk, ())):
            self.drop(piece)
        self._chunks.pop(chunk, None)

    def covering(self, chunk: int, records: int) -> list[tuple[Piece, Fact]] | None:
        """Facts about all ``records`` of a chunk, in order; None while any is missing."""
        # A piece that was split is known beside its parts when the server went back to before that, and a worker can
        # have written any piece into the ledger. So of what is known, some that lie end to end: of several the largest.
        ends: dict[int, tuple[Piece, Fact]] = {}  # the last of some that lie end to end from the first record on
        for piece, fact in sorted(self._chunks.get(chunk, {}).items(), key=lambda known: known[0].lo):
            if piece.lo == 0 or piece.lo in ends:
                ends.setdefault(piece.hi, (piece, fact))
        found: list[tuple[Piece, Fact]] = []
        at = records
        while at > 0:
            if at not in ends:
                return None
            found.append(ends[at])
            at = ends[at][0].lo
        return found[::-1]
