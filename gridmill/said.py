"""What the steps of the ledger say, as Python sees it. ``said`` is a word; what else there is depends on it."""

from typing import NamedTuple, Self

from gridmill.entry import Place


class Created(NamedTuple):
    """``said``: ok (then ``place``, where to go on), differs (it has another spec), or the state of an ended job.

    ``generation`` counts the producers that the job has had, this one included.
    """

    said: str
    place: Place = Place()
    generation: int = 0

    @classmethod
    def parse(cls, reply: list[bytes]) -> Self:
        """Read what `steps/create.lua` returns."""
        said, *rest = reply
        return cls(said.decode(), _place(rest[1:]), int(rest[0])) if rest else cls(said.decode())


class Enqueued(NamedTuple):
    """``said``: ok (then ``seq``), rewind (then ``place``), full, closed, fenced, nojob, or the state of an ended job.

    ``full``: the job has ``in_flight`` bytes on the server. ``fenced``: its producer is another one, the one of
    ``generation``. ``closed``: it has fewer chunks.
    """

    said: str
    seq: int = 0
    place: Place = Place()
    generation: int = 0
    in_flight: int = 0

    @classmethod
    def parse(cls, reply: list[bytes]) -> Self:
        """Read what `steps/enqueue.lua` and `steps/close.lua` return."""
        said, rest = reply[0].decode(), reply[1:]
        if said == "rewind":
            return cls(said, place=_place(rest))
        if said == "fenced":
            return cls(said, generation=int(rest[0]))
        if said == "full":
            return cls(said, in_flight=int(rest[0]))
        return cls(said, seq=int(rest[0]) if rest else 0)


class Blame(NamedTuple):
    """Who told a lie, ``name`` empty when that is not proven, and with how many it gets no more work of the job."""

    name: str = ""
    where: str = ""
    limit: int = 0


class Begun(NamedTuple):
    """``said``: ok (then ``boards``), taken, unknown, lost (its boards are gone), refused (the token can be no name),
    liar (no work for this worker), nojob, or the state of an ended job."""

    said: str
    boards: bytes = b""

    @classmethod
    def parse(cls, reply: list[bytes], boards: bytes) -> Self:
        """Read what `steps/begin.lua` returns; ``boards`` are handed out only with an ok."""
        said = reply[0].decode()
        return cls(said, boards) if said == "ok" else cls(said)


def _place(fields: list[bytes]) -> Place:
    chunk, record, chain = fields
    return Place(int(chunk), int(record), chain)
