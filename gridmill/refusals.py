"""What is refused, in the log: the first at once, and of a flood a line now and then with the number of all."""

import time
from collections.abc import Callable
from typing import Any

PERIOD = 10.0  # seconds between two lines: a flood of messages stays readable, and does not fill a disk


class Refusals:
    """Logs to ``log`` as warnings; ``clock`` gives seconds. Threads may share it: at worst they log a line more."""

    def __init__(self, log: Any, clock: Callable[[], float] = time.monotonic) -> None:
        self._log, self._clock = log, clock
        self._silent_until = 0.0
        self.number = 0

    def note(self, event: str, **details: object) -> None:
        """One more; it is logged, with how many there have been, unless another was less than `PERIOD` ago."""
        self.number += 1
        now = self._clock()
        if self.number == 1 or now >= self._silent_until:
            self._silent_until = now + PERIOD
            self._log.warning(event, **details, so_far=self.number)
