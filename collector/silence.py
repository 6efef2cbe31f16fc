"""How long something has not changed, by the collector's own clock, and whether that clock may be believed."""


class Silence:
    """How long a sign has stayed the same; ``limit`` in seconds."""

    def __init__(self, limit: float) -> None:
        self._limit = limit
        self._seen: tuple[object, float] | None = None

    def reset(self) -> None:
        """Begin anew."""
        self._seen = None

    def lasts(self, sign: object, now: float) -> bool:
        """Whether ``sign`` has been the same for longer than the limit."""
        if self._seen is None or self._seen[0] != sign:
            self._seen = (sign, now)
        return now - self._seen[1] > self._limit


class Wakefulness:
    """Notices that this process was stopped or suspended; ``limit`` is the longest pause of a process that was not.

    What was seen before such a gap says nothing about now: others were perhaps stopped with us.
    """

    def __init__(self, limit: float) -> None:
        self._limit = limit
        self._last: float | None = None

    def slept(self, now: float) -> bool:
        """Whether it is longer than the limit since the last call."""
        before, self._last = self._last, now
        return before is not None and now - before > self._limit
