"""``gridmill dead``: what went wrong."""

import json
import sys
from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

import msgspec

from gridmill.cli import table
from gridmill.cli.command import LOGS, command
from gridmill.cli.panels import argument, option
from gridmill.settings import Settings

if TYPE_CHECKING:
    from gridmill.incidents import Incident

OVERVIEW = ("job", "failed", "incidents", "output")
DETAIL = ("time", "what", "records", "cause", "worker", "puzzle")
TOKEN_PARTS = 4  # behind the host (`worker.identity`)


@command("state_dir", *LOGS, log_level="warning")
@argument("job", metavar="[JOB]", required=False, help="One job in detail. Without: all in which anything went wrong.")
@option("--json", "as_json", is_flag=True, help="Print JSON: a list.")
def dead(job: str | None, as_json: bool, settings: Settings) -> int:
    """Show what went wrong in a job, and with what.

    Lost attempts, split pieces, rejected answers, refused workers, failed records. The machine that collects a job
    keeps this, also when the job has ended or its server is gone.
    """
    from gridmill.incidents import Incidents, jobs

    if job is not None:
        found = list(Incidents.load(settings.state_dir, job))
        _show([msgspec.structs.asdict(incident) for incident in found], list(map(_row, found)), as_json, DETAIL)
        return 0
    known = [_overview(Incidents.load(settings.state_dir, name)) for name in jobs(settings.state_dir)]
    rows = [[line["job"], f"{line['failed']:,}", f"{line['incidents']:,}", line["output"]] for line in known]
    _show(known, rows, as_json, OVERVIEW, numbers=(1, 2))
    return 0


def _show(
    values: list[dict[str, Any]], rows: list[list[str]], as_json: bool, head: Sequence[str], numbers: Sequence[int] = ()
) -> None:
    if as_json:
        print(json.dumps(values, indent=2))
    elif rows:
        table.show(rows, sys.stdout, head=head, numbers=numbers)
    else:
        print("nothing went wrong in any job", file=sys.stderr)


def _overview(incidents: Any) -> dict[str, Any]:
    whats = [incident.what for incident in incidents]
    retried = [place for place, what in enumerate(whats) if what == "retried"]
    failed = whats[retried[-1] if retried else 0 :].count("failed")  # what failed again was noted again behind it
    out = incidents.about.out
    return {"job": incidents.job, "failed": failed, "incidents": len(whats), "output": out or "standard output"}


def _row(incident: "Incident") -> list[str]:
    first, last = incident.first, incident.last
    records = "" if not first else f"{first:,}" if first == last else f"{first:,} to {last:,}"
    time = datetime.fromtimestamp(incident.at).isoformat(" ", "seconds")
    return [time, incident.what, records, incident.cause, _whose(incident.worker), incident.puzzle]


def _whose(worker: str) -> str:
    """Of a token what people know a process by: its machine and its number there."""
    host, *parts = worker.split("/")
    return f"{host}, process {parts[1]}" if len(parts) == TOKEN_PARTS else worker
