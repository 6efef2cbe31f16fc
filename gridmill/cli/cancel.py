"""``gridmill cancel``: end a job."""

from gridmill.cli.command import LOGS, SERVER, command, needs_broker
from gridmill.cli.panels import argument
from gridmill.settings import Settings


@command(*SERVER, *LOGS, log_level="warning")
@argument("job", metavar="JOB", help="What gridmill submit has printed, and gridmill status lists.")
def cancel(job: str, settings: Settings) -> int:
    """End a job, and delete what waits on the server for it.

    What has been written stays. A job that has ended already is left as it is, which is no error. A job that another
    release made is ended like any other.
    """
    from gridmill import mill

    needs_broker(settings, "cancel")
    state = mill.cancel(job, settings)
    print(f"job {job} is cancelled" if state == "cancelled" else f"job {job} was {state} already")
    return 0
