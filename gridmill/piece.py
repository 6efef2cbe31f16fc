"""A piece: a range of records of one chunk, the unit that is sent, started and answered."""

import re
from typing import NamedTuple, Self

from gridmill.errors import WireError

_TEXT = re.compile(r"([0-9]{1,12}):([0-9]{1,7}):([0-9]{1,7})", re.ASCII)


class Piece(NamedTuple):
    """Records ``lo`` to ``hi`` (exclusive, counted inside the chunk) of chunk ``chunk``."""

    chunk: int
    lo: int
    hi: int

    def __str__(self) -> str:
        return f"{self.chunk}:{self.lo}:{self.hi}"

    def __len__(self) -> int:
        return self.hi - self.lo

    def parts(self, most: int) -> list[Self]:
        """It in up to ``most`` parts of one size, the last one perhaps smaller; the same ones each time."""
        size = -(-len(self) // most)
        return [type(self)(self.chunk, lo, min(lo + size, self.hi)) for lo in range(self.lo, self.hi, size)]

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read ``n:lo:hi``. Raises WireError."""
        match = _TEXT.fullmatch(text)
        if match is None or int(match[2]) >= int(match[3]):
            raise WireError(f"{text[:60]!r} is not a piece (n:lo:hi)")
        return cls(*map(int, match.groups()))
