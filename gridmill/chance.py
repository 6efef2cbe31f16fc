"""Reproducible chance: the same numbers from the same seed on every machine and every Python.

The generator is SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014): a counter
that grows by the golden ratio, mixed by two multiplications. The standard library's shuffles may change with Python.
"""

from collections.abc import MutableSequence
from typing import TypeVar

T = TypeVar("T")

_WORD = (1 << 64) - 1
_GOLDEN = 0x9E3779B97F4A7C15  # 2^64 divided by the golden ratio, odd


class Chance:
    """A stream of random numbers. ``seed`` is any integer from 0 to 2^64 - 1."""

    def __init__(self, seed: int) -> None:
        self._counter = seed

    def word(self) -> int:
        """The next 64 random bits."""
        self._counter = (self._counter + _GOLDEN) & _WORD
        mixed = self._counter
        mixed = ((mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9) & _WORD
        mixed = ((mixed ^ mixed >> 27) * 0x94D049BB133111EB) & _WORD
        return mixed ^ mixed >> 31

    def below(self, limit: int) -> int:
        """A number from 0 to ``limit`` - 1, even up to one part in 2^64 / ``limit``."""
        return self.word() * limit >> 64

    def shuffle(self, things: MutableSequence[T]) -> None:
        """Put ``things`` into a random order (Fisher and Yates)."""
        for last in range(len(things) - 1, 0, -1):
            other = self.below(last + 1)
            things[last], things[other] = things[other], things[last]
