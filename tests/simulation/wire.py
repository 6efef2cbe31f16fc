"""A ledger on a bad line, and one in the hands of a liar."""

from collections.abc import Callable
from typing import Any

from gridmill.answers import Status
from gridmill.connection import Connection
from gridmill.errors import BrokerLost
from gridmill.ledger import Bytes, Ledger
from gridmill.piece import Piece
from gridmill.reply import Claim, Reply

from .world import World


class Line(Connection):
    """A connection on which calls and replies may be lost, or repeated as client libraries do."""

    def __init__(self, client: Any, world: World, broken: set[str]) -> None:
        super().__init__(client)
        self.world, self.broken = world, broken

    def call(self, action: Callable[[Any], Any]) -> Any:
        world = self.world
        world.pause()
        assert world.running is not None
        if world.running.name in self.broken:
            self.broken.discard(world.running.name)
            raise BrokerLost("the connection broke")
        if world.odds():
            raise BrokerLost("the call was lost")
        reply = super().call(action)
        if world.odds():
            world.pause()
            reply = super().call(action)
        if world.odds():
            raise BrokerLost("the reply was lost")
        return reply


Post = Callable[[str, Piece, int], None]


class Wire(Ledger):
    """A ledger on such a line. ``broken``: the tasks whose next call finds the connection broken. ``post``: how the
    messages go."""

    def __init__(self, client: Any, prefix: str, queue_key: str, world: World, broken: set[str], post: Post) -> None:
        super().__init__(client, prefix, queue_key)
        self.world, self._server, self._post = world, Line(client, world, broken), post

    def send(self, job: str, piece: Piece, seq: int) -> None:
        self._post(job, piece, seq)

    def wait(self, job: str, known: int, seconds: float, *stir: Any) -> bool:
        found = super().wait(job, known, 0, *stir)
        if not found:
            self.world.pause(seconds)
        return found

    def finish(
        self, job: str, piece: Piece, token: str, about: bytes, reply: Bytes, secret: str = "", *, room: int = 0
    ) -> str:
        self.world.pause(self.world.rng.uniform(0, 2))  # what the work takes
        if self.world.odds(5):
            self.world.pause(self.world.rng.choice([1, 4, 20]))
            self.beat(job, piece, token)
        return super().finish(job, piece, token, about, reply, secret, room=room)


class LyingWire(Wire):
    """A ledger that sends something else than it was told to, perhaps in another's name. All of it can be found out."""

    overheard: list[str]  # tokens of others
    audited: bool  # all of its answers

    def finish(
        self, job: str, piece: Piece, token: str, about: bytes, reply: Bytes, secret: str = "", *, room: int = 0
    ) -> str:
        rng = self.world.rng
        token = rng.choice([token, token, *self.overheard])
        snapshot = self.scan(job)
        for other, entry in snapshot.entries.items() if snapshot and rng.random() < 0.3 else ():
            self.lost(job, other, entry.seq)  # says that another's process died
            self.beat(job, other, entry.token)
        sent = reply if isinstance(reply, bytes) else b"".join(reply)
        good = Reply.decode(sent, len(piece))
        claims = list(good.claims())
        lies: list[Callable[[], tuple[bytes, bytes]]] = [
            lambda: (about, b""),
            lambda: (about, rng.randbytes(len(sent))),
            lambda: (b"x" * 16, sent),
            lambda: (about, sent + b"x" * 200),
            lambda: (about, Reply.of([denied(claim) for claim in claims]).encode()),
            lambda: (about, Reply.of([Claim(Status.UNDECIDED, 7)] * len(piece)).encode()),
            lambda: (about, Reply(good.codes, good.nodes, good.solutions[::-1], good.seconds, good.findings).encode()),
        ]
        if any(claim.finding for claim in claims) and rng.random() < 0.5:  # or hardly ever, in the few lies of a run
            lies = [
                lambda: (about, Reply.of([told(claim, claim.finding[::-1]) for claim in claims]).encode()),
                lambda: (about, Reply.of([told(claim, claim.finding + b"?") for claim in claims]).encode()),
            ]
        if self.audited:
            altered = [rng.choice([claim, *subtle(claim)]) for claim in claims]
            lies.append(lambda: (about, Reply.of(altered).encode()))
        return super().finish(job, piece, token, *rng.choice(lies)(), secret, room=room)


def denied(claim: Claim) -> Claim:
    """Says of a board with solutions that it has none. (Said of one that is undecided it could be true.)"""
    return Claim(Status.NONE) if claim.solution else claim


def told(claim: Claim, finding: bytes) -> Claim:
    """Says something else beside the same answer."""
    return claim._replace(finding=finding)


def subtle(claim: Claim) -> list[Claim]:
    """Says what only an audit finds out."""
    if claim.status in (None, Status.UNDECIDED):
        return []
    lies = [claim._replace(nodes=claim.nodes + 1), claim._replace(finding=bytes(len(claim.finding)))]
    if claim.status is Status.MULTIPLE:
        lies += [
            claim._replace(status=Status.UNIQUE, second=b""),
            claim._replace(solution=claim.second, second=claim.solution),
        ]
    return lies
