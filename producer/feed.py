"""The producer's loop: ENQUEUE every chunk, send its message, follow where Redis says, hold back at the budget."""

import contextlib
import secrets
from collections.abc import Callable
from threading import Event

from gridmill import logs
from gridmill.clock import SYSTEM, Clock
from gridmill.entry import Place
from gridmill.errors import BrokerLost, Fenced, Incomplete, InputChanged, UnknownJob
from gridmill.ledger import Ledger
from gridmill.piece import Piece
from gridmill.said import Enqueued
from gridmill.shelf import Shelf
from producer.script import Records, Script

FULL_WAIT = 0.05  # s between two looks when the bytes in flight are at their budget: it lasts for half a second
FULL_LOOKS = 20  # of those until a chunk is offered again, whatever they showed: a chunk costs a thousand times a look
STAY_WAIT = 0.25  # s between two looks at a job that is fed: the collector's tick
RETRY_WAIT = (0.1, 5.0)  # s, first and longest wait after a broken connection, doubling

log = logs.get("producer")


class Feed:
    """Feeds one job.

    ``origin`` says where the job has to begin when Redis does not know it (the collector's journal); None: this
    producer must not create a job again, and stops with Incomplete when Redis has lost it.
    ``stay``: remain, able to rewind, until the job has ended; else return when all is enqueued, and `durable` says
    whether the server has it on its disk. ``beat`` is the seconds between two signs of life (see `show_life`).
    ``shelf``: where a collector in this process finds what is enqueued.
    """

    def __init__(
        self,
        ledger: Ledger,
        job: str,
        spec: bytes,
        records: Records,
        *,
        chunk: int,
        budget: int,
        beat: float,
        origin: Callable[[], Place] | None = None,
        stay: bool = True,
        shelf: Shelf | None = None,
        clock: Clock = SYSTEM,
    ) -> None:
        self._ledger, self._job, self._spec = ledger, job, spec
        self._budget, self._beat, self._origin, self._stay = budget, beat, origin, stay
        self._shelf, self._clock = shelf, clock
        self._token = secrets.token_hex(8)
        self._generation = 0
        self._script = Script(records, chunk, job)
        self._stop = Event()
        self._attached = False
        self._shown = clock.now()
        self.full = False  # whether the server holds as much of the job as it may, and this producer waits
        self.closed = False  # whether all is enqueued, as far as this producer knows
        self.durable = False

    @property
    def place(self) -> Place:
        """How far the job is enqueued."""
        return self._script.at

    def stop(self) -> None:
        """Make `run` return soon; what is enqueued stays."""
        self._stop.set()

    def attach(self) -> bool:
        """CREATE the job or attach to it, and go to the place that Redis names. False: the job has ended.

        Raises InputChanged, Incomplete (the input cannot be read again), BrokerError.
        """
        start = self._origin() if self._origin else Place()
        reply = self._ledger.create(self._job, self._token, self._spec, start)
        if reply.said == "differs":
            raise InputChanged(f"job {self._job} was made with other options or inputs", job=self._job)
        if reply.said != "ok":
            return False
        self._generation = reply.generation
        self._script.seek(reply.place)
        self._attached = True
        return True

    def run(self) -> None:
        """Feed until the end (see ``stay``). A broken connection is waited out.

        Raises what `attach` raises, Fenced, and Incomplete when Redis has lost a job without ``origin``.
        """
        wait = RETRY_WAIT[0]
        while not self._stop.is_set():
            try:
                if not self._attached and not self._attach_again():
                    return
                if self._step():
                    return
                wait = RETRY_WAIT[0]
            except BrokerLost as error:
                log.warning("server lost", job=self._job, reason=str(error))
                self._attached = False
                self._clock.wait(wait, self._stop)
                wait = min(2 * wait, RETRY_WAIT[1])

    def show_life(self) -> None:
        """Say that this producer is alive, if it is time again. For a caller beside `run`, in another thread.

        Reading the input may block for as long as whoever writes it likes; so a collector elsewhere would take a
        producer for gone that only waits.
        """
        now = self._clock.now()
        if now - self._shown >= self._beat:
            self._shown = now
            with contextlib.suppress(BrokerLost):
                self._ledger.feeding(self._job, self._token)

    def _attach_again(self) -> bool:
        if self._origin is None and self._generation:
            # Not made anew from its first record: its collector may have written a part of it.
            try:
                self._ledger.view(self._job)
            except UnknownJob as error:
                raise Incomplete(
                    f"the server has lost job {self._job}; if a part of it was collected, gridmill resume goes on with "
                    "that output, else submit the input again",
                    job=self._job,
                ) from error
        return self.attach()

    def _step(self) -> bool:
        """One chunk, or the end; whether nothing is left to do."""
        cut = self._script.current
        if cut is None:
            return self._close()
        reply = self._ledger.enqueue(self._job, self._token, cut.at, cut.chunk, cut.after, self._budget)
        self.full = reply.said == "full"
        if self.full:
            self._wait_for_room(reply.in_flight)
            return False
        if reply.said != "ok":
            return self._follow(reply)
        if self._shelf is not None:
            self._shelf.put(cut.at.chunk, cut.chunk)
        self._script.advance()
        if cut.chunk.has_work:
            self._ledger.send(self._job, Piece(cut.at.chunk, 0, len(cut.chunk)), reply.seq)
        return False

    def _wait_for_room(self, in_flight: int) -> None:
        """Wait until the server holds another number of bytes than ``in_flight``."""
        for _ in range(FULL_LOOKS):
            self._clock.wait(FULL_WAIT, self._stop)
            if self._stop.is_set() or self._ledger.in_flight(self._job) != in_flight:
                return

    def _close(self) -> bool:
        # CLOSE is idempotent, so asking again is also how a producer sees that Redis went back in time: one that stays
        # goes on asking, one that leaves asks once more when the server has everything on its disk.
        reply = self._ledger.close(self._job, self._token, self._script.at.chunk)
        if reply.said == "ok" and not self._stay:
            self.durable = self._ledger.flush(self._job, self._token)
            reply = self._ledger.close(self._job, self._token, self._script.at.chunk)
        self.closed = reply.said == "ok"
        if not self.closed:
            return self._follow(reply)
        if self._stay:
            self._clock.wait(STAY_WAIT, self._stop)
        return not self._stay

    def _follow(self, reply: Enqueued) -> bool:
        if reply.said == "rewind":
            self._script.seek(reply.place)
        elif reply.said == "fenced" and reply.generation >= self._generation:
            raise Fenced(f"another producer has taken over job {self._job}", job=self._job)
        elif reply.said == "closed":
            raise InputChanged(
                f"job {self._job} was closed after {self._script.at.record:,} records, and the input has more now; "
                "give the original input, or start a new job",
                job=self._job,
            )
        elif reply.said in ("fenced", "nojob"):  # the server went back to before this producer, or to before the job
            self._attached = False
        else:  # done or cancelled
            return True
        return False
