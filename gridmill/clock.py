"""Time as the roles know it: one clock and one way to wait, so that a test can let hours pass at once.

What the clock says has no meaning outside this process; no time of day decides anything.
"""

import time
from threading import Event


class Clock:
    """The process's own clock."""

    def now(self) -> float:
        """Seconds of the monotonic clock."""
        return time.monotonic()

    def wait(self, seconds: float, stop: Event | None = None) -> None:
        """Let ``seconds`` pass, fewer when ``stop`` is set."""
        if stop is None:
            time.sleep(seconds)
        else:
            stop.wait(seconds)


SYSTEM = Clock()
