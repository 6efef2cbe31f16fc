"""``gridmill doctor``: what is wrong here, and what to change."""

import json
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from gridmill.cli import exit, table
from gridmill.cli.command import LOGS, SERVER, command
from gridmill.cli.panels import option
from gridmill.settings import Settings

if TYPE_CHECKING:
    from gridmill.doctor import Finding


@command(*SERVER, "queue", "workers", "in_flight", "state_dir", *LOGS, log_level="error")
@option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def doctor(as_json: bool, settings: Settings) -> int:
    """Say what is wrong with this installation, and what to change.

    With a server also what is wrong with that: whether it can be reached, what it is, how it keeps its data, what this
    user may do there, and which workers serve the queue. Each finding is ok, a warning (it works, and not as well or as
    safely as it could) or a problem (it does not work). Exit code 1 when there is a problem.
    """
    from gridmill import mill
    from gridmill.doctor import Grade

    findings = list(mill.examine(settings))
    problems = sum(finding.grade is Grade.PROBLEM for finding in findings)
    if as_json:
        print(json.dumps({"problems": problems, "findings": [finding._asdict() for finding in findings]}, indent=2))
    else:
        _show(findings)
    return exit.FOUND if problems else exit.DONE


def _show(findings: Sequence["Finding"]) -> None:
    rows: list[tuple[str, str, str]] = []
    for finding in findings:
        rows.append((finding.grade, finding.subject, finding.text))
        if finding.remedy:
            rows.append(("", "", f"→ {finding.remedy}"))
    table.show(rows, sys.stdout)
