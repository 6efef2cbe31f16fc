"""``gridmill dead``: what went wrong."""

import json
import sys
from datetime import datetime
from typing import Any

import msgspec

from gridmill.cli import table
from gridmill.cli.command import LOGS, command
from gridmill.cli.panels import argument, option
from gridmill.settings import Settings


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
        rows = [_row(msgspec.structs.asdict(incident)) for incident in found]
        _show([msgspec.structs.asdict(incident) for incident in found], rows, as_json)
        return 0
    known = [_overview(Incidents.load(settings.state_dir, name)) for name in jobs(settings.state_dir)]
    head = ["job", "failed", "incidents", "output"]
    _show(known, [[str(line[name]) for name in head] for line in known], as_json, head)
    return 0


def _show(values: list[dict[str, Any]], rows: list[list[str]], as_json: bool, head: Any = ()) -> None:
    if as_json:
        print(json.dumps(values, indent=2))
    elif rows:
        table.show(rows, sys.stdout, head=head)
    else:
        print("nothing went wrong in any job", file=sys.stderr)


def _overview(incidents: Any) -> dict[str, Any]:
    whats = [incident.what for incident in incidents]
    retried = [place for place, what in enumerate(whats) if what == "retried"]
    failed = whats[retried[-1] if retried else 0 :].count("failed")  # what failed again was noted again behind it
    out = incidents.about.out
    return {"job": incidents.job, "failed": failed, "incidents": len(whats), "output": out or "standard output"}


def _row(said: dict[str, Any]) -> list[str]:
    first, last = said["first"], said["last"]
    records = "" if not first else f"record {first:,}" if first == last else f"records {first:,} to {last:,}"
    time = datetime.fromtimestamp(said["at"]).astimezone().isoformat(" ", "seconds")
    return [time, said["what"], records, said["cause"], said["worker"], said["puzzle"]]
