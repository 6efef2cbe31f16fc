"""What is asked of each puzzle beside its answer."""

from typing import Annotated, Self

import msgspec

from gridmill.board import PACKED
from gridmill.errors import SettingsError

COUNT_MOST = 1_000_000  # solutions that can be counted of a board: a second, and nobody reads larger counts one by one
LIST_MOST = 10_000  # solutions that can be listed of a board: a row of 0.8 MB
# Solutions listed of a board where nobody says how many: a row of 41 KB. Python's reader of CSV takes 128 KB a field.
LIST_DEFAULT = 500
# Nodes that counting may take for each solution wanted, beyond the budget of a board: where there are many solutions,
# each takes one or two; the rest is for branches that end without any.
NODES_EACH = 10
COUNTED = 5_000_000  # solutions that are counted for a chunk at most: five seconds' work, and most boards have fewer
COUNTED_CHUNK = 100  # records that travel together all the same: few boards have as many solutions as can be counted
GIVENS = 10  # as many puzzles take the time of one that is asked which givens it needs: most are seen to be needed
LISTED_BYTES = 1_000_000  # of listed solutions in a reply: the collector fetches sixteen replies at a time


class Questions(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """``count``: count the solutions, exactly up to so many (0: nobody asks); ``every``: list them, up to so many;
    ``canonical``: give the smallest of all boards that are the same puzzle. ``dedupe``: tell which records are the
    same as an earlier one, with ``canonical`` in another dress too. ``minimal``: tell which givens can be spared.
    ``difficulty``: tell how many givens there are, and the hardest technique that is needed (`gridmill.technique`).
    """

    count: Annotated[int, msgspec.Meta(ge=0, le=COUNT_MOST)] = 0
    every: bool = False
    canonical: bool = False
    dedupe: bool = False
    minimal: bool = False
    difficulty: bool = False

    @classmethod
    def of(
        cls,
        *,
        count: int | None = None,
        every: bool = False,
        canonical: bool = False,
        dedupe: bool = False,
        minimal: bool = False,
        difficulty: bool = False,
    ) -> Self:
        """What the options say; ``count`` None: nothing was said. Raises SettingsError."""
        if every and (count or 0) > LIST_MOST:
            raise SettingsError(
                f"--all lists up to {LIST_MOST:,} solutions of a puzzle; give a lower --count, or leave --all away"
            )
        if (count or 0) > COUNT_MOST:
            raise SettingsError(f"--count counts up to {COUNT_MOST:,} solutions of a puzzle; give a lower number")
        return cls(count or LIST_DEFAULT * every, every, canonical, dedupe, minimal, difficulty)

    @property
    def options(self) -> tuple[str, ...]:
        """The options that ask it, but those that another of them implies."""
        named = {
            "--all": self.every,
            "--count": self.count and not self.every,
            "--canonical": self.canonical,
            "--dedupe": self.dedupe,
            "--minimal": self.minimal,
            "--difficulty": self.difficulty,
        }
        return tuple(name for name, is_asked in named.items() if is_asked)

    @property
    def of_workers(self) -> bool:
        """Whether any of it is a worker's to say."""
        return bool(self.count) or self.minimal

    @property
    def listed(self) -> int:
        """The most solutions that are listed of a board."""
        return self.count if self.every else 0

    @property
    def nodes(self) -> int:
        """Search nodes a board beyond its budget."""
        return NODES_EACH * self.count

    def usual_chunk(self, records: int) -> int:
        """So many records as are as much work as ``records`` of which nothing is asked, where nobody says how many."""
        return self.chunk(max(1, records // GIVENS) if self.minimal else records)

    def chunk(self, records: int) -> int:
        """``records`` of a chunk, or fewer, so that the reply does not grow too large, nor the work by counting.

        What it says of a chunk that it has made is the same: a job goes on with the chunks that it was begun with.
        """
        if self.count:
            records = min(records, max(COUNTED_CHUNK, COUNTED // self.count))
        return min(records, max(1, LISTED_BYTES // (PACKED * self.listed))) if self.listed else records


NOTHING = Questions()
