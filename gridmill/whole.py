"""A file that gets its name when it is whole."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from gridmill.errors import OutputError, OutputRefused


def check(out: Path, *, force: bool) -> None:
    """Raise OutputRefused when ``out`` is no file, or exists, unless ``force`` says to overwrite it."""
    if out.exists() and not out.is_file():
        raise OutputRefused(f"{out} is no regular file; give - and redirect standard output to it")
    if out.exists() and not force:
        raise OutputRefused(f"{out} exists; give --force to overwrite it, or another name")


@contextmanager
def written(out: Path, *, force: bool) -> Iterator[Path]:
    """Where to write what becomes ``out`` when the block ends, and nothing when it raises.

    Raises OutputError, and OutputRefused like `check`.
    """
    check(out, force=force)
    out = out.resolve()  # a link stays, and what it points to is written
    part = out.with_name(f"{out.name}.{os.getpid()}.part")  # OUT.part may be an unfinished run's
    try:
        yield part
        os.replace(part, out)
    except OSError as error:
        raise OutputError(f"{out} cannot be written: {error.strerror or error}") from error
    finally:
        part.unlink(missing_ok=True)
