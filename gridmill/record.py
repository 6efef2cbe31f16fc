"""One record of an input, and why it is none of the puzzles."""

from typing import NamedTuple


class Fault(NamedTuple):
    """Why a record is not a puzzle. ``column`` counts from 1, 0 is the whole record; ``text`` is what stood there."""

    column: int
    reason: str
    text: str


class Record(NamedTuple):
    """One thing in the input that claims to be a puzzle: either ``board`` (81 characters, ``.``) or ``fault`` is set.

    ``line`` is where it begins, from 1. ``extras`` are the input's own columns, one a name in the input's ``columns``.
    """

    line: int
    board: str | None
    fault: Fault | None = None
    id: str = ""
    extras: tuple[str, ...] = ()
