"""A worker's signs of life while it works on a piece."""

import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

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
    """Beats for the pieces that this process works on, each ``period`` seconds, while they make progress; calls
    ``stuck`` when one has long stopped to.

    A process that hangs has to go, for nobody else ends it; when all of them hang, nothing is solved any more.

    Progress is a finished board, or one whose budget of nodes cannot be spent yet; so honest slow work is not
    overdue, and a solver that hangs goes silent.
    """

    def __init__(self, period: float, stuck: Callable[[], object] = give_up) -> None:
        self._period, self._stuck = period, stuck
        self._lock = threading.Lock()
        self._works: set[Work] = set()
        self._thread: threading.Thread | None = None  # while there is work: to start one takes 0.4 ms, which adds up

    @contextmanager
    def over(self, beat: Callable[[], object], budget: int) -> Iterator["Work"]:
        """Watch over a piece, inside: ``beat`` tells the ledger of its progress, a board may take ``budget`` nodes."""
        work = Work(beat, max(self._period, budget * NODE_SECONDS))
        try:
            with self._lock:
                self._works.add(work)
                # One that memory was too short for, to start or to go on, is not missed by the pieces that come later.
                if self._thread is None or not self._thread.is_alive():
                    self._thread = threading.Thread(target=self._run, name="heart", daemon=True)
                    self._thread.start()
            yield work
        finally:
            with self._lock:
                self._works.discard(work)

    def _run(self) -> None:
        never = threading.Event()
        while True:
            # Counted in looks, not read from a clock: a process that was stopped for an hour has not hung for an hour.
            never.wait(self._period)
            with self._lock:
                works = list(self._works)
                if not works:
                    self._thread = None
                    return
            for work in works:
                if work.look(self._period):
                    self._stuck()


class Work:
    """One piece. ``patience``: the seconds without a finished board after which it counts as stopped."""

    def __init__(self, beat: Callable[[], object], patience: float) -> None:
        self._beat = beat
        self.patience = patience
        self._finished = 0  # boards
        self._seen = -1  # of those, at the last look
        self._still = 0.0  # s

    def tick(self) -> None:
        """A board is finished."""
        self._finished += 1

    def look(self, period: float) -> bool:
        """What is done about it once in ``period`` seconds; whether it is stuck."""
        self._still = self._still + period if self._seen == self._finished else 0.0
        self._seen = self._finished
        if self._still < self.patience:
            self._beat()
        return self._still >= STUCK * self.patience
