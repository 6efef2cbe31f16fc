"""From a chunk and its verified replies to the sheet that is written."""

from collections.abc import Sequence

from collector.facts import Fact
from gridmill.chunk import Chunk
from gridmill.formats.sheet import Sheet
from gridmill.piece import Piece
from gridmill.questions import NOTHING, Questions
from gridmill.reply import Reply


def sheet(chunk: Chunk, known: Sequence[tuple[Piece, Fact]], asked: Questions = NOTHING) -> Sheet:
    """All of ``chunk``; ``known`` are the facts about its pieces, in order, their replies at hand. Raises WireError."""
    replies = [fact.reply for _, fact in known if fact.reply is not None]
    rulings = {piece.lo + index: answer for piece, fact in known for index, answer in fact.rulings.items()}
    return Sheet.of(chunk, replies[0] if len(replies) == 1 else Reply.join(replies), rulings, asked)
