"""The vigil: what a worker's signs say of it, as its supervisor hears them.

A process can be there and do nothing: stopped, hung in C code, or connected to a broker that has forgotten it. So what
counts is that each process gives signs, and that the worker takes what waits for it.
"""

from collections.abc import Callable, Iterable

from gridmill.errors import BrokerError
from worker.sign import Sign, State

START_SECONDS = 60.0  # from the start of a worker to its first task: it takes 1 s, on a machine that swaps far more
LOOKS = 10  # at the queue while patience lasts: not more, for each is a call to the server


class Vigil:
    """Ages by the caller's clock, from ``now`` on, when the worker is started. ``limit`` in seconds.

    ``waiting`` says how many messages wait in the queue; a BrokerError of it means that nobody can tell.
    """

    def __init__(self, limit: float, waiting: Callable[[], int], now: float) -> None:
        self._limit, self._waiting = limit, waiting
        self._missing = now  # since when there is no child, or no main process
        self._main: float | None = None  # when the main process gave its last sign
        self._children: dict[int, float] = {}  # the same of each child
        self._busy: set[int] = set()
        self._works = False  # whether it has ever begun a task
        self._served = now  # when there was last reason to believe that the worker takes what waits
        self._looked = self._judged = now

    def hear(self, signs: Iterable[Sign], now: float) -> None:
        """Take note of what has come."""
        for pid, state in signs:
            if state is State.MAIN:
                self._main = now
                continue
            self._children[pid] = now
            if state is State.BUSY:
                if pid not in self._busy:
                    self._works, self._served = True, now
                self._busy.add(pid)
            else:
                self._busy.discard(pid)

    def forget(self, pid: int, now: float) -> None:
        """That child is no more."""
        del self._children[pid]
        self._busy.discard(pid)
        self._missing = now

    def judge(self, now: float) -> str | None:
        """Why the worker as a whole has to be started again; None when it need not be."""
        slept, self._judged = now - self._judged > self._limit, now
        if slept:  # this process was stopped, and perhaps all others with it
            self._begin_anew(now)
        start = max(START_SECONDS, self._limit)
        if self._main is None or not self._children:
            return "it does not start" if now - self._missing > start else None
        if now - self._main > self._limit:
            return "its main process gives no sign of life"
        patience = self._limit if self._works else start
        self._look(now, patience)
        if now - self._served > patience:
            return "it takes nothing, though something waits"
        return None

    def silent(self, now: float) -> list[int]:
        """The children that give no sign."""
        return [pid for pid, heard in self._children.items() if now - heard > self._limit]

    def _begin_anew(self, now: float) -> None:
        self._served = self._missing = now
        self._main = self._main and now
        self._children = dict.fromkeys(self._children, now)

    def _look(self, now: float, patience: float) -> None:
        """See whether there is anything that the worker should have taken."""
        if len(self._busy) == len(self._children):
            self._served = now
        elif now - self._served > patience / 2 and now - self._looked > patience / LOOKS:
            self._looked = now
            if not self._waits():
                self._served = now

    def _waits(self) -> bool:
        try:
            return self._waiting() > 0
        except BrokerError:
            return False
