"""Beginning an output, or going on with it, under the job that it belongs to."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from collector.journal import Head, path_of
from collector.manuscript import FileManuscript, Manuscript, part_of
from gridmill.errors import FormatError, OutputRefused
from gridmill.formats.paths import expand
from gridmill.job import Spec
from gridmill.runs import Runs
from gridmill.whole import resolved


@contextmanager
def opened(out: Path, job: str, spec: Spec, form: str, runs: Runs, *, force: bool) -> Iterator[Manuscript]:
    """Open ``out`` for ``job``, and note it among ``runs``.

    ``force``: overwrite it, and forget what was begun there. Raises OutputError.
    """
    _refuse_own_input(out, spec)
    manuscript = FileManuscript.open(out, Head(job, spec.encode(), form), force=force)
    try:
        runs.add(job, out)
        yield manuscript
    finally:
        manuscript.close()
        if manuscript.is_over:
            runs.remove(job)


def _refuse_own_input(out: Path, spec: Spec) -> None:
    """Writing would destroy what is still to be read, ``force`` or not."""
    written = {resolved(out), path_of(out), part_of(out)}
    for name in spec.inputs:
        if Path(name).is_dir():
            if resolved(out).is_relative_to(Path(name).resolve()):
                raise OutputRefused(f"{out} lies in the folder {name}, which is read; name an output elsewhere")
            continue
        taken = next((file for file in _meant(name) if Path(file).resolve() in written), None)
        if taken is not None:
            raise OutputRefused(f"{taken} is an input of this job and would be overwritten; name another output")


def _meant(name: str) -> list[str]:
    """The files of an input; of one that is on another machine, its name."""
    with suppress(FormatError):
        return expand([name])
    return [name]
