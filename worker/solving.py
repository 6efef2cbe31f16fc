"""What a worker does with a message: BEGIN, solve, FINISH. A failure is never an exception that Celery would see."""

import threading
from collections.abc import Callable
from typing import NamedTuple

from gridmill import logs, solvers
from gridmill.clock import SYSTEM, Clock
from gridmill.digest import digest
from gridmill.errors import BrokerError, BrokerLost, GridmillError, PackageError, UnknownJob, WireError
from gridmill.finding import room
from gridmill.job import Spec, is_id
from gridmill.ledger import Ledger
from gridmill.message import SEQ_MAX
from gridmill.piece import Piece
from gridmill.refusals import Refusals
from gridmill.settings import Settings
from gridmill.solvers import Solver
from gridmill.solvers.claim import reply_to
from worker.heart import Heart
from worker.identity import Identity, crew

REFUSED_WAIT = 1.0  # s that a refused worker stands still, or it would take messages as fast as it hands them back
SPECS_HELD = 64  # specs kept in memory: more jobs than one fleet has at a time
FINISH_PATIENCE = 300.0  # s to keep finished work while the server is away; the lease has long passed by then
FINISH_WAIT = (0.1, 5.0)  # s, first and longest wait between two tries, doubling

log = logs.get("worker")


class Message(NamedTuple):
    """What the producer and the collector send: a piece of a job, and the number of this sending."""

    job: str
    piece: Piece
    seq: int

    @classmethod
    def check(cls, job: object, piece: object, seq: object) -> "Message":
        """Raises WireError for anything that this version would not have sent."""
        if not isinstance(job, str) or not is_id(job):
            raise WireError(f"{str(job)[:60]!r} is not a job id")
        if not isinstance(piece, str):
            raise WireError("the piece is not text")
        if not isinstance(seq, int) or isinstance(seq, bool) or not 0 < seq < SEQ_MAX:
            raise WireError(f"{str(seq)[:60]!r} is not a sequence number")
        return cls(job, Piece.parse(piece), seq)


class Solving:
    """The work of one worker process; ``connect`` opens its ledger when the first message comes (after the fork)."""

    def __init__(self, settings: Settings, connect: Callable[[], Ledger], clock: Clock = SYSTEM) -> None:
        self._connect, self._clock = connect, clock
        self._heart = Heart(settings.beat)
        self.identity = Identity()
        self._opened: Ledger | None = None
        self._specs: dict[str, Spec] = {}
        self._own = threading.local()
        self._refusals, self._declines = Refusals(log), Refusals(log)

    @property
    def _ledger(self) -> Ledger:
        if self._opened is None:
            self._opened = self._connect()
        return self._opened

    @property
    def _solvers(self) -> dict[str, Solver]:
        """This thread's, kept for what they build once: a solver is not to be shared by threads."""
        found: dict[str, Solver] = self._own.__dict__.setdefault("solvers", {})
        return found

    def take(self, job: object, piece: object, seq: object) -> None:
        """Handle one message. Whatever is wrong with it is logged; the ledger sees to the piece."""
        try:
            message = Message.check(job, piece, seq)
        except WireError as error:
            self._refusals.note("message refused", reason=str(error))
            return
        with logs.about(job=message.job, piece=str(message.piece)):
            try:
                self._take(message)
            except GridmillError as error:
                log.warning("piece not answered", reason=str(error))

    def lost(self, job: object, piece: object, seq: object) -> None:
        """The child process that had this message died: say so, which saves waiting for the lease."""
        try:
            message = Message.check(job, piece, seq)
            self._ledger.lost(*message)
            log.warning("child lost", job=message.job, piece=str(message.piece))
        except GridmillError as error:
            log.warning("child lost, and not reported", reason=str(error))

    def _take(self, message: Message) -> None:
        spec = self._spec(message)
        if spec is None:
            return
        token = self.identity.new_token()
        begun = self._ledger.begin(*message, token)
        if begun.said == "liar":
            log.error("this worker's answers were false, it gets no more work of this job", worker=token)
            self._ledger.send(*message)
            self._clock.wait(REFUSED_WAIT)
            return
        if begun.said != "ok":
            # taken, unknown, done: a late or repeated message, which is normal; lost boards are not.
            (log.error if begun.said == "lost" else log.debug)("piece not begun", said=begun.said)
            return
        start = self._clock.now()
        try:
            reply = self._solve(message, spec, token, begun.boards)
        except Exception:
            log.exception("the solver failed")
            self._ledger.lost(*message)
            return
        said = self._finish(message, token, begun.boards, reply, room(spec.asked))
        seconds = round(self._clock.now() - start, 3)
        log.info("piece finished", records=len(message.piece), seconds=seconds, said=said)

    def _spec(self, message: Message) -> Spec | None:
        """The job's spec; None, and the message declined, when this worker must not or cannot solve for it."""
        spec = self._specs.get(message.job)
        if spec is not None:
            return spec
        try:
            spec = Spec.decode(self._ledger.view(message.job).spec)
            version = self._solver(spec.solver).version
            if version != spec.version:
                raise WireError(f"the job wants {spec.solver} version {spec.version}, this worker has {version}")
        except BrokerError:
            raise
        except GridmillError as error:
            reason = f"{crew()}: {error}"
            self._ledger.decline(message.job, message.seq, reason)
            if isinstance(error, UnknownJob):  # a late message, or a forged one
                self._refusals.note("message refused", reason=str(error))
            else:
                self._declines.note("declined", reason=reason)
            return None
        while len(self._specs) >= SPECS_HELD:
            del self._specs[next(iter(self._specs))]
        self._specs[message.job] = spec
        return spec

    def _solver(self, name: str) -> Solver:
        if name not in self._solvers:
            try:
                self._solvers[name] = solvers.get(name)
            except GridmillError:
                raise
            except Exception as error:  # whatever a library does when it is not as it should be
                raise PackageError(f"the solver {name} cannot be loaded: {error!r}") from error
        return self._solvers[name]

    def _solve(self, message: Message, spec: Spec, token: str, boards: bytes) -> tuple[bytes, ...]:
        def beat() -> None:
            try:
                self._ledger.beat(message.job, message.piece, token)
            except BrokerError as error:
                log.warning("beat failed", reason=str(error))

        solver, asked = self._solver(spec.solver), spec.asked
        with self._heart.over(beat, spec.budget + asked.nodes) as work:
            reply = reply_to(solver, boards, first=spec.first, budget=spec.budget, asked=asked, tick=work.tick)
        return reply.parts

    def _finish(self, message: Message, token: str, boards: bytes, reply: tuple[bytes, ...], room: int) -> str:
        wait, deadline = FINISH_WAIT[0], self._clock.now() + FINISH_PATIENCE
        about, secret = digest(boards), self.identity.secret
        while True:
            try:
                return self._ledger.finish(message.job, message.piece, token, about, reply, secret, room=room)
            except BrokerLost as error:
                if self._clock.now() > deadline:
                    raise
                if wait == FINISH_WAIT[0]:  # once; else nobody could tell why nothing goes on
                    log.warning("answer waits for the server", reason=str(error))
                self._clock.wait(wait)
                wait = min(2 * wait, FINISH_WAIT[1])
