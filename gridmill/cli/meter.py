"""How far a run is: from counts that grow to a total, a rate and the time that is left."""

import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from gridmill.progress import Size

WINDOW = 15.0  # seconds that the rate looks back: long against a chunk, short enough to follow a change
NO_COUNTS: Mapping[str, int] = MappingProxyType({})


@dataclass(frozen=True)
class Reading:
    """``done`` records of ``total``, which is exact, or an estimate, or None: not known. ``rate`` a second.

    ``counts`` of those that are done, by status and the like.
    """

    done: int
    total: int | None
    exact: bool
    rate: float
    in_flight: int
    counts: Mapping[str, int] = field(default_factory=dict)

    @property
    def left(self) -> float | None:
        """Seconds to the end at this rate."""
        return (self.total - self.done) / self.rate if self.total is not None and self.rate else None


class Meter:
    """Makes readings; ``clock`` gives seconds."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._samples: deque[tuple[float, int]] = deque()

    def read(
        self,
        done: int,
        enqueued: int,
        total: int | None,
        source: Size | None,
        counts: Mapping[str, int] = NO_COUNTS,
    ) -> Reading:
        """``done`` records, with ``counts``, of ``enqueued`` ones, of which there will be ``total`` (None: not known
        yet)."""
        now = self._clock()
        self._samples.append((now, done))
        while now - self._samples[0][0] > WINDOW:
            self._samples.popleft()
        begun, before = self._samples[0]
        # Fewer than before: the server went back in time, and what is watched from elsewhere with it.
        rate = max(0, done - before) / (now - begun) if now > begun else 0.0
        estimate = total if total is not None else _estimate(enqueued, source)
        return Reading(done, estimate, total is not None, rate, max(0, enqueued - done), dict(counts))


def _estimate(enqueued: int, source: Size | None) -> int | None:
    """All records, if the rest of the bytes holds as many a byte as those that have been read."""
    if source is None or not source.size or not source.position or not source.read:
        return None
    return max(enqueued, source.read * source.size // source.position)


def duration(seconds: float) -> str:
    """``42 s``, ``3:05``, ``1:02:03``."""
    whole = round(seconds)
    minutes, hours = whole // 60, whole // 3600
    if hours:
        return f"{hours}:{minutes % 60:02}:{whole % 60:02}"
    return f"{minutes}:{whole % 60:02}" if minutes else f"{whole} s"
