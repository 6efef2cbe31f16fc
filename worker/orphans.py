"""Pieces whose worker is known to be dead. To report them saves waiting until their lease is over."""

from gridmill import logs
from gridmill.errors import GridmillError
from gridmill.ledger import Ledger
from worker.identity import is_of

log = logs.get("supervisor")


def report(ledger: Ledger, group: int, *, told: bool = False) -> None:
    """CHILD_LOST for every piece that a process of ``group`` on this machine has begun; ``told``: it had to stop, and
    hands them back. Best effort: what goes wrong is logged, since the lease ends all the same."""
    try:
        for job in ledger.jobs():
            _report(ledger, job, group, told)
    except GridmillError as error:
        log.warning("what the worker had begun is not reported", reason=str(error))


def _report(ledger: Ledger, job: str, group: int, told: bool) -> None:
    snapshot = ledger.scan(job)
    entries = snapshot.entries if snapshot else {}
    for piece, entry in entries.items():
        if entry.state == "s" and is_of(entry.token, group):
            ledger.lost(job, piece, entry.seq, back=told)
            log.warning("handed back" if told else "worker lost", job=job, piece=str(piece))
