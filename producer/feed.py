"""The producer's loop: ENQUEUE every chunk, send its message, follow where Redis says, hold back at the budget."""

import contextlib
import secrets
import threading
from collections.abc import Callable
from threading import Event

from gridmill.entry import Place
from gridmill.errors import BrokerLost, Fenced, InputChanged
from gridmill.ledger import Enqueued, Ledger
from gridmill.piece import Piece
from producer.script import Records, Script

FULL_WAIT = 0.02  # s to wait when the bytes in flight are at their budget: a fraction of a chunk's time
STAY_WAIT = 0.25  # s between two looks at a job that is fed: the collector's tick
RETRY_WAIT = (0.1, 5.0)  # s, first and longest wait after a broken connection, doubling
LIFE_PERIOD = 5.0  # s between two signs of life of a producer without news: a third of the collector's patience

Send = Callable[[str, Piece, int], None]


class Feed:
    """Feeds one job.

    ``origin`` says where the job has to begin when Redis does not know it (the collector's journal); None: this
    producer must not create a job again, and stops with UnknownJob when Redis has lost it.
    ``stay``: remain, able to rewind, until the job has ended; else return when all is enqueued.
    """

    def __init__(
        self,
        ledger: Ledger,
        send: Send,
        job: str,
        spec: bytes,
        records: Records,
        *,
        chunk: int,
        budget: int,
        origin: Callable[[], Place] | None = None,
        stay: bool = True,
    ) -> None:
        self._ledger, self._send, self._job, self._spec = ledger, send, job, spec
        self._budget, self._origin, self._stay = budget, origin, stay
        self._token = secrets.token_hex(8)
        self._script = Script(records, chunk, job)
        self._stop = Event()
        self._attached = False
        self.closed = False  # whether all is enqueued, as far as this producer knows

    @property
    def place(self) -> Place:
        """How far the job is enqueued."""
        return self._script.at

    def stop(self) -> None:
        """Make `run` return soon; what is enqueued stays."""
        self._stop.set()

    def attach(self) -> None:
        """CREATE the job or attach to it, and go to the place that Redis names.

        Raises InputChanged, Incomplete (the input cannot be read again), BrokerError.
        """
        start = self._origin() if self._origin else Place()
        reply = self._ledger.create(self._job, self._token, self._spec, start)
        if reply.said == "differs":
            raise InputChanged(f"job {self._job} was made with other options or inputs", job=self._job)
        if reply.said == "ok":
            self._script.seek(reply.place)
        self._attached = True

    def run(self) -> None:
        """Feed until the end (see ``stay``). A broken connection is waited out.

        Raises what `attach` raises, Fenced, and UnknownJob when Redis has lost a job without ``origin``.
        """
        if not self._stay:  # else the collector is beside it and can see whether it lives
            threading.Thread(target=self._show_life, name="feeding", daemon=True).start()
        wait = RETRY_WAIT[0]
        while not self._stop.is_set():
            try:
                if not self._attached:
                    self._attach_again()
                if self._step():
                    return
                wait = RETRY_WAIT[0]
            except BrokerLost:
                self._attached = False
                self._stop.wait(wait)
                wait = min(2 * wait, RETRY_WAIT[1])

    def _show_life(self) -> None:
        # In a thread, because reading the input may block for as long as whoever writes it likes.
        while not self.closed and not self._stop.wait(LIFE_PERIOD):
            with contextlib.suppress(BrokerLost):
                self._ledger.feeding(self._job, self._token)

    def _attach_again(self) -> None:
        if self._origin is None:
            self._ledger.view(self._job)  # raises UnknownJob rather than making a lost job anew from its first record
        self.attach()

    def _step(self) -> bool:
        """One chunk, or the end; whether nothing is left to do."""
        cut = self._script.current
        if cut is None:
            return self._close()
        reply = self._ledger.enqueue(self._job, self._token, cut.at, cut.chunk, cut.after, self._budget)
        if reply.said == "full":
            self._stop.wait(FULL_WAIT)
            return False
        if reply.said != "ok":
            return self._follow(reply)
        self._script.advance()
        if cut.chunk.has_work:
            self._send(self._job, Piece(cut.at.chunk, 0, len(cut.chunk)), reply.seq)
        return False

    def _close(self) -> bool:
        # CLOSE is idempotent, so asking again is also how a producer that stays sees that Redis went back in time.
        reply = self._ledger.close(self._job, self._token, self._script.at.chunk)
        self.closed = reply.said == "ok"
        if not self.closed:
            return self._follow(reply)
        if self._stay:
            self._stop.wait(STAY_WAIT)
        return not self._stay

    def _follow(self, reply: Enqueued) -> bool:
        if reply.said == "rewind":
            self._script.seek(reply.place)
        elif reply.said == "fenced":
            raise Fenced(f"another producer has taken over job {self._job}", job=self._job)
        elif reply.said == "nojob":
            self._attached = False
        else:  # done or cancelled
            return True
        return False
