"""Making something go wrong on the way of a message: each fault strikes the next one that is sent, once."""

from collections import deque
from collections.abc import Callable
from typing import Any

from gridmill.answers import Status
from gridmill.board import HOLE, slots, unpack
from gridmill.digest import digest
from gridmill.ledger import Ledger
from gridmill.piece import Piece
from gridmill.reply import Claim, Reply
from gridmill.rules import clash

Send = Callable[[str, Piece, int], None]  # puts a message on the queue: a job, a piece, the number of this sending

_TOKEN = "gridmill-testing/1/1/{}"  # of a worker that there is not


class Faults:
    """Stands between a mill and its queue. ``sent`` counts the messages that got there, ``struck`` names the faults
    that have come about. ``kill`` ends the worker's processes, where it has any."""

    kill: Callable[[], None] | None = None

    def __init__(self, ledger: Ledger, send: Send) -> None:
        self._ledger, self._send = ledger, send
        self._armed: deque[tuple[str, Send]] = deque()
        self.struck: list[str] = []
        self.sent = 0

    def drop_message(self) -> None:
        """The next message is lost on its way."""
        self._armed.append(("drop_message", lambda job, piece, seq: None))

    def double_message(self) -> None:
        """The next message comes twice."""
        self._armed.append(("double_message", self._twice))

    def corrupt_answer(self) -> None:
        """The next piece is answered falsely, record by record, before any worker gets it."""
        self._armed.append(("corrupt_answer", self._lie))

    def kill_worker(self) -> None:
        """The next piece kills its worker. Processes are killed indeed, as the message is sent; in a thread, a worker
        that is not there begins the piece and is reported dead."""
        self._armed.append(("kill_worker", self._die))

    @property
    def waiting(self) -> int:
        """Faults that have not struck yet, for want of messages."""
        return len(self._armed)

    def send(self, job: str, piece: Piece, seq: int) -> None:
        """What the mill's ledger sends with."""
        name, act = self._armed.popleft() if self._armed else ("", self._pass)
        act(job, piece, seq)
        if name:
            self.struck.append(name)

    def _pass(self, job: str, piece: Piece, seq: int) -> None:
        self._send(job, piece, seq)
        self.sent += 1

    def _twice(self, job: str, piece: Piece, seq: int) -> None:
        self._pass(job, piece, seq)
        self._pass(job, piece, seq)

    def _lie(self, job: str, piece: Piece, seq: int) -> None:
        boards, token = self._begun(job, piece, seq)
        reply = Reply.of([_false(slot) for slot in slots(boards)])
        self._ledger.finish(job, piece, token, digest(boards), reply.encode())

    def _die(self, job: str, piece: Piece, seq: int) -> None:
        if self.kill is not None:
            self.kill()
            self._pass(job, piece, seq)
        else:
            self._begun(job, piece, seq)
            self._ledger.lost(job, piece, seq)

    def _begun(self, job: str, piece: Piece, seq: int) -> tuple[bytes, str]:
        """The boards of the piece, begun by a worker of that token."""
        token = _TOKEN.format(seq)
        begun = self._ledger.begin(job, piece, seq, token)
        assert begun.said == "ok", f"piece {piece} of job {job} could not be begun: {begun.said}"
        return begun.boards, token


class Struck(Ledger):
    """A ledger whose messages meet with ``faults``."""

    def __init__(self, *where: Any) -> None:
        super().__init__(*where)
        self.faults = Faults(self, super().send)

    def send(self, job: str, piece: Piece, seq: int) -> None:
        """See `Ledger`."""
        self.faults.send(job, piece, seq)


def _false(slot: bytes) -> Claim:
    """A claim about a board that is not true, whatever the board is."""
    if slot == HOLE:
        return Claim(None)
    return Claim(Status.CLASH if clash(unpack(slot)) is None else Status.NONE)
