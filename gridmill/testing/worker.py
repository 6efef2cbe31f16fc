"""A Celery worker in a thread of this process."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from gridmill.errors import BrokerError

if TYPE_CHECKING:
    from celery import Celery

START_SECONDS = 10.0  # for the worker to be ready: it takes 0.1 s
STOP_SECONDS = 20.0  # for its last task and its own clearing up


@contextmanager
def fake_worker(app: "Celery", *, pool: str = "solo", concurrency: int = 1) -> Iterator[None]:
    """Run a Celery worker of ``app`` in a thread; ``pool`` is solo or threads. One at a time in a process.

    Makes ``app`` the process's default app, and leaves it so.
    """
    from celery import _state

    app.set_default()  # a task finds its app, and so its result backend, through the thread's current or default one
    ready = threading.Event()
    worker = app.WorkController(
        app=app,
        pool=pool,
        concurrency=concurrency,
        ready_callback=lambda _consumer: ready.set(),
        without_heartbeat=True,
        without_gossip=True,
        without_mingle=True,
    )
    thread = threading.Thread(target=worker.start, name="fake-worker", daemon=True)
    thread.start()
    try:
        if not ready.wait(START_SECONDS):
            raise BrokerError(f"the worker in this process was not ready within {START_SECONDS:g} s")
        yield
    finally:
        worker.state.should_stop = 0  # the exit code; its loop looks for it
        thread.join(STOP_SECONDS)
        worker.state.should_stop = None
        # A pool inside the process has said that nobody here may wait for a result, as in a task.
        _state._set_task_join_will_block(False)
        if thread.is_alive():
            raise BrokerError(f"the worker in this process did not stop within {STOP_SECONDS:g} s")
