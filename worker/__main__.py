"""A worker's main process as the supervisor starts it: ``python -P -m worker``. It ends when its standard input does.

``-P`` keeps the current folder off ``sys.path``, so a file named ``worker.py`` or ``celery.py`` there is not loaded.
"""

import os
import signal
import sys
import threading

from gridmill import logs


def _leash() -> None:
    """Wait until whoever started this process is gone, then end the whole process group at once.

    Nothing is lost by that: a piece without an answer is given to another worker.
    """
    while os.read(0, 1024):
        pass
    os.killpg(0, signal.SIGKILL)


def main() -> None:
    """Run until SIGTERM (finish what is begun), SIGQUIT (stop at once), or the end of standard input."""
    from worker.celery import app, settings

    logs.configure(settings)
    threading.Thread(target=_leash, name="leash", daemon=True).start()
    worker = app.Worker(
        concurrency=settings.workers,
        pool="prefork",
        optimization="fair",
        loglevel=settings.log_level.upper(),
        without_gossip=True,
        without_mingle=True,
        without_heartbeat=True,
    )
    worker.start()
    sys.exit(worker.exitcode)


if __name__ == "__main__":
    main()
