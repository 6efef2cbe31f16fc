"""``gridmill work``: workers alone."""

from gridmill import kernel
from gridmill.cli.command import LOGS, SERVER, command, needs_broker
from gridmill.settings import Settings


@command(*SERVER, "queue", "workers", "beat", "lease", "tick", "child_memory", *LOGS)
def work(settings: Settings) -> int:
    """Solve what is on a server's queue until told to stop.

    SIGTERM or Ctrl-C lets it finish what it has begun, for ten seconds at most, and is no failure: exit code 0.
    """
    from gridmill import logs, mill

    needs_broker(settings, "work")
    kernel.require()
    log = logs.get("work")
    log.info("starting", queue=settings.queue, workers=settings.workers, kernel=kernel.name())
    restarts = mill.work(settings)
    log.info("stopped", restarts=restarts)
    return 0
