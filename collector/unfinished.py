"""What a journal tells about a run that is not finished."""

from dataclasses import dataclass
from pathlib import Path

from collector.journal import peek
from gridmill.errors import OutputError, WireError
from gridmill.job import Spec


@dataclass(frozen=True)
class Unfinished:
    """``written`` records of ``inputs`` are in ``out``, with ``counts`` by status.

    ``unread``: why this release cannot go on with it; then ``solver`` and ``inputs`` are empty.
    """

    job: str
    out: Path
    written: int
    counts: dict[str, int]
    solver: str
    inputs: tuple[str, ...]
    unread: str = ""


def described(out: Path) -> Unfinished | None:
    """The run into ``out``; None when it has no journal, or a damaged one (going on with it says why)."""
    try:
        known = peek(out)
    except OutputError:
        return None
    if known is None:
        return None
    head, state = known
    try:
        spec = Spec.decode(head.spec)
    except WireError as error:
        return Unfinished(head.job, out, state.place.record, state.counts, "", (), str(error))
    return Unfinished(head.job, out, state.place.record, state.counts, spec.solver, spec.inputs)
