"""``gridmill status``: what is going on."""

import json
import shlex
import sys
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gridmill.cli import exit, table
from gridmill.cli.command import LOGS, SERVER, command
from gridmill.cli.meter import duration
from gridmill.cli.panels import argument, option
from gridmill.cli.program import program
from gridmill.errors import UnknownJob, WireError
from gridmill.settings import Settings

if TYPE_CHECKING:
    from gridmill.entry import JobView, Snapshot
    from gridmill.mill import Unfinished

Described = dict[str, Any]


@command(*SERVER, "queue", "state_dir", *LOGS, log_level="warning")
@argument("job", metavar="[JOB|OUT]", required=False, help="One job in detail; a run here by its output, too.")
@option("--json", "as_json", is_flag=True, help="Print JSON: a list, or the one job.")
def status(job: str | None, as_json: bool, settings: Settings) -> int:
    """Show the jobs on a server, or the unfinished runs here.

    Without a server it is about the runs of this user on this machine, which gridmill resume goes on with.
    """
    jobs = _local(settings, job) if settings.broker is None else _served(settings, job)
    if as_json:
        print(json.dumps(jobs if job is None else jobs[0], indent=2))
    elif job is not None:
        said = {name: value for name, value in jobs[0].items() if value not in ("", {}, [])}
        table.show([(name.replace("_", " "), _text(name, value)) for name, value in said.items()], sys.stdout)
    elif jobs:
        _overview(jobs)
        for one in jobs:
            if one.get("unread"):
                exit.complain(f"{one['job']}: {one['unread']}; {one['to_do']}")
    else:
        print("no jobs" if settings.broker else "no unfinished runs", file=sys.stderr)
    return 0


def _local(settings: Settings, job: str | None) -> list[Described]:
    from gridmill import mill

    out = Path(job).absolute() if job is not None else None
    runs = [run for run in mill.unfinished(settings) if job in (None, run.job) or run.out == out]
    if job is not None and not runs:
        raise UnknownJob(f"no unfinished run here is {job[:60]!r}; for a server's jobs give --broker", job=job)
    return [
        {
            "job": run.job,
            "state": "unfinished",
            "solver": run.solver,
            "written": run.written,
            "counts": run.counts,
            "output": str(run.out),
            "inputs": list(run.inputs),
            "unread": run.unread,
            "to_do": _to_do_here(run),
        }
        for run in runs
    ]


def _to_do_here(run: "Unfinished") -> str:
    out = shlex.quote(str(run.out))
    if run.unread:
        return f"that release goes on with it (resume {out}), and this one starts anew (solve --force)"
    return f"go on: {program()} resume {out}"


def _served(settings: Settings, job: str | None) -> list[Described]:
    from gridmill import mill
    from gridmill.job import checked

    ledger = mill.open_ledger(settings)
    if job is not None:
        return [_described(checked(job), ledger.view(job), ledger.scan)]
    jobs = []
    for name in ledger.jobs():
        with suppress(UnknownJob):  # forgotten since
            jobs.append(_described(name, ledger.view(name), ledger.scan))
    return jobs


def _described(job: str, view: "JobView", look: Callable[[str], "Snapshot | None"]) -> Described:
    """The record of a job is the same in all releases; for the rest, a ``look`` of this one is taken at its own."""
    from gridmill.job import Spec

    try:
        spec = Spec.decode(view.spec)
    except WireError as error:
        to_do = f"go on with that release, or end the job: {program()} cancel {job}"
        return _recorded(job, view, {"unread": str(error), "to_do": to_do if view.state == "open" else ""})
    snapshot = look(job)
    entries = snapshot.entries if snapshot is not None else {}
    pieces = Counter(entry.state for entry in entries.values())
    answered = sum(len(piece) for piece, entry in entries.items() if entry.state == "a")
    read = {
        "solver": spec.solver,
        "inputs": list(spec.inputs),
        "pieces_waiting": pieces["q"],
        "pieces_started": pieces["s"],
        "pieces_answered": pieces["a"],
        "to_do": _to_do_there(job, view, answered) if answered else "",
    }
    return _recorded(job, view if snapshot is None else snapshot.job, read)


def _to_do_there(job: str, view: "JobView", answered: int) -> str:
    """Of a job with ``answered`` records that are not written: nobody can tell from here whether somebody is at it."""
    are = "1 record is answered and waits" if answered == 1 else f"{answered:,} records are answered and wait"
    if not view.out:
        return f"{are} to be collected: {program()} collect {job} -o OUT"
    return f"{are} to be written to {view.out}; if nobody is at it, the command that began it goes on"


def _recorded(job: str, view: "JobView", more: Described) -> Described:
    return {
        "job": job,
        "state": view.state,
        **more,
        "enqueued": view.place.record,
        "written": view.written,
        "total": view.place.record if view.total is not None else None,
        "counts": json.loads(view.counts or b"{}"),
        "bytes_in_flight": view.bytes_in_flight,
        "age": round(time.time() - view.created, 1),
        "output": view.out,
        "declined": view.declined,
        "refused_workers": [f"{where} (worker {name})" for name, where in sorted(view.refused.items())],
    }


def _overview(jobs: list[Described]) -> None:
    columns = [name for name in ("job", "state", "written", "enqueued", "total", "age", "output") if name in jobs[0]]
    numbers = [place for place, name in enumerate(columns) if name in ("written", "enqueued", "total", "age")]
    cells = [[_text(name, job[name]) for name in columns] for job in jobs]
    table.show(cells, sys.stdout, head=columns, numbers=numbers)


def _text(name: str, value: Any) -> str:
    if name == "age":
        return duration(value)
    if isinstance(value, dict):
        return ", ".join(f"{number:,} {status}" for status, number in value.items())
    if isinstance(value, list):
        return ", ".join(value)
    return f"{value:,}" if isinstance(value, int) else "not known yet" if value is None else str(value)
