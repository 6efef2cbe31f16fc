"""The composition root: knows every role, starts and joins them. The command line knows only this.

The roles are imported when they are needed: a producer has neither the worker's code nor a kernel, and a command that
only asks the server something starts faster.
"""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from gridmill import broker, logs, solvers
from gridmill.embedded import Server
from gridmill.entry import Place
from gridmill.errors import Incomplete, OutputError, UnknownJob
from gridmill.formats.input import Input
from gridmill.formats.output import writer
from gridmill.job import WIRE, Spec, is_id, new_id
from gridmill.ledger import Ledger
from gridmill.runs import Runs
from gridmill.settings import Settings

if TYPE_CHECKING:
    from collector.collect import Collector
    from collector.manuscript import Manuscript
    from collector.progress import Progress
    from producer.feed import Feed, Send
    from worker.supervisor import Supervisor

WARM_SECONDS = 10.0  # for a worker to finish what it has begun on a server that outlives it: a hundred chunks' time

log = logs.get("mill")

Watch = Callable[["Progress", Input | None], None]


@dataclass(frozen=True)
class Ask:
    """What is asked of an input. ``budget`` and ``chunk`` None: what suits the solver."""

    inputs: tuple[str, ...]
    solver: str = solvers.DEFAULT
    first: bool = False
    budget: int | None = None
    chunk: int | None = None
    column: str | None = None

    def spec(self, records: Input) -> Spec:
        """The job's spec. Raises SettingsError for an unknown solver, FormatError when the input cannot be read."""
        solver = solvers.get(self.solver)
        return Spec(
            wire=WIRE,
            solver=self.solver,
            version=solver.version,
            first=self.first,
            budget=self.budget or solver.budget,
            chunk=self.chunk or solver.chunk,
            column=self.column or "",
            columns=records.columns,
            inputs=tuple(path if path == "-" else str(Path(path).absolute()) for path in self.inputs),
        )

    @classmethod
    def again(cls, spec: Spec) -> Ask:
        """What a stored spec asked."""
        return cls(spec.inputs, spec.solver, spec.first, spec.budget, spec.chunk, spec.column or None)


@dataclass(frozen=True)
class Summary:
    """How a run ended. ``finished`` False: it was stopped, and what is written stays. ``written`` in this run alone."""

    job: str
    finished: bool
    progress: Progress
    skipped: int
    seconds: float
    written: int
    restarts: int = 0


def solve(ask: Ask, out: Path | None, form: str, settings: Settings, watch: Watch, *, force: bool = False) -> Summary:
    """Solve a whole input into ``out`` (None: standard output), with workers of its own.

    Without ``settings.broker`` a private server is started for the run. Raises GridmillError; what was written before
    stays valid, and the same call goes on with it.
    """
    records = Input(ask.inputs, column=ask.column)
    spec = ask.spec(records)
    with ExitStack() as stack:
        stop = stack.enter_context(_stop_on_signals())
        job, manuscript = stack.enter_context(_manuscript(out, spec, form, settings, force=force))
        server = None
        if settings.broker is None:
            server = stack.enter_context(Server(settings.state_dir / "servers" / job))
            settings = settings.model_copy(update={"broker": server.url})
        workers = _workers(settings)
        stack.callback(workers.stop)  # at once: on the way out everything is written, or will be solved again
        ledger, send = _connect(settings)
        collector = _collector(ledger, send, job, spec, manuscript, form, settings, feeding=True)
        feeding = _Feeding(_feed(ledger, send, job, spec, records, settings, origin=lambda: collector.place))
        stack.callback(feeding.stop)

        def tick(progress: Progress) -> None:
            feeding.check()
            workers.watch()
            if server is not None and not server.alive():
                log.warning("the private server ended and is started again")
                server.restart()
            watch(progress, records)

        workers.start()
        feeding.start()
        summary = _run(collector, job, stop, tick)
        if not summary.finished and server is None:
            workers.stop(warm=WARM_SECONDS)
        return replace(summary, skipped=records.skipped, restarts=workers.restarts)


def resume(out: Path, settings: Settings, watch: Watch) -> Summary:
    """Go on with an unfinished `solve` into ``out``. Raises OutputError when there is none."""
    from collector.journal import peek

    known = peek(out)
    if known is None:
        raise OutputError(f"there is nothing to resume: {out} has no journal")
    head, _ = known
    return solve(Ask.again(Spec.decode(head.spec)), out, head.form, settings, watch)


def submit(
    ask: Ask, settings: Settings, job: str | None, announce: Callable[[str], None], watch: Callable[[Feed, Input], None]
) -> bool:
    """Feed an input to the server, until all of it is enqueued. ``announce`` gets the job id as soon as there is one.

    Whether the server has it on its disk; False: it cannot promise that. ``job`` goes on with one that was begun.
    """
    records = Input(ask.inputs, column=ask.column)
    spec = ask.spec(records)
    ledger, send = _connect(settings)
    if job is not None:
        ledger.view(_checked(job))  # raises UnknownJob
    job = job or new_id()
    feed = _feed(ledger, send, job, spec, records, settings, origin=None)
    with _stop_on_signals() as stop:
        feed.attach()
        announce(job)
        feeding = _Feeding(feed)
        feeding.start()
        while feeding.is_running:
            watch(feed, records)
            if stop.wait(settings.tick):
                feeding.stop()
                raise Incomplete(f"stopped before the end; gridmill submit --job {job} goes on", job=job)
        feeding.check()
        durable = ledger.flush()
        feed.run()  # once more: the server may have gone back in time before it had everything on its disk
        return durable


def collect(job: str, out: Path | None, form: str, settings: Settings, watch: Watch, *, force: bool = False) -> Summary:
    """Collect a submitted job into ``out`` (None: standard output). Raises UnknownJob and other GridmillErrors."""
    ledger, send = _connect(settings)
    spec = Spec.decode(ledger.view(_checked(job)).spec)
    with ExitStack() as stack:
        stop = stack.enter_context(_stop_on_signals())
        _, manuscript = stack.enter_context(_manuscript(out, spec, form, settings, force=force, job=job))
        collector = _collector(ledger, send, job, spec, manuscript, form, settings, feeding=False)
        return _run(collector, job, stop, lambda progress: watch(progress, None))


def work(settings: Settings) -> int:
    """Run supervised workers on ``settings.broker`` until told to stop; how often they had to be started again."""
    open_ledger(settings)
    workers = _workers(settings)
    with _stop_on_signals() as stop:
        workers.start()
        try:
            while not stop.wait(settings.tick):
                workers.watch()
        finally:
            workers.stop(warm=WARM_SECONDS)
    return workers.restarts


def open_ledger(settings: Settings) -> Ledger:
    """The ledger of ``settings.broker``, after a look that it can be used. Raises BrokerError."""
    broker.check(broker.redis_client(settings), settings)
    return Ledger.connect(settings)


def cancel(job: str, settings: Settings) -> str:
    """End a job and delete what waits in the server; the state that it has now. Raises UnknownJob."""
    ledger = open_ledger(settings)
    ledger.view(_checked(job))
    return ledger.final(job, "cancelled")


class _Feeding:
    """A feed in a thread of its own, whose error is raised where `check` is called."""

    def __init__(self, feed: Feed) -> None:
        self._feed = feed
        self._error: Exception | None = None
        # A daemon, because reading standard input may block for ever.
        self._thread = threading.Thread(target=self._run, name="producer", daemon=True)
        self.start = self._thread.start

    @property
    def is_running(self) -> bool:
        return self._thread.is_alive()

    def check(self) -> None:
        if self._error is not None:
            raise self._error

    def stop(self) -> None:
        self._feed.stop()

    def _run(self) -> None:
        try:
            self._feed.run()
        except Exception as error:
            self._error = error


def _connect(settings: Settings) -> tuple[Ledger, Send]:
    ledger = open_ledger(settings)
    app = broker.make_app(settings)
    return ledger, lambda job, piece, seq: broker.send_piece(app, job, piece, seq)


def _workers(settings: Settings) -> Supervisor:
    from worker.supervisor import Supervisor

    return Supervisor(settings.variables())


def _feed(
    ledger: Ledger,
    send: Send,
    job: str,
    spec: Spec,
    records: Input,
    settings: Settings,
    origin: Callable[[], Place] | None,
) -> Feed:
    from producer.feed import Feed

    return Feed(
        ledger,
        send,
        job,
        spec.encode(),
        records,
        chunk=spec.chunk,
        budget=settings.in_flight,
        origin=origin,
        stay=origin is not None,
    )


def _collector(
    ledger: Ledger,
    send: Send,
    job: str,
    spec: Spec,
    manuscript: Manuscript,
    form: str,
    settings: Settings,
    *,
    feeding: bool,
) -> Collector:
    from collector.collect import Collector

    made = writer(form, spec.columns)
    return Collector(ledger, send, job, spec, manuscript, made, settings, feeding=feeding)


def _run(collector: Collector, job: str, stop: threading.Event, tick: Callable[[Progress], None]) -> Summary:
    begun, before = time.monotonic(), collector.progress.written
    finished = collector.run(stop, tick)
    progress = collector.progress
    return Summary(job, finished, progress, 0, time.monotonic() - begun, progress.written - before)


@contextmanager
def _manuscript(
    out: Path | None, spec: Spec, form: str, settings: Settings, *, force: bool, job: str | None = None
) -> Iterator[tuple[str, Manuscript]]:
    """Open the output of ``job`` (None: the one that was begun there, or a new one)."""
    from collector.journal import Head, peek
    from collector.manuscript import FileManuscript, StreamManuscript

    if out is None:
        yield job or new_id(), StreamManuscript(1)
        return
    known = None if force else peek(out)
    if known is not None and job is None:
        job = known[0].job
    job = job or new_id()
    manuscript = FileManuscript.open(out, Head(job, spec.encode(), form), force=force)
    runs = Runs(settings.state_dir)
    runs.add(job, out)
    try:
        yield job, manuscript
    finally:
        manuscript.close()
        if manuscript.is_published:
            runs.remove(job)


@contextmanager
def _stop_on_signals() -> Iterator[threading.Event]:
    """An event that SIGINT (Ctrl-C) and SIGTERM set; the second one ends the process as if nobody listened."""
    stop = threading.Event()

    def note(number: int, _: object) -> None:
        stop.set()
        signal.signal(number, before[signal.Signals(number)])

    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    for number in before:
        signal.signal(number, note)
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _checked(job: str) -> str:
    if not is_id(job):
        raise UnknownJob(f"{job[:60]!r} is not a job id; gridmill status lists them", job=job)
    return job
