"""Making the roles of settings. Like the mill, this knows all of them; they are imported when they are needed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gridmill import solvers
from gridmill.entry import Place
from gridmill.errors import JobError
from gridmill.finding import share
from gridmill.incidents import About, Incidents
from gridmill.job import Spec, new_id
from gridmill.settings import Settings
from gridmill.shelf import Shelf

if TYPE_CHECKING:
    from collector.collect import Collector
    from collector.delivery import Delivery
    from collector.manuscript import Manuscript
    from collector.nursery import Nursery as Children
    from gridmill.formats.output import SheetWriter
    from gridmill.ledger import Ledger
    from producer.feeding import Feeding
    from producer.script import Records
    from worker.nursery import Nursery as Workers
    from worker.supervisor import Supervisor

Tell = Callable[[str], None]  # gets each line that a worker logs; None: they go where this process's own go


@dataclass(frozen=True)
class Delivered:
    """A job whose answers a program takes out of ``delivery``, and the roles beside it."""

    job: str
    feeding: Feeding
    collector: Collector
    delivery: Delivery


def delivered(
    ledger: Ledger,
    spec: Spec,
    records: Records,
    settings: Settings,
    room: int,
    workers: Supervisor | None,
) -> Delivered:
    """A new job; up to ``room`` sheets wait to be taken, ``workers`` are as in `collector`."""
    from collector.delivery import Delivery

    job, delivery = new_id(), Delivery(room)
    about = About("", "", spec.encode())
    shelf = Shelf(settings.in_flight)
    made = collector(ledger, job, spec, delivery, delivery, about, settings, feeding=True, workers=workers, shelf=shelf)
    fed = feeding(ledger, job, spec, records, settings, lambda: made.place, shelf)
    return Delivered(job, fed, made, delivery)


@dataclass(frozen=True)
class Nurseries:
    """Where a run's workers come from, and its referee's children. Close them when none is wanted any more."""

    workers: Workers
    children: Children

    def close(self) -> None:
        """End what was forked and never wanted."""
        self.workers.close()
        self.children.close()


def nurseries() -> Nurseries:
    """The first of each is forked now, where that is possible; the worker before what it need not have is imported."""
    from worker.nursery import Nursery as Workers

    workers = Workers(ahead=True)
    from collector.nursery import Nursery as Children

    return Nurseries(workers, Children(ahead=True))


def supervisor(settings: Settings, tell: Tell | None, nurseries: Nurseries | None = None) -> Supervisor:
    """The workers, not started yet."""
    from gridmill.ledger import Ledger
    from worker import orphans
    from worker.supervisor import Supervisor

    ledger = Ledger.connect(settings)
    return Supervisor(
        settings.variables(),
        settings.lease,
        ledger.waiting,
        tell,
        lambda group, told: orphans.report(ledger, group, told=told),
        nurseries.workers if nurseries else None,
    )


def register(app: Any, settings: Settings, connect: Callable[[], Ledger]) -> None:
    """Give ``app`` the worker's tasks, which get their ledger by ``connect``."""
    from worker import tasks

    tasks.register(app, settings, connect)


def feeding(
    ledger: Ledger,
    job: str,
    spec: Spec,
    records: Records,
    settings: Settings,
    origin: Callable[[], Place] | None,
    shelf: Shelf | None = None,
) -> Feeding:
    """The producer in a thread, not started yet; for ``origin`` and ``shelf`` see `producer.feed.Feed`."""
    from producer.feed import Feed
    from producer.feeding import Feeding

    budget, beat, stay = settings.in_flight * share(spec.asked), settings.beat, origin is not None
    return Feeding(
        Feed(
            ledger, job, spec.encode(), records,
            chunk=spec.chunk, budget=int(budget), beat=beat, origin=origin, stay=stay, shelf=shelf,
        )
    )  # fmt: skip


def collector(
    ledger: Ledger,
    job: str,
    spec: Spec,
    manuscript: Manuscript,
    rows: SheetWriter,
    about: About,
    settings: Settings,
    *,
    feeding: bool,
    workers: Supervisor | None,
    shelf: Shelf | None = None,
    nurseries: Nurseries | None = None,
) -> Collector:
    """The collector, with a referee of its own. ``workers``: nobody but these, of this process, is there. ``shelf``:
    where the producer leaves its chunks, if it is here too. ``nurseries``: where the referee's children come from.

    Raises OutputError; JobError where its solver is not the job's.
    """
    from collector.collect import Collector
    from collector.manuscript import part_of
    from collector.referee import ChildReferee
    from collector.repeats import Repeats

    state = manuscript.state
    version = solvers.get(spec.solver).version
    if version != spec.version and not state.done:  # its own answers, which are the last word, would be others
        raise JobError(
            f"job {job} was begun with {spec.solver} version {spec.version}, and here is version {version}; answers of "
            "two are not mixed. Go on with the gridmill that began it, or start anew with --force",
            job=job,
        )
    written = 0 if state.done else state.place.record
    repeats = Repeats.recalled(spec.asked, part_of(Path(about.out)), written) if about.out else None
    children = nurseries.children if nurseries else None
    referee = ChildReferee(memory=settings.child_memory, seconds=settings.child_seconds, nursery=children)
    incidents = Incidents(settings.state_dir, job, about)
    is_own = workers.is_of if workers else lambda reason: False
    return Collector(
        ledger, job, spec, manuscript, rows, settings, referee, incidents,
        feeding=feeding, is_own=is_own, repeats=repeats, shelf=shelf,
    )  # fmt: skip
