"""Beginning an output, or going on with it, under the job that it belongs to."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from collector.journal import Head, peek
from collector.manuscript import FileManuscript, Manuscript
from gridmill.job import Spec, new_id
from gridmill.runs import Runs


@contextmanager
def opened(
    out: Path, spec: Spec, form: str, runs: Runs, *, force: bool, job: str | None
) -> Iterator[tuple[str, Manuscript]]:
    """Open ``out`` for ``job`` (None: the one that was begun there, or a new one), and note it among ``runs``.

    ``force``: overwrite it, and forget what was begun there. Raises OutputError.
    """
    known = None if force else peek(out)
    if known is not None and job is None:
        job = known[0].job
    job = job or new_id()
    manuscript = FileManuscript.open(out, Head(job, spec.encode(), form), force=force)
    runs.add(job, out)
    try:
        yield job, manuscript
    finally:
        manuscript.close()
        if manuscript.is_over:
            runs.remove(job)
