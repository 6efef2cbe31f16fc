"""From a chunk and its verified replies to the sheet that is written."""

from collections.abc import Sequence
from dataclasses import replace

from collector.facts import Fact
from collector.known import disagreements
from gridmill.chunk import Chunk
from gridmill.formats.sheet import Sheet
from gridmill.piece import Piece
from gridmill.reply import Reply


def sheet(chunk: Chunk, known: Sequence[tuple[Piece, Fact]], answers: Sequence[int] = ()) -> Sheet:
    """All of ``chunk``; ``known`` are the facts about its pieces, in order, their replies at hand.

    ``answers`` are the columns of the input that hold known solutions, see `collector.known`. Raises WireError.
    """
    replies = [fact.reply for _, fact in known if fact.reply is not None]
    rulings = {piece.lo + index: answer for piece, fact in known for index, answer in fact.rulings.items()}
    made = Sheet.of(chunk, replies[0] if len(replies) == 1 else Reply.join(replies), rulings)
    return replace(made, rulings=rulings | disagreements(made, answers)) if answers else made
