"""A worker's sign of life while it works on one piece."""

import os
import signal
import threading
from collections.abc import Callable
from typing import Self

from gridmill import logs

# The slowest that a search node may be: a pure Python node with its propagation takes up to 0.2 ms on a loaded machine.
NODE_SECONDS = 1e-3
STUCK = 3  # times the longest that a board may take, then its process is given up: beyond any honest slowness

log = logs.get("heart")


def give_up() -> None:
    """End this process at once; the worker's main process reports the loss and starts another."""
    log.error("a board takes longer than its budget can; its process is given up")
    os.kill(os.getpid(), signal.SIGKILL)


class Heart:
    """Calls ``beat`` every ``period`` seconds while the piece makes progress, and ``stuck`` when it has long stopped.

    A process that hangs has to go, for nobody else ends it; when all of them hang, nothing is solved any more.

    Progress is a finished board, or one whose ``budget`` of nodes cannot be spent yet; so honest slow work is not
    overdue, and a solver that hangs goes silent.
    """

    def __init__(
        self, beat: Callable[[], object], *, period: float, budget: int, stuck: Callable[[], object] = give_up
    ) -> None:
        self._beat, self._stuck = beat, stuck
        self._period = period
        self._patience = max(period, budget * NODE_SECONDS)
        self._finished = 0  # boards
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="heart", daemon=True)

    def tick(self) -> None:
        """A board is finished."""
        self._finished += 1

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()

    def _run(self) -> None:
        # Counted in looks, not read from a clock: a process that was stopped for an hour has not hung for an hour.
        seen, still = self._finished, 0.0
        while not self._stop.wait(self._period):
            still = still + self._period if seen == self._finished else 0.0
            seen = self._finished
            if still < self._patience:
                self._beat()
            elif still >= STUCK * self._patience:
                self._stuck()
                return
