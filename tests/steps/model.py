"""The protocol in its shortest form: what the steps say, and what the server holds after them."""

from dataclasses import dataclass, field

from gridmill.chunk import Fault, Record
from gridmill.entry import Entry
from gridmill.piece import Piece
from gridmill.said import Blame
from producer.cut import cut

BOARD = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
RUBBISH = Record(1, None, Fault(0, "no cells", "x"))
# Five chunks of different sizes, the second without a board.
RECORDS = [Record(1, BOARD)] * 2 + [RUBBISH] * 2 + [Record(1, BOARD, id="i" * size) for size in (1, 90, 1, 9, 1)]
CUTS = list(cut(RECORDS, 2))
PLACES = [cut.at for cut in CUTS] + [CUTS[-1].after]
COSTS = [3 * len(cut.chunk.boards) + len(cut.chunk.side) for cut in CUTS]
BUDGETS = [sum(COSTS), sum(COSTS), 2 * max(COSTS), 1]  # from "all" to "one at a time"


@dataclass
class Job:
    producer: str = ""
    generation: int = 0
    collector: str = ""
    out: str = ""
    state: str = "open"
    next: int = 0
    cursor: int = 0
    total: int | None = None
    lies: dict[str, int] = field(default_factory=dict)  # by the name of who told them
    refused: dict[str, str] = field(default_factory=dict)


@dataclass
class Model:
    """What the server should hold. An answered entry has the eid ``answer``."""

    job: Job | None = None
    entries: dict[Piece, Entry] = field(default_factory=dict)
    seq: int = 0
    mark: int = 0

    @property
    def refusal(self) -> str:
        """What a step says when it does nothing; empty while the job is open."""
        return "nojob" if self.job is None else "" if self.job.state == "open" else self.job.state

    @property
    def open(self) -> Job:
        assert self.job is not None
        return self.job

    @property
    def bytes(self) -> int:
        job = self.job
        return sum(COSTS[job.cursor : job.next]) if job is not None and job.state == "open" else 0

    def create(self, token: str, start: int) -> str:
        self.job = self.job or Job(next=start, cursor=start)
        if not self.refusal and self.job.producer != token:
            self.job.producer, self.job.generation = token, self.job.generation + 1
        return self.refusal or "ok"

    def enqueue(self, token: str, number: int, budget: int) -> str:
        if self.refusal:
            return self.refusal
        job, piece = self.open, whole(number)
        if job.producer != token:
            return "fenced"
        if job.next == number + 1 and piece in self.entries:
            return "ok"
        if job.next != number:
            return "rewind"
        if job.total is not None and number >= job.total:
            return "closed"
        if self.bytes + COSTS[number] > budget and number != job.cursor:
            return "full"
        self.seq, job.next = self.seq + 1, number + 1
        state = "q" if CUTS[number].chunk.has_work else "a"
        self.entries[piece] = Entry(state, self.seq, 0, 0, False, 0, "-")
        return "ok"

    def close(self, token: str, number: int) -> str:
        if self.refusal:
            return self.refusal
        if self.open.producer != token:
            return "fenced"
        if self.open.next != number:
            return "rewind"
        self.open.total = number
        return "ok"

    def begin(self, piece: Piece, seq: int, token: str) -> str:
        entry = None if self.refusal else self.entries.get(piece)
        liar = entry is not None and entry.state == "q" and token.split("/")[3] in self.open.refused
        if entry is not None and liar and entry.seq == seq:
            self.entries[piece] = entry._replace(beat=entry.beat + 1)
            return "liar"
        if seq <= self.seq:
            self.mark = max(self.mark, seq)
        if self.refusal:
            return self.refusal
        if entry is None:
            return "unknown"
        if entry.state == "s" and entry.token == token:
            return "ok"
        if liar or entry.state != "q":
            return "taken"
        self.entries[piece] = entry._replace(state="s", tries=entry.tries + 1, token=token, lost=False, beat=0)
        return "ok"

    def beat(self, piece: Piece, token: str) -> bool:
        entry = self.entries.get(piece)
        if entry is None or entry.state != "s" or entry.token != token:
            return False
        self.entries[piece] = entry._replace(beat=entry.beat + 1)
        return True

    def lost(self, piece: Piece, seq: int, back: bool) -> bool:
        entry = self.entries.get(piece)
        if entry is None or entry.state != "s" or entry.seq != seq:
            return False
        given_back = int(back and not entry.lost)
        self.entries[piece] = entry._replace(lost=True, tries=max(0, entry.tries - given_back))
        return True

    def finish(self, piece: Piece, token: str) -> str:
        entry = self.entries.get(piece)
        if self.refusal or entry is None or entry.state == "a":
            return "dropped"
        self.entries[piece] = entry._replace(state="a", token=token)
        return "ok"

    def requeue(self, piece: Piece, seen: Entry, lie: Blame | None) -> int:
        entry = self.entries.get(piece)
        if entry is None or identity(entry) != identity(seen):
            return 0
        self.seq += 1
        tries, lies = (entry.tries, entry.lies) if lie is None else (max(0, entry.tries - 1), entry.lies + 1)
        if lie is not None and lie.name:
            job = self.open
            job.lies[lie.name] = job.lies.get(lie.name, 0) + 1
            if job.lies[lie.name] >= lie.limit:
                job.refused[lie.name] = lie.where
        beat = entry.beat if entry.state == "q" else 0
        self.entries[piece] = Entry("q", self.seq, tries, lies, False, beat, "-")
        return self.seq

    def split(self, piece: Piece, seen: Entry, parts: list[Piece]) -> list[int]:
        entry = self.entries.get(piece)
        if entry is None or identity(entry) != identity(seen) or entry.state != "s":
            return []
        del self.entries[piece]
        for part in parts:
            self.seq += 1
            self.entries[part] = Entry("q", self.seq, max(0, entry.tries - 1), 0, False, 0, "-")
        return [self.entries[part].seq for part in parts]

    def torn(self) -> list[int]:
        """The chunks in flight that have not each record in one piece."""
        job = self.open
        held: dict[int, list[int]] = {number: [] for number in range(job.cursor, job.next)}
        for piece in self.entries:
            held[piece.chunk].extend(range(piece.lo, piece.hi))
        return [number for number in held if sorted(held[number]) != list(range(len(CUTS[number].chunk)))]

    def restore(self) -> list[tuple[Piece, int]]:
        torn = [] if self.refusal else self.torn()
        self.entries = {piece: entry for piece, entry in self.entries.items() if piece.chunk not in torn}
        for number in torn:
            self.seq += 1
            self.entries[whole(number)] = Entry("q", self.seq, 0, 0, False, 0, "-")
        return [(whole(number), self.entries[whole(number)].seq) for number in torn]

    def commit(self, token: str, to: int, own: bool, out: str) -> str:
        if self.refusal:
            return self.refusal
        job = self.open
        if own and job.out and job.out != out:
            return f"elsewhere {job.out}"
        if own and to < job.cursor:
            return "ahead"
        if not own and job.collector != token:
            return "fenced"
        self.entries = {piece: entry for piece, entry in self.entries.items() if piece.chunk >= to}
        job.collector, job.out, job.cursor, job.next = token, out, max(job.cursor, to), max(job.next, to)
        return "ok"

    def final(self, state: str) -> str:
        if self.job is None:
            return "nojob"
        self.entries = {}
        self.job.state = state if self.job.state == "open" else self.job.state
        return self.job.state


def whole(number: int) -> Piece:
    return Piece(number, 0, len(CUTS[number].chunk))


def identity(entry: Entry) -> tuple[str, int, str]:
    return entry.state, entry.seq, entry.token
