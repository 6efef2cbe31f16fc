"""The collector's loop: read answers, write what is in order, and only then judge what is overdue.

Everything here follows three sentences: the manuscript's journal is the authority on what has been answered; a verified
answer is a fact about its records, whoever sent it and whenever; only this process's monotonic clock measures age.
"""

from collections.abc import Callable
from concurrent.futures import Executor
from threading import Event
from typing import NoReturn

from collector.declines import Declines
from collector.intake import Intake
from collector.keeper import Keeper
from collector.manuscript import Manuscript
from collector.outcasts import Outcasts
from collector.overdue import Overdue
from collector.patience import Patience
from collector.progress import Progress
from collector.referee import Referee
from collector.repeats import Repeats
from collector.rows import sheet
from collector.silence import Silence, Wakefulness
from collector.tenure import Tenure
from collector.unwanted import Unwanted
from gridmill import logs
from gridmill.answers import DISAGREES
from gridmill.clock import SYSTEM, Clock
from gridmill.entry import JobView, Place, Snapshot
from gridmill.errors import BrokerLost, Incomplete
from gridmill.formats.output import SheetWriter
from gridmill.incidents import Incidents
from gridmill.job import Spec
from gridmill.known import compared
from gridmill.ledger import Ledger
from gridmill.settings import Settings
from gridmill.shelf import Shelf

RETRY_WAIT = (0.1, 5.0)  # s, first and longest wait after a broken connection, doubling
# Steps that are so much farther apart than a tick were interrupted (SIGSTOP, suspend): half of the lease, because
# workers were perhaps stopped with us.
GAP_SHARE = 0.5
MAKING_WAIT = 0.02  # s until a job is looked for again that its producer is making: it takes some 20 ms

log = logs.get("collector")


class Collector:
    """Collects one job into one manuscript.

    ``feeding``: the producer lives beside this collector and makes the job again when the server has lost it; without
    it, a lost job or a producer that has gone silent ends the run with an error that says how to go on.
    ``is_own``: whether a worker that declined, as its reason begins with, is of this run: then no other is waited for.
    ``repeats``: what is in the manuscript already. ``shelf``: where a producer in this process leaves its chunks.
    """

    def __init__(
        self,
        ledger: Ledger,
        job: str,
        spec: Spec,
        manuscript: Manuscript,
        writer: SheetWriter,
        settings: Settings,
        referee: Referee,
        incidents: Incidents,
        *,
        feeding: bool,
        is_own: Callable[[str], bool] = lambda reason: False,
        repeats: Repeats | None = None,
        shelf: Shelf | None = None,
        clock: Clock = SYSTEM,
        aside: Executor | None = None,
    ) -> None:
        self._ledger, self._job, self._settings, self._feeding = ledger, job, settings, feeding
        self._is_own = is_own
        self._manuscript, self._writer, self._referee, self._clock = manuscript, writer, referee, clock
        self._answers, self._asked = spec.answers, spec.asked
        self._repeats = repeats or Repeats(spec.asked)
        self.progress = Progress(job=job)
        self._intake = Intake(ledger, job, spec, settings, referee, self.progress, incidents, shelf)
        self._overdue = Overdue(lease=settings.lease, grace=settings.grace, grace_max=settings.grace_max)
        self._unwanted = Unwanted(lies=settings.lies, lease=settings.lease)
        self._patience = Patience(settings.lease)
        self._outcasts = Outcasts(incidents)
        self._declines = Declines(incidents, settings.lease)
        self._producer = Silence(settings.lease)
        self._wakefulness = Wakefulness(settings.tick + GAP_SHARE * settings.lease)
        state = manuscript.state
        self._place = state.place
        self._keeper = Keeper(manuscript, clock, referee.stirred, aside)
        self._tenure = Tenure(ledger, job, self._keeper, manuscript.name)
        self.progress.written = state.place.record
        self.progress.counts.update(state.counts)

    @property
    def place(self) -> Place:
        """What is safe in the manuscript: where a job that the server has lost has to begin again."""
        return self._keeper.saved

    def run(self, stop: Event, on_tick: Callable[[Progress], None]) -> bool:
        """Collect until the job is done (True) or ``stop`` is set (False). ``on_tick`` is called at least every tick.

        Closes the referee and the keeper. Raises Incomplete, JobError (cancelled, or collected elsewhere), OutputError,
        BrokerError.
        """
        wait = RETRY_WAIT[0]
        try:
            if not self._manuscript.state.done:
                self._open()
                while not stop.is_set():
                    on_tick(self.progress)
                    try:
                        if self._step(stop):
                            break
                        wait = RETRY_WAIT[0]
                    except BrokerLost as error:
                        log.warning("server lost", job=self._job, reason=str(error))
                        self._tenure.lapse()
                        self._clock.wait(wait, stop)
                        wait = min(2 * wait, RETRY_WAIT[1])
                else:
                    self._save()
                    return False
            return self._publish(stop, on_tick)
        finally:
            self._referee.close()
            self._keeper.close()

    def _open(self) -> None:
        if self._manuscript.state.offset == 0:
            self._keeper.write([self._writer.header()])
            self._save()

    def _step(self, stop: Event) -> bool:
        """One tick; whether the job is finished."""
        if not self._tenure.is_held and not self._attach():
            self._clock.wait(min(self._settings.tick, MAKING_WAIT), stop)
            return False
        # What is written may still be there, until it is safe.
        snapshot = self._tenure.look(self._place.chunk)
        if snapshot is None:
            return False
        if self._wakefulness.slept(self._clock.now()):
            self._begin_ages()
        self._look(snapshot)
        if snapshot.torn or snapshot.scribbled:
            self._intake.mend(self._place.chunk)
        more = self._intake.take(snapshot)
        wrote = self._write_in_order(snapshot.job)
        self._keep()
        total = snapshot.job.total
        if total is not None and self._place.chunk >= total:
            return True
        self._hurry(snapshot)
        if not more:
            self._judge(snapshot)
        if not more and not wrote:
            self._wait(snapshot)
        return False

    def _attach(self) -> bool:
        """Become this job's collector, and read everything anew: the server may be older than the manuscript.

        False: the server does not know the job yet, or no longer, and the producer has still to see to that.
        """
        if self._place != self._keeper.saved:
            self._save()
        if self._tenure.begin():
            self._intake.reset()
            self._begin_ages()
            return True
        if self._feeding:
            return False
        raise Incomplete(
            f"the server has lost job {self._job}; what was written stays valid, {self._manuscript.way_on}",
            job=self._job,
        )

    def _begin_ages(self) -> None:
        self._overdue.reset()
        self._unwanted.reset()
        self._declines.reset()
        self._patience.reset()
        self._producer.reset()

    def _look(self, snapshot: Snapshot) -> None:
        job, progress = snapshot.job, self.progress
        progress.enqueued, progress.bytes_in_flight = job.place.record, job.bytes_in_flight
        progress.total = job.place.record if job.total is not None else None
        progress.queued = sum(entry.state == "q" for entry in snapshot.entries.values())
        progress.started = sum(entry.state == "s" for entry in snapshot.entries.values())
        self._outcasts.look(job)

    def _write_in_order(self, job: JobView) -> bool:
        begun = self._place
        while self._place.chunk < job.place.chunk and self._write_chunk(self._place.chunk):
            self._keep()
        return self._place != begun

    def _write_chunk(self, number: int) -> bool:
        """Write a chunk if all of it is known."""
        facts = self._intake.facts
        if not facts.any_of(number):
            return False
        chunk = self._intake.chunks.get(number)
        known = facts.covering(number, len(chunk))
        if known is None or not all(self._intake.reread(piece, fact) for piece, fact in known):
            return False
        made, disagreements = compared(sheet(chunk, known, self._asked), self._answers)
        made, repeats = self._repeats.marked(made)
        if made.side.first != self._place.record + 1:
            raise Incomplete(
                f"chunk {number} begins with record {made.side.first}, the output ends with {self._place.record}",
                job=self._job,
            )
        self._keeper.write(self._writer.sheet(made))
        self._place = Place(number + 1, self._place.record + len(chunk), chunk.chained(self._place.chain))
        self.progress.written = self._place.record
        self.progress.counts.update(made.counts() + repeats)
        if self._answers:
            self.progress.counts[DISAGREES] += disagreements
        self._intake.drop(number)
        return True

    def _save(self, *, done: bool = False) -> None:
        self._keeper.save(self._place, dict(self.progress.counts), done=done)

    def _keep(self) -> None:
        """Have what was written saved when it is time, and once it is safe, have the server forget it."""
        if self._keeper.has_ended():
            self._tenure.let_go()
        self._keeper.begin(self._place, dict(self.progress.counts))

    def _hurry(self, snapshot: Snapshot) -> None:
        """Have the chunk whose turn it is solved here when workers have had it for too long."""
        turn, now = self._place.chunk, self._clock.now()
        self._patience.look(snapshot, turn, now, passed=self._intake.facts.any_beyond(turn))
        if turn < snapshot.job.place.chunk and self._patience.is_over(turn, now):
            self._intake.solve_chunk(turn, "workers had it for too long")

    def _judge(self, snapshot: Snapshot) -> None:
        now = self._clock.now()
        for due in self._overdue.due(snapshot, now):
            if self._intake.waits_for(due.piece):
                self._intake.again(*due)
        self._intake.solve(self._unwanted.of(snapshot, now, self._intake.waits_for))
        declined = self._declines.look(snapshot, now, self._intake.waits_for)
        if declined and self._is_own(declined):
            self._end(
                f"the workers of this run decline job {self._job} ({declined}), and nobody else has begun anything for "
                f"{self._settings.lease:g} s. gridmill doctor says what is wrong with this installation; what was "
                f"written stays valid, {self._manuscript.way_on}"
            )
        if self._feeding or snapshot.job.total is not None or self._place.chunk < snapshot.job.place.chunk:
            return
        if self._producer.lasts((snapshot.job.producer, snapshot.job.fed, snapshot.job.place.chunk), now):
            self._end(
                f"the producer of job {self._job} has gone before the end of its input; everything that it sent is "
                f"written. Go on with gridmill submit --job {self._job} and the same input, then collect again"
            )

    def _end(self, why: str) -> NoReturn:
        """Stop before the job's end, with all safe that was written."""
        self._save()
        self._tenure.let_go()
        raise Incomplete(why, job=self._job)

    def _wait(self, snapshot: Snapshot) -> None:
        """Wait for another answer, a tick at most; what comes from elsewhere meanwhile needs no look at the server."""

        def see_to_it() -> bool:
            """Whether another look is due already."""
            self._intake.settle()
            wrote = self._write_in_order(snapshot.job)
            self._keep()
            return (wrote and self._place.chunk == snapshot.job.place.chunk) or not self._tenure.is_held

        self._ledger.wait(self._job, snapshot.answers, self._settings.tick, self._referee.stirred, see_to_it)

    def _publish(self, stop: Event, on_tick: Callable[[Progress], None]) -> bool:
        """Journal done → rename → the job's end in the server, which nobody waits for beyond a lease.

        False: stopped before the rename.
        """
        if not self._manuscript.state.done:
            self._save(done=True)
        for _ in self._manuscript.finish():
            on_tick(self.progress)
            if stop.is_set():
                return False
        self._manuscript.publish()
        deadline = self._clock.now() + self._settings.lease
        while self._clock.now() < deadline and not stop.is_set():
            try:
                self._tenure.end()
                break
            except BrokerLost:
                on_tick(self.progress)
                self._clock.wait(self._settings.tick, stop)
        return True
