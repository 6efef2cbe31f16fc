"""A job of two chunks, a worker whose words are given, a referee that rules when it is told to, and the intake."""

from collections.abc import Sequence
from threading import Event
from typing import Any

from silent import Silent

from collector.child import Question, settle
from collector.facts import Fact
from collector.intake import Intake
from collector.progress import Progress
from collector.referee import Ruling
from collector.rows import sheet
from gridmill import solvers
from gridmill.answers import FAILED_DETAIL, Answer, Status
from gridmill.board import pack
from gridmill.chunk import Fault, Record
from gridmill.digest import digest
from gridmill.entry import Entry, Place, Snapshot
from gridmill.incidents import About, Incidents
from gridmill.job import WIRE, Spec, new_id
from gridmill.piece import Piece
from gridmill.reply import Claim, Reply
from gridmill.testing import FakeBroker
from producer.cut import cut

BOARD = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SOLUTION = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
NONE = ".71..4.................6...8....9........2..8.....76......81..6....6....6....38.."
BUDGET = 1000
SPEC = Spec(WIRE, "bitmask", solvers.get("bitmask").version, False, BUDGET, 2, "", (), ())
RIGHT = Claim(Status.UNIQUE, 2, pack(SOLUTION))
WRONG = Claim(Status.UNIQUE, 2, pack(SOLUTION[::-1]))
SAYS_NONE = Claim(Status.NONE, 3)
RECORDS = [
    Record(1, BOARD),
    Record(2, NONE),
    Record(3, None, Fault(0, "no cells", "x")),
    Record(4, None, Fault(0, "", "")),
]
FAILED = Answer(Status.FAILED, detail=FAILED_DETAIL)


class Judge:
    """A referee that rules when it is told to, by what the child would say or by what the test says."""

    def __init__(self) -> None:
        self.asked: list[tuple[int, Sequence[Question]]] = []
        self.ready: list[Ruling] = []
        self.stirred = Event()

    def ask(self, key: int, questions: Sequence[Question]) -> None:
        self.asked.append((key, questions))

    def rulings(self) -> list[Ruling]:
        ready, self.ready = self.ready, []
        return ready

    def drop(self) -> None:
        self.asked = []

    def close(self) -> None:
        pass

    def rule(self, *claims: Claim | None) -> None:
        """Rule the oldest request: with ``claims``, or as the child would."""
        key, questions = self.asked.pop(0)
        self.ready.append(Ruling(key, list(claims) or [settle(question) for question in questions]))
        self.stirred.set()


class Rig:
    """A job of two chunks (two boards; no board), a worker whose words are given, and the intake."""

    def __init__(self, fake: FakeBroker, count: int = 1, audit: float = 0) -> None:
        self.client: Any = fake.client()
        self.settings = fake.settings.model_copy(update={"audit": audit})
        self.ledger = Silent.of(self.client, fake.settings)
        self.sent = self.ledger.sent
        self.job, self.judge, self.progress = new_id(), Judge(), Progress()
        self.incidents = Incidents(fake.settings.state_dir, self.job, About("", "csv", b""))
        self.intake = Intake(
            self.ledger, self.job, SPEC, self.settings, self.judge, self.progress, self.incidents,
        )  # fmt: skip
        self.cuts = list(cut(RECORDS * count, 2))
        self.ledger.create(self.job, "p", SPEC.encode(), Place())
        for made in self.cuts:
            assert self.ledger.enqueue(self.job, "p", made.at, made.chunk, made.after, 10**6).said == "ok"

    def piece(self, number: int = 0) -> Piece:
        return Piece(number, 0, 2)

    def entry(self, number: int = 0) -> Entry:
        return self.look().entries[self.piece(number)]

    def exhaust(self, piece: Piece) -> Entry:
        """Begin ``piece`` until it has no tries left; what is seen of it then."""
        while (entry := self.look().entries[piece]).tries < self.settings.tries:
            if entry.state == "s":
                self.intake.again(piece, entry)
            entry = self.look().entries[piece]
            self.ledger.begin(self.job, piece, entry.seq, "w")
        return entry

    def look(self) -> Snapshot:
        snapshot = self.ledger.scan(self.job)
        assert snapshot is not None
        return snapshot

    def answer(self, *claims: Claim, number: int = 0, token: str = "w", secret: str = "") -> None:
        """A worker begins a piece and says this."""
        piece = self.piece(number)
        self.ledger.begin(self.job, piece, self.entry(number).seq, token)
        about = digest(self.cuts[number].chunk.boards)
        assert self.ledger.finish(self.job, piece, token, about, Reply.of(list(claims)).encode(), secret) == "ok"

    def say(self, piece: Piece, *claims: Claim) -> None:
        """Somebody answers a piece of the first chunk."""
        about = digest(self.cuts[0].chunk.boards[41 * piece.lo : 41 * piece.hi])
        assert self.ledger.finish(self.job, piece, "w", about, Reply.of(list(claims)).encode()) == "ok"

    def take(self) -> bool:
        return self.intake.take(self.look())

    def verified(self, *claims: Claim) -> tuple[Piece, Fact]:
        """A worker answers the first piece so, and the referee lets it pass."""
        self.answer(*claims)
        self.take()
        self.judge.rule()
        self.take()
        found = self.intake.facts.covering(0, 2)
        assert found is not None
        (known,) = found
        return known

    def known(self, number: int = 0) -> list[Claim | Answer] | None:
        found = self.intake.facts.covering(number, 2)
        if found is None:
            return None
        assert all(self.intake.reread(piece, fact) for piece, fact in found)
        rows = sheet(self.intake.chunks.get(number), found)
        return [rows.rulings.get(index, claim) for index, claim in enumerate(rows.reply.claims())]
