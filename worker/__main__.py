"""A worker's main process as the supervisor starts it: ``python -P -m worker``. It ends when its standard input does.

``-P`` keeps the current folder off ``sys.path``, so a file named ``worker.py`` or ``celery.py`` there is not loaded.
"""

import gc
import importlib
import os
import signal
import sys
import threading
import warnings
from typing import TYPE_CHECKING

from gridmill import logs
from gridmill.ahead import hear

if TYPE_CHECKING:
    from celery import Celery

    from gridmill.settings import Settings

# What a worker has imported when it is ready, as far as Celery does so late.
HEAVY = (
    "celery.apps.worker",
    "celery.backends.redis",
    "celery.concurrency.prefork",
    "celery.worker.autoscale",
    "celery.worker.consumer.delayed_delivery",
    "celery.worker.strategy",
    "billiard.popen_fork",
    "kombu.transport.redis",
)


def _leash() -> None:
    """Wait until whoever started this process is gone, then end the whole process group at once.

    Nothing is lost by that: a piece without an answer is given to another worker.
    """
    while os.read(0, 1024):
        pass
    os.killpg(0, signal.SIGKILL)


def _own() -> "tuple[Celery, Settings] | None":
    """The app and its settings, from the variables."""
    from worker.celery import app, settings

    return app, settings


def _told() -> "tuple[Celery, Settings] | None":
    """The same from the settings that are told, when what takes long is imported; None when there will be none."""
    for name in HEAVY:
        importlib.import_module(name)
    from gridmill.broker import make_app
    from worker.tasks import register

    settings = hear()
    if settings is None:
        return None
    app = make_app(settings)
    register(app, settings)
    return app, settings


def main() -> None:
    """Run until SIGTERM (finish what is begun), SIGQUIT (stop at once), or the end of standard input.

    With ``--ahead``, the settings come as the first line of standard input (see `gridmill.ahead`).
    """
    from celery.exceptions import SecurityWarning

    gc.disable()  # what is imported stays, and looking through it for garbage takes a fifth of the time
    made = _told() if "--ahead" in sys.argv else _own()
    if made is None:
        return
    gc.freeze()  # nor are the children to look through it, or their memory would no longer be shared
    gc.enable()
    app, settings = made
    logs.configure(settings)
    # Celery warns when it runs as root, for whoever accepts pickle. This worker takes JSON alone.
    warnings.simplefilter("ignore", SecurityWarning)
    threading.Thread(target=_leash, name="leash", daemon=True).start()
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
