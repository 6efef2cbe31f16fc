"""A worker's sign of life while it works on one piece."""

import threading
import time
from collections.abc import Callable
from typing import Self

# The slowest that a search node may be: a pure Python node with its propagation takes up to 0.2 ms on a loaded machine.
NODE_SECONDS = 1e-3


class Heart:
    """Calls ``beat`` every ``period`` seconds while the piece makes progress.

    Progress is a finished board, or one whose ``budget`` of nodes cannot be spent yet; so honest slow work is not
    overdue, and a solver that hangs goes silent.
    """

    def __init__(self, beat: Callable[[], object], *, period: float, budget: int) -> None:
        self._beat = beat
        self._period = period
        self._patience = max(period, budget * NODE_SECONDS)
        self._last = time.monotonic()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="heart", daemon=True)

    def tick(self) -> None:
        """A board is finished."""
        self._last = time.monotonic()

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._stop.wait(self._period):
            if time.monotonic() - self._last < self._patience:
                self._beat()
