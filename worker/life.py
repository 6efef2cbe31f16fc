"""The life of a worker's main process, from its settings to its exit code."""

import gc
import multiprocessing
import tempfile
import warnings
from importlib import import_module

from celery.exceptions import SecurityWarning

from gridmill import logs
from worker import pulse

# What is imported when Celery comes to it, some of it in each child: here, for this process may have to wait for its
# settings.
LATER = (
    "billiard.popen_fork",
    "billiard.sharedctypes",
    "celery.app.builtins",
    "celery.app.control",
    "celery.app.events",
    "celery.app.log",
    "celery.apps.worker",
    "celery.backends.redis",
    "celery.concurrency.prefork",
    "celery.worker.autoscale",
    "celery.worker.components",
    "celery.worker.consumer",
    "celery.worker.strategy",
    "gridmill.inbox",
    "kombu.transport.redis",
    "worker.tasks",
)


def load() -> None:
    """Import all that a worker needs."""
    for name in LATER:
        import_module(name)


def run(signs: int) -> int:
    """Run with the settings of the environment until SIGTERM (finish what is begun) or SIGQUIT (stop at once).

    Its processes give signs of life on the descriptor ``signs``. It ends with standard input too, see `worker.leash`.
    """
    from worker.celery import app, settings

    gc.freeze()  # nor are the children to look through it, or its memory would no longer be shared with them
    gc.enable()
    logs.configure(settings)
    # Celery warns when it runs as root, for whoever accepts pickle. This worker takes JSON alone.
    warnings.simplefilter("ignore", SecurityWarning)
    # The pool's memory is a file that is removed as soon as it is made; its own folder would stay when we are killed.
    multiprocessing.current_process()._config["tempdir"] = tempfile.gettempdir()  # type: ignore[attr-defined]
    pulse.attach(signs, settings.beat)
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
    return int(worker.exitcode or 0)
