"""``gridmill clean``: remove what runs and jobs have left."""

from gridmill.cli.command import LOGS, SERVER, command
from gridmill.cli.panels import option
from gridmill.settings import Settings


@command(*SERVER, "state_dir", *LOGS, log_level="warning")
@option("--dry-run", is_flag=True, help="Only say what would be removed.")
def clean(dry_run: bool, settings: Settings) -> int:
    """Remove what ended jobs and broken runs have left.

    That is on a server, if one is named, and in the state folder. Outputs, finished or not, and their journals are
    never touched.
    """
    from gridmill import mill

    would = "would remove" if dry_run else "removed"
    removed = [f"{would} {what}" for what in mill.clean(settings, dry_run=dry_run)]
    print("\n".join(removed or ["nothing to remove"]))
    return 0
