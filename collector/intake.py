"""From answers to facts: fetch, examine, reject what is false, have settled what no check can settle."""

from collections import Counter
from collections.abc import Iterable

from collector.audit import Audit
from collector.chunks import HELD, Chunks
from collector.docket import Case, Docket
from collector.examine import Lie, allowed, boards_of, examine
from collector.facts import OWN, Fact, Facts
from collector.progress import Progress
from collector.referee import Referee, Ruling
from gridmill import logs
from gridmill.answered import Answered
from gridmill.answers import FAILED_DETAIL, Answer, Status
from gridmill.board import HOLE, slots, unpack
from gridmill.digest import digest
from gridmill.entry import Entry, Snapshot
from gridmill.finding import room
from gridmill.incidents import Incident, Incidents
from gridmill.job import Spec
from gridmill.judge import WRONG, judge
from gridmill.ledger import BOARDS_LOST, Ledger
from gridmill.pen_name import proven
from gridmill.piece import Piece
from gridmill.reply import CODES, HOLE_CODE, STATUSES, Claim, Reply
from gridmill.said import Blame
from gridmill.settings import Settings
from gridmill.shelf import Shelf

FETCH = 16  # replies fetched at a time
WAYS = 16  # parts of a piece that is split: from the largest chunk to the one puzzle in four or five steps
SOLVING_MOST = 2  # pieces of many records that the referee gets at a time: one object a board, and it takes one by one
# Pieces in flight, beyond which none is split: a worker that begins all and answers none shall not fill the server. A
# job that is well has a few hundred.
PIECES_MOST = 5000
SENDINGS_MOST = 6  # of a piece that nobody begins, with growing pauses: four minutes, then something is wrong

log = logs.get("collector")

# What an audit derives again. Of `undecided` the collector's own answer is written anyway.
AUDITED = frozenset(CODES.values()) - {CODES[Status.UNDECIDED]}
FAILED = Answer(Status.FAILED, detail=FAILED_DETAIL)


class Intake:
    """Keeps `facts` up to date with the snapshots it is shown."""

    def __init__(
        self,
        ledger: Ledger,
        job: str,
        spec: Spec,
        settings: Settings,
        referee: Referee,
        progress: Progress,
        incidents: Incidents,
        shelf: Shelf | None = None,
    ) -> None:
        self._ledger, self._job = ledger, job
        self._settings, self._progress = settings, progress
        self._codes, self._asked, self._room = allowed(spec), spec.asked, room(spec.asked)
        self._docket = Docket(referee, spec)
        self.chunks = Chunks(ledger, job, shelf)
        self._spoilt: Counter[int] = Counter()  # by chunk: how often the ledger said of it what cannot be
        self._pieces = 0  # in flight
        self._turn = 0  # the first chunk that is not written
        self._audit = Audit(settings.audit)
        self._incidents = incidents
        self.facts = Facts()

    def reset(self) -> None:
        """The server may hold another state than before: read everything again."""
        self.facts.clear()
        self._docket.clear()
        self.chunks.clear()

    def drop(self, number: int) -> None:
        """Forget a chunk that was written, the next in order."""
        self._turn = number + 1
        self.facts.drop_chunk(number)
        self._docket.drop(number)
        self.chunks.drop(number)
        del self._spoilt[number]

    def take(self, snapshot: Snapshot) -> bool:
        """Read new answers, the nearest to their turn first, and the referee's rulings. Whether more are waiting."""
        self._pieces = len(snapshot.entries)
        self.settle()
        asked = self._docket.pieces
        fresh = sorted(
            (piece, entry)
            for piece, entry in snapshot.entries.items()
            if entry.state == "a" and piece not in asked and self.facts.seq(piece) not in (entry.seq, OWN)
        )
        # Of no more chunks than are held until their rows are written: else chunks and replies are fetched twice.
        chunks = sorted({piece.chunk for piece, _ in fresh})[:HELD]
        batch = [(piece, entry) for piece, entry in fresh[:FETCH] if piece.chunk in chunks]
        at_hand = self._ledger.answers(self._job, {piece: entry.seq for piece, entry in batch}, room=self._room)
        for piece, entry in batch:
            self._take(piece, entry, at_hand.get(piece))
        self._solve_spoilt()
        return len(fresh) > len(batch)

    def settle(self) -> None:
        """Read the referee's rulings."""
        for case, ruling in self._docket.closed():
            if case.entry is None:
                self._rule_own(case, ruling)
            else:
                self._rule_worker(case, case.entry, ruling)

    def waits_for(self, piece: Piece) -> bool:
        """Whether ``piece`` needs a worker: it is not written, has no fact, and the referee is not at it."""
        return piece.chunk >= self._turn and piece not in self.facts and piece not in self._docket

    def again(self, piece: Piece, entry: Entry, sent: int = 0) -> None:
        """An overdue piece (`Due`): back to the queue; or, when that was tried often enough, split, or solved here."""
        spent = entry.state == "s" and entry.tries >= self._settings.tries
        if spent and entry.lies < self._settings.lies and len(piece) > 1 and self._pieces < PIECES_MOST:
            self._split(piece, entry)
        elif spent or entry.lies >= self._settings.lies:
            self._solve_here(piece, f"{_attempt(entry)}, no try is left", entry.token)
        elif sent >= SENDINGS_MOST:
            self._solve_here(piece, f"its message was sent {sent + 1} times, and nobody began it")
        elif seq := self._requeue(piece, entry):
            log.info("sent again", job=self._job, piece=str(piece), was=entry.state, tries=entry.tries)
            self._progress.resent += 1
            self._ledger.send(self._job, piece, seq)
            if entry.state == "s":
                self._note("lost", piece, _attempt(entry), entry.token)

    def solve(self, pieces: Iterable[Piece]) -> None:
        """Solve ``pieces`` here, in this order, as far as they need it and it is not too much at a time."""
        for piece in pieces:
            if self.waits_for(piece):
                self._solve_here(piece, "too many answers were false, or no worker but refused ones is there")

    def solve_chunk(self, number: int, cause: str) -> None:
        """Solve all of a chunk here, unless that is done or begun, or too much at a time."""
        if self._docket.own < SOLVING_MOST:
            piece = Piece(number, 0, len(self.chunks.get(number)))
            if self.waits_for(piece):
                self._solve_here(piece, cause)

    def mend(self, start: int) -> None:
        """Have chunks from ``start`` on asked for again of which the ledger has not each record once, and what a hand
        has written there cleared away."""
        for piece, seq in self._ledger.restore(self._job, start):
            if seq == BOARDS_LOST:
                raise self.chunks.missed(piece.chunk)
            log.warning("restored: its entries were deleted, or written by hand", job=self._job, piece=str(piece))
            self._progress.resent += 1
            self._spoilt[piece.chunk] += 1
            self._ledger.send(self._job, piece, seq)

    def _solve_spoilt(self) -> None:
        """Whatever somebody goes on writing into the ledger, it ends here."""
        for number, times in sorted(self._spoilt.items()):
            if times >= self._settings.lies:
                self.solve_chunk(number, "its entries were deleted or written by hand too often")

    def _split(self, piece: Piece, entry: Entry) -> None:
        """Something in ``piece`` kills whoever solves it: in parts, all else gets its answer."""
        parts = piece.parts(WAYS)
        seqs = self._ledger.split(self._job, piece, entry, parts)
        if seqs == [BOARDS_LOST]:
            raise self.chunks.missed(piece.chunk)
        if seqs:
            log.warning("split", job=self._job, piece=str(piece), tries=entry.tries, last=entry.token)
            self._pieces += len(parts)
            self._progress.resent += len(parts)
            for part, seq in zip(parts, seqs, strict=True):
                self._ledger.send(self._job, part, seq)
            self._note("split", piece, f"{_attempt(entry)}, no try is left", entry.token)

    def _requeue(self, piece: Piece, entry: Entry, lie: Blame | None = None) -> int:
        """The number under which ``piece`` is queued now; 0: it is no longer as it was seen."""
        seq = self._ledger.requeue(self._job, piece, entry, lie)
        if seq == BOARDS_LOST:
            raise self.chunks.missed(piece.chunk)
        return seq

    def reread(self, piece: Piece, fact: Fact) -> bool:
        """Get back a reply that was given up for want of room. False: it is gone, and so is the fact."""
        if fact.reply is None:
            found = self._ledger.answers(self._job, {piece: fact.seq}, room=self._room).get(piece)
            if found is None or digest(found.reply) != fact.digest:
                self.facts.drop(piece)
                return False
            self.facts.restore(fact, Reply.decode(found.reply, len(piece)))
        return True

    def _take(self, piece: Piece, entry: Entry, answered: Answered | None) -> None:
        if answered is None and not self.chunks.get(piece.chunk).has_work:  # born answered
            self.facts.add(piece, Fact(OWN, Reply.of([Claim(None)] * len(piece)), 0))
            return
        if answered is None or answered.piece != str(piece).encode():
            # It has vanished; or it is about another, and somebody has put it there by hand.
            self._spoilt[piece.chunk] += 1
            self.again(piece, entry)
            return
        teller = proven(answered.token, answered.secret)
        try:
            examined = examine(self.chunks.get(piece.chunk), piece, answered, self._codes, self._asked)
        except Lie as lie:
            self._reject(piece, entry, str(lie), teller)
            return
        audited = tuple(index for index in self._audit.of(piece) if examined.reply.codes[index] in AUDITED)
        case = Case(piece, entry, examined.reply, len(answered.reply), examined.open, audited, teller)
        if examined.open or audited:
            self._docket.open(case, boards_of(self.chunks.get(piece.chunk), piece))
        else:
            self._add(case, {})

    def _solve_here(self, piece: Piece, cause: str, worker: str = "") -> None:
        if len(piece) > 1 and self._docket.own >= SOLVING_MOST:
            return  # it will be asked for again
        log.warning("solved by the collector itself", job=self._job, piece=str(piece), cause=cause)
        self._note("solved here", piece, cause, worker)
        boards = boards_of(self.chunks.get(piece.chunk), piece)
        indices = [index for index, board in enumerate(slots(boards)) if board != HOLE]
        self._docket.open(Case(piece, None, None, 0, indices), boards)

    def _rule_worker(self, case: Case, entry: Entry, ruling: Ruling) -> None:
        assert case.reply is not None
        rulings: dict[int, Answer] = {}
        for index, claim in zip(case.indices, ruling.claims, strict=False):
            if claim is None or claim.status is None:
                rulings[index] = FAILED
            elif claim.status is Status.UNDECIDED:  # also of a claimed none that the second opinion cannot confirm
                rulings[index] = Answer(Status.UNDECIDED, nodes=claim.nodes)
            elif claim.status is not STATUSES[case.reply.codes[index]]:
                reason = f"the claim about its record {index} is false, it is {claim.status}"
                self._reject(case.piece, entry, reason, case.teller)
                return
        said = case.reply.some(case.audited)
        for index, claim, answer in zip(case.audited, ruling.claims[len(case.indices) :], said, strict=True):
            # What this process dies of, a worker may survive; and an answer must not depend on the sample.
            if claim is not None and claim != answer:
                reason = f"its record {index} was audited, and is {claim.status} after {claim.nodes} nodes"
                self._reject(case.piece, entry, reason, case.teller)
                return
        self._note_failed(case, rulings, ruling)
        self._add(case, rulings)

    def _rule_own(self, case: Case, ruling: Ruling) -> None:
        boards = boards_of(self.chunks.get(case.piece.chunk), case.piece)
        by_index = dict(zip(case.indices, ruling.claims, strict=True))
        rulings = {index: FAILED for index, claim in by_index.items() if claim is None or claim.status is None}
        made = [by_index.get(index) or Claim(None) for index in range(len(case.piece))]
        reply = Reply.of(made)
        for index, verdict in enumerate(judge(boards, reply)):
            if verdict == WRONG and reply.codes[index] != HOLE_CODE:
                log.error("this installation's solver gives a wrong answer", board=slots(boards)[index].hex()[:81])
                rulings[index] = FAILED
        self._note_failed(case, rulings, ruling)
        self.facts.add(case.piece, Fact(OWN, reply, len(reply.encode()), rulings))

    def _note_failed(self, case: Case, rulings: dict[int, Answer], ruling: Ruling) -> None:
        for place, index in enumerate(case.indices):
            if rulings.get(index) is FAILED:
                lo = case.piece.lo + index
                cause = ruling.causes.get(place, "two solvers contradict each other")
                self._note("failed", Piece(case.piece.chunk, lo, lo + 1), cause)

    def _note(self, what: str, piece: Piece, cause: str, worker: str = "") -> None:
        """Note for `gridmill dead` what went wrong with ``piece``."""
        chunk = self.chunks.get(piece.chunk)
        before = chunk.read_side().first - 1
        puzzle = unpack(boards_of(chunk, piece)) if len(piece) == 1 and boards_of(chunk, piece) != HOLE else ""
        records = (before + piece.lo + 1, before + piece.hi)
        self._incidents.note(Incident(what, cause, *records, "" if worker == "-" else worker, puzzle))

    def _add(self, case: Case, rulings: dict[int, Answer]) -> None:
        assert case.entry is not None
        self.facts.add(case.piece, Fact(case.entry.seq, case.reply, case.size, rulings))

    def _reject(self, piece: Piece, entry: Entry, reason: str, teller: tuple[str, str] | None) -> None:
        log.warning("answer rejected", job=self._job, piece=str(piece), worker=entry.token, reason=reason)
        told = Blame(*(teller or ("", "")), self._settings.lies)
        seq = self._requeue(piece, entry, told)
        if not seq:
            return
        self._progress.rejected += 1
        if entry.lies + 1 < self._settings.lies:  # else nobody is asked any more, see `Unwanted`
            self._ledger.send(self._job, piece, seq)
        self._note("rejected", piece, reason, entry.token)


def _attempt(entry: Entry) -> str:
    """How the last start of a piece ended without an answer."""
    return f"start {entry.tries}: " + ("its process died" if entry.lost else "no sign of life")
