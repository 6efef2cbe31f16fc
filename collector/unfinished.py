"""What a journal tells about a run that is not finished."""

from dataclasses import dataclass
from pathlib import Path

from collector.journal import peek
from gridmill.errors import OutputError, WireError
from gridmill.job import Spec


@dataclass(frozen=True)
class Unfinished:
    """``written`` records of ``inputs`` are in ``out``, with ``counts`` by status."""

    job: str
    out: Path
    written: int
    counts: dict[str, int]
    solver: str
    inputs: tuple[str, ...]


def described(out: Path) -> Unfinished | None:
    """The run into ``out``; None when it has no journal, or one that cannot be read (going on with it says why)."""
    try:
        known = peek(out)
        if known is None:
            return None
        head, state = known
        spec = Spec.decode(head.spec)
    except (OutputError, WireError):
        return None
    return Unfinished(head.job, out, state.place.record, state.counts, spec.solver, spec.inputs)
