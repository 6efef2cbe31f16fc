"""What is of no use any more: found, said, and removed unless it is a ``dry_run``.

Outputs, finished or not, and their journals are the user's and never touched.
"""

from collections.abc import Callable, Iterator
from pathlib import Path

from gridmill import incidents
from gridmill.errors import UnknownJob
from gridmill.ledger import Ledger
from gridmill.runs import Runs
from gridmill.socketfolder import lock, unlock
from gridmill.track import Tracks

_LOG = "server.log"  # in its folder; a private server holds a lock on it for as long as it lives


def runs_without_journal(runs: Runs, journal_of: Callable[[Path], Path], *, dry_run: bool) -> Iterator[str]:
    """Records of runs that nobody can go on with, and their servers' data."""
    for job, out in runs.unfinished().items():
        if not journal_of(out).exists():
            yield f"the record of run {job}: {out} has no journal any more"
            if not dry_run:
                runs.remove(job)


def idle_servers(runs: Runs, *, dry_run: bool) -> Iterator[str]:
    """Data of private servers that belong to no unfinished run, and that nobody uses now."""
    for job in runs.served():
        if job in runs.unfinished():
            continue
        try:
            held = lock(runs.server_folder(job) / _LOG)
        except OSError:  # in use, or just removed by its run
            continue
        yield f"the data of a private server: {runs.server_folder(job)}"
        if not dry_run:
            runs.remove(job)
        unlock(held)


def incidents_without_output(state_dir: Path, journal_of: Callable[[Path], Path], *, dry_run: bool) -> Iterator[str]:
    """What went wrong in jobs whose output is neither there nor being made."""
    for job in incidents.jobs(state_dir):
        out = Path(incidents.Incidents.load(state_dir, job).about.out)
        if out.is_file() or journal_of(out).exists():
            continue
        yield f"what is known to have gone wrong in job {job}, whose output is gone"
        if not dry_run:
            incidents.remove(state_dir, job)


def tracks_without_output(tracks: Tracks, journal_of: Callable[[Path], Path], *, dry_run: bool) -> Iterator[str]:
    """How far runs were that are over, and whose output is neither there nor being made."""
    for job in tracks.jobs():
        track = tracks.load(job)
        if track is None or tracks.is_running(track):
            continue
        if track.out and (Path(track.out).is_file() or journal_of(Path(track.out)).exists()):
            continue
        yield f"the track of run {job}, whose output is gone"
        if not dry_run:
            tracks.remove(job)


def ended_jobs(ledger: Ledger, *, dry_run: bool) -> Iterator[str]:
    """What a server still knows of jobs that are done or cancelled."""
    for job in ledger.jobs():
        try:
            state = ledger.view(job).state
        except UnknownJob:  # its name alone is left
            state = "no longer there"
        if state == "open":
            continue
        yield f"the record of job {job}, which is {state}"
        if not dry_run:
            ledger.forget(job)
