"""``gridmill cancel``: end a job."""

from gridmill.cli.command import LOGS, SERVER, command, needs_broker
from gridmill.cli.panels import argument
from gridmill.errors import JobError
from gridmill.settings import Settings


@command(*SERVER, *LOGS, log_level="warning")
@argument("job", metavar="JOB", help="What gridmill submit has printed.")
def cancel(job: str, settings: Settings) -> int:
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
