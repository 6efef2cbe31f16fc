"""The composition root: knows every role, starts and joins them. The command line knows only this.

The roles are imported when they are needed: a producer has neither the worker's code nor a kernel, and a command that
only asks the server something starts faster.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext, suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from gridmill import broker, heap, logs, roles
from gridmill.ask import Ask as Ask
from gridmill.embedded import Server
from gridmill.errors import BrokerError, Incomplete, JobEnded, JobError, Stopped, UnknownJob, WireError
from gridmill.formats.input import Input
from gridmill.job import Spec, checked, is_id, new_id
from gridmill.roles import Nurseries, Tell
from gridmill.runs import Runs
from gridmill.settings import Settings
from gridmill.shelf import Shelf
from gridmill.sitting import Sitting, Summary
from gridmill.stop import on_signals
from gridmill.track import RUNNING, Tracks

if TYPE_CHECKING:
    from collector.journal import Head
    from collector.manuscript import Manuscript
    from collector.progress import Progress
    from collector.unfinished import Unfinished as Unfinished
    from gridmill.chunk import Chunk
    from gridmill.doctor import Finding
    from gridmill.ledger import Ledger
    from gridmill.onlooker import Look
    from producer.feed import Feed

WARM_SECONDS = 10.0  # for a worker to finish what it has begun on a server that outlives it: twenty-five chunks' time

log = logs.get("mill")

Watch = Callable[["Progress", Input | None], None]


def solve(
    ask: Ask,
    out: Path | None,
    form: str,
    settings: Settings,
    watch: Watch,
    *,
    force: bool = False,
    tell: Tell | None = None,
    before: Callable[[], None] = lambda: None,
    nurseries: Nurseries | None = None,
) -> Summary:
    """Solve a whole input into ``out`` (None: standard output), with workers of its own.

    Without ``settings.broker`` a private server is started for the run. ``before`` is called when server and workers
    are started, and the first record is read when it returns. The processes are of ``nurseries``, where there are any.
    Raises GridmillError; what was written before stays valid, and the same call goes on with it.
    """
    records = ask.records()
    known = None if out is None or force else begun(out)
    job = known.job if known else new_id()
    spec = _sized(ask, records, known).spec(records)
    with ExitStack() as stack:
        stop = stack.enter_context(on_signals())
        manuscript = stack.enter_context(_opened(out, job, spec, form, settings, force=force))
        server = None
        if settings.broker is None:
            data = Runs(settings.state_dir).server_folder(job)
            if out is None:
                stack.callback(shutil.rmtree, data, ignore_errors=True)  # nobody can go on with it
            server = stack.enter_context(Server(data))
            settings = settings.model_copy(update={"broker": server.url})
        else:  # a look at it comes before workers try for ever to reach it
            stack.enter_context(_not_left(open_ledger(settings), job, manuscript, out))
        workers = roles.supervisor(settings, tell, nurseries)
        stack.callback(workers.stop)  # at once: on the way out everything is written, or will be solved again
        workers.start()  # first, since it takes them longest
        ledger = open_ledger(settings)
        # Of a server that others use, what workers say may be a forgery, and is not to end a run.
        own = workers if server is not None else None
        shelf = Shelf(settings.in_flight)
        sitting = Sitting(
            ledger, job, spec, manuscript, out, form, settings,
            feeding=True, workers=own, shelf=shelf, nurseries=nurseries,
        )  # fmt: skip
        collector = sitting.collector
        feeding = roles.feeding(ledger, job, spec, records, settings, lambda: collector.place, shelf)
        stack.callback(feeding.stop)

        def tick(progress: Progress) -> None:
            feeding.check()
            if server is not None:
                if not server.alive():
                    log.warning("the private server ended and is started again")
                    server.restart()
                server.check()
            workers.watch()
            watch(progress, records)

        before()
        feeding.start()
        summary = sitting.run(stop, tick, records)
        watch(summary.progress, records)
        if not summary.finished and server is None:
            workers.stop(warm=WARM_SECONDS)
        return replace(summary, skipped=records.skipped, restarts=workers.restarts)


def resume(
    out: Path, settings: Settings, watch: Watch, *, tell: Tell | None = None, nurseries: Nurseries | None = None
) -> Summary:
    """Go on with an unfinished `solve` into ``out``. Raises UnknownJob when there is none."""
    if (head := begun(out)) is None:
        raise UnknownJob(f"there is nothing to resume: {out} has no journal")
    try:
        spec = Spec.decode(head.spec)
    except WireError as error:
        raise WireError(
            f"this release cannot go on with {out}: {error}; use that release, or start anew (gridmill solve --force)"
        ) from error
    return solve(Ask.again(spec), out, head.form, settings, watch, tell=tell, nurseries=nurseries)


def begun(out: Path) -> Head | None:
    """What the unfinished run into ``out`` was begun with; None: there is none. Raises OutputError when damaged."""
    from collector.journal import peek

    known = peek(out)
    return known[0] if known else None


def unfinished(settings: Settings) -> list[Unfinished]:
    """The runs of this user that are not finished, the latest last."""
    from collector.unfinished import described

    found = ((job, described(out)) for job, out in Runs(settings.state_dir).unfinished().items())
    return [run for job, run in found if run is not None and run.job == job]  # or another has begun there anew


def submit(
    ask: Ask, settings: Settings, job: str | None, announce: Callable[[str], None], watch: Callable[[Feed, Input], None]
) -> bool:
    """Feed an input to the server, until all of it is enqueued. ``announce`` gets the job id as soon as there is one.

    Whether the server has it on its disk; False: it cannot promise that. ``job`` goes on with one that was begun.
    """
    records = ask.records()
    ledger = open_ledger(settings)
    if job is not None:
        ask = ask.resized(_spec_of(job, ledger.view(checked(job)).spec, "go on with"))
    spec = ask.sized(records).spec(records)
    job = job or new_id()
    heap.keep()
    feeding = roles.feeding(ledger, job, spec, records, settings, origin=None)
    feed = feeding.feed
    with on_signals() as stop:
        if not feed.attach():
            raise JobEnded(f"job {job} has ended; submit without --job makes a new one", job=job)
        announce(job)
        feeding.start()
        while feeding.is_running:
            watch(feed, records)
            feed.show_life()
            if stop.wait(settings.tick):
                feeding.stop()
                raise Stopped(
                    f"stopped before the end; gridmill submit --job {job} with the same input goes on",
                    job=job,
                    signal=stop.signal,
                )
        feeding.check()
        watch(feed, records)
        return feed.durable


def collect(job: str, out: Path | None, form: str, settings: Settings, watch: Watch, *, force: bool = False) -> Summary:
    """Collect a submitted job into ``out`` (None: standard output). Raises UnknownJob and other GridmillErrors."""
    ledger = open_ledger(settings)
    view = ledger.view(checked(job))
    if view.state != "open" and (out is None or begun(out) is None):
        where = f" and written to {view.out}" if view.out else ""
        raise JobEnded(f"job {job} is {view.state}{where}; there is nothing to collect", job=job)
    spec = _spec_of(job, view.spec, "collect")
    with ExitStack() as stack:
        stop = stack.enter_context(on_signals())
        manuscript = stack.enter_context(_opened(out, job, spec, form, settings, force=force))
        sitting = Sitting(ledger, job, spec, manuscript, out, form, settings, feeding=False)
        summary = sitting.run(stop, lambda progress: watch(progress, None))
        watch(summary.progress, None)
        return summary


def follow(name: str, settings: Settings, show: Callable[[Look], None], say: Callable[[str], None]) -> Look:
    """Follow a job from elsewhere until it ends; the last look at it. ``name``: its id, or the output of a run here.

    By what ``settings.broker`` knows of it; without, by what a run on this machine notes of itself. ``show`` gets each
    look, ``say`` that the server is away, and back, and that another release made the job. Raises UnknownJob,
    BrokerError, Stopped.
    """
    from gridmill.onlooker import Onlooker, OnServer, OnThisMachine

    tracks = Tracks(settings.state_dir)
    job = name if is_id(name) else _run_into(name, tracks)
    view = OnThisMachine(tracks, job, _unread) if settings.broker is None else OnServer(open_ledger(settings), job)
    with on_signals() as stop:
        last = Onlooker(view, settings.lease, say).follow(show, stop, settings.tick)
    if last.state == RUNNING:
        raise Stopped(f"stopped watching; job {job} goes on without", job=job, signal=stop.signal)
    return last


def work(settings: Settings) -> int:
    """Run supervised workers on ``settings.broker`` until told to stop; how often they had to be started again."""
    open_ledger(settings)
    workers = roles.supervisor(settings, None)
    with on_signals() as stop:
        workers.start()
        try:
            while not stop.wait(settings.tick):
                workers.watch()
        finally:
            workers.stop(warm=WARM_SECONDS)
    return workers.restarts


def examine(settings: Settings) -> Iterator[Finding]:
    """What is wrong with this installation and with ``settings.broker``, and what to change."""
    from gridmill import doctor
    from worker import health

    return doctor.examine(settings, lambda: health.check(settings))


def open_ledger(settings: Settings) -> Ledger:
    """The ledger of ``settings.broker``, after a look that it can be used. Raises BrokerError."""
    from gridmill.ledger import Ledger

    client = broker.redis_client(settings)
    broker.check(client, settings)
    return Ledger.of(client, settings)


def chunks(records: Input, size: int) -> Iterator[Chunk]:
    """What the producer makes of ``records``."""
    from producer.cut import cut

    return (made.chunk for made in cut(records, size))


def cancel(job: str, settings: Settings) -> str:
    """End a job and delete what waits in the server; the state that it has now. Raises UnknownJob."""
    ledger = open_ledger(settings)
    ledger.view(checked(job))
    return ledger.final(job, "cancelled")


def clean(settings: Settings, *, dry_run: bool) -> Iterator[str]:
    """Remove what is of no use any more, on this machine and on ``settings.broker``, and say what each thing was."""
    from collector.journal import path_of
    from gridmill import leftovers

    runs = Runs(settings.state_dir)
    yield from leftovers.runs_without_journal(runs, path_of, dry_run=dry_run)
    yield from leftovers.idle_servers(runs, dry_run=dry_run)
    yield from leftovers.incidents_without_output(settings.state_dir, path_of, dry_run=dry_run)
    yield from leftovers.tracks_without_output(Tracks(settings.state_dir), path_of, dry_run=dry_run)
    if settings.broker is not None:
        yield from leftovers.ended_jobs(open_ledger(settings), dry_run=dry_run)


@contextmanager
def _not_left(ledger: Ledger, job: str, manuscript: Manuscript, out: Path | None) -> Iterator[None]:
    """Cancel ``job`` at the end where nobody can go on with it, since nothing of it is in ``out``, or that is a stream:
    a server that others use would keep it for ever, and their workers would solve it."""
    is_ours = True
    try:
        yield
    except JobError as error:
        is_ours = isinstance(error, Incomplete)  # else it has ended, or is another's now
        raise
    finally:
        is_kept = manuscript.is_published or (out is not None and manuscript.state.place.record)
        if is_ours and not is_kept:
            with suppress(BrokerError):
                ledger.final(job, "cancelled")


def _sized(ask: Ask, records: Input, known: Head | None) -> Ask:
    """``ask``, with the chunks of the run that is gone on with, or those that suit ``records``."""
    if known is None:
        return ask.sized(records)
    with suppress(WireError):  # of a job of another release: that it is another one is said where the output is opened
        return ask.resized(Spec.decode(known.spec))
    return ask


def _spec_of(job: str, data: bytes, what: str) -> Spec:
    """The spec of a job of a server. Raises WireError where this release cannot do ``what`` with it."""
    try:
        return Spec.decode(data)
    except WireError as error:
        raise WireError(
            f"this release cannot {what} job {job}: {error}; use that release, or gridmill cancel {job} ends it"
        ) from error


def _run_into(out: str, tracks: Tracks) -> str:
    """The job whose answers go to ``out``: the one that has a journal there, else the latest that went there."""
    from collector.unfinished import described

    known = described(Path(out)) or tracks.of_output(Path(out))
    if known is None:
        raise UnknownJob(f"{out!r} is not a job id, and no run on this machine goes to such a file", job=out)
    return known.job


def _unread(out: str) -> str:
    """Why this release cannot go on with the run into ``out``; empty where it can, or there is none."""
    from collector.unfinished import described

    known = described(Path(out))
    return "" if known is None else known.unread


def _opened(
    out: Path | None, job: str, spec: Spec, form: str, settings: Settings, *, force: bool
) -> AbstractContextManager[Manuscript]:
    """The output of ``job``."""
    from collector.manuscript import StreamManuscript
    from collector.opening import opened

    if out is None:
        return nullcontext(StreamManuscript(1))
    return opened(out, job, spec, form, Runs(settings.state_dir), force=force)
