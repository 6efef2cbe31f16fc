"""``gridmill cancel``: end a job."""

from typing import Annotated

import typer

from gridmill.cli.overrides import LOGS, SERVER, needs_broker, with_settings
from gridmill.errors import JobError
from gridmill.settings import Settings


@with_settings(*SERVER, *LOGS, log_level="warning")
def cancel_command(
    job: Annotated[str, typer.Argument(metavar="JOB", help="What gridmill submit has printed.")],
    *,
    settings: Settings,
) -> int:
    """End a job, and delete what waits on the server for it.

    What has been written stays.
    """
    from gridmill import mill

    needs_broker(settings, "cancel")
    state = mill.cancel(job, settings)
    if state != "cancelled":
        raise JobError(f"job {job} is {state} already", job=job)
    print(f"job {job} is cancelled")
    return 0
