"""What the ledger holds about a job and about each piece, as Python sees it."""

import re
from collections.abc import Iterable
from typing import Any, NamedTuple, Self

from gridmill.chunk import CHAIN_START
from gridmill.errors import WireError
from gridmill.piece import Piece

# As `steps/entry.lua` reads it. A number of 16 digits is beyond what Lua counts to.
_LINE = re.compile(rb"([qsa]) ([0-9]{1,16}) ([0-9]{1,16}) ([0-9]{1,16}) ([01]) ([0-9]{1,16}) ([!-~]{1,200})").fullmatch


class Place(NamedTuple):
    """A place between two chunks: ``chunk`` is the next one, ``record`` how many records lie before it,
    ``chain`` the chain hash over all chunks before it."""

    chunk: int = 0
    record: int = 0
    chain: bytes = CHAIN_START


class Entry(NamedTuple):
    """The ledger's line about one piece; ``state`` is q (queued), s (started) or a (answered)."""

    state: str
    seq: int
    tries: int
    lies: int
    lost: bool
    beat: int
    token: str

    @classmethod
    def parse(cls, text: bytes) -> Self:
        """Read the line that `steps/entry.lua` writes. Raises WireError."""
        match = _LINE(text)
        if match is None:
            raise WireError(f"the ledger holds {text[:80]!r}, which is no entry")
        state, seq, tries, lies, lost, beat, token = (part.decode() for part in match.groups())
        return cls(state, int(seq), int(tries), int(lies), lost == "1", int(beat), token)


class JobView(NamedTuple):
    """The job hash. ``total`` is None until the producer has closed the job.

    ``created`` is by the clock of its first producer, ``renewed`` (the last step, to the minute) by the server's; both
    in seconds since 1970, for people and for clearing up: nothing else depends on them. ``refused``: the workers that
    lied too often, host and group by name.
    """

    state: str
    spec: bytes
    place: Place
    cursor: int
    written: int
    total: int | None
    bytes_in_flight: int
    created: float
    renewed: float
    counts: bytes
    collector: str
    producer: str
    fed: int
    out: str
    declined: str
    refused: dict[str, str]

    @classmethod
    def parse(cls, fields: dict[bytes, bytes]) -> Self:
        """Read the fields of a job hash. Raises WireError."""

        def text(name: bytes) -> str:
            return fields.get(name, b"").decode("utf-8", "replace")

        try:
            return cls(
                state=text(b"state"),
                spec=fields[b"spec"],
                place=Place(int(fields[b"next"]), int(fields[b"record"]), fields[b"chain"]),
                cursor=int(fields[b"cursor"]),
                written=int(fields[b"written"]),
                total=int(fields[b"total"]) if b"total" in fields else None,
                bytes_in_flight=int(fields[b"bytes"]),
                created=float(fields[b"created"]),
                renewed=float(fields[b"renewed"]),
                counts=fields.get(b"counts", b""),
                collector=text(b"ctok"),
                producer=text(b"ptok"),
                fed=int(fields.get(b"fed", 0)),
                out=text(b"out"),
                declined=text(b"declined"),
                refused={name[8:].decode("ascii", "replace"): text(name) for name in fields if name[:8] == b"refused:"},
            )
        except (KeyError, ValueError) as error:
            raise WireError(f"the record of a job cannot be read: {error}") from error


class Snapshot(NamedTuple):
    """One job at one instant. ``mark``: the highest sequence number taken; ``queued``: messages in the queue;
    ``answers``: how many wait in the server; ``torn``: the chunks in flight of which the ledger does not have each
    record once, whose entries are left out; ``scribbled``: something else was written or deleted by hand."""

    job: JobView
    entries: dict[Piece, Entry]
    mark: int
    queued: int
    answers: int = 0
    torn: tuple[int, ...] = ()
    scribbled: bool = False

    @classmethod
    def parse(cls, said: list[Any]) -> Self | None:
        """Read what `steps/scan.lua` returns; None: there is no such job. Raises WireError."""
        fields, entries, mark, queued, answers, declined, torn, scribbled = said
        if not fields:
            return None
        pieces = {Piece.parse(name.decode("ascii", "replace")): Entry.parse(text) for name, text in _pairs(entries)}
        view = JobView.parse({**dict(_pairs(fields)), b"declined": declined})
        return cls(view, pieces, int(mark), int(queued), int(answers), tuple(sorted(torn)), bool(scribbled))


def _pairs(flat: Iterable[bytes]) -> Iterable[tuple[bytes, bytes]]:
    iterator = iter(flat)
    return zip(iterator, iterator, strict=True)
