"""A worker's main process as the supervisor starts it: ``python -P -m worker FD``, where FD is the descriptor that its
processes give signs of life on. It ends when its standard input does.

``-P`` keeps the current folder off ``sys.path``, so a file named ``worker.py`` or ``celery.py`` there is not loaded.
"""

import gc
import os
import signal
import sys
import threading
import warnings

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
    gc.disable()  # what is imported stays, and looking through it for garbage takes a fifth of the time
    from celery.exceptions import SecurityWarning

    from worker import pulse
    from worker.celery import app, settings

    gc.freeze()  # nor are the children to look through it, or its memory would no longer be shared with them
    gc.enable()
    logs.configure(settings)
    # Celery warns when it runs as root, for whoever accepts pickle. This worker takes JSON alone.
    warnings.simplefilter("ignore", SecurityWarning)
    threading.Thread(target=_leash, name="leash", daemon=True).start()
    pulse.attach(int(sys.argv[1]), settings.beat)
    worker = app.Worker(
        concurrency=settings.workers,
        pool="prefork",
        optimization="fair",
        loglevel=settings.log_level.upper(),
        quiet=True,  # no banner
        without_gossip=True,
        without_mingle=True,
        without_heartbeat=True,
    )
    worker.start()
    sys.exit(worker.exitcode)


if __name__ == "__main__":
    main()
