"""``gridmill clean``: remove what runs and jobs have left."""

from typing import Annotated

import typer

from gridmill.cli.overrides import LOGS, SERVER, with_settings
from gridmill.settings import Settings


@with_settings(*SERVER, "state_dir", *LOGS, log_level="warning")
def clean_command(
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would be removed.")] = False,
    *,
    settings: Settings,
) -> int:
    """Remove what ended jobs and broken runs have left.

    That is on a server, if one is named, and in the state folder. Outputs, finished or not, and their journals are
    never touched.
    """
    from gridmill import mill

    would = "would remove" if dry_run else "removed"
    removed = [f"{would} {what}" for what in mill.clean(settings, dry_run=dry_run)]
    print("\n".join(removed or ["nothing to remove"]))
    return 0
