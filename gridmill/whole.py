"""A file that gets its name when it is whole."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from gridmill.errors import OutputError, OutputRefused

NAME_MOST = 240  # bytes of a file's name: most file systems take 255, and what stands beside an output has a longer one


def resolved(out: Path) -> Path:
    """Where ``out`` is: the file itself, when that is a link. Raises OutputRefused for links that lead to no end, and
    for a name that is too long."""
    if len(os.fsencode(out.name)) > NAME_MOST:
        raise OutputRefused(f"the name {out.name[:20]}… has more than {NAME_MOST} bytes; give a shorter one")
    file = Path(os.path.realpath(out))
    if file.is_symlink():
        raise OutputRefused(f"{out} is a link that leads back to itself; name a file elsewhere")
    return file


def check_folder(out: Path) -> None:
    """Raise OutputRefused when no file can be put where ``out`` is to be."""
    folder = resolved(out).parent
    if out.is_dir():
        raise OutputRefused(f"{out} is a folder; name a file")
    if folder.exists() and not folder.is_dir():
        raise OutputRefused(f"cannot write {out}: {folder} is no folder; name a file elsewhere")
    if not folder.is_dir():
        raise OutputRefused(f"cannot write {out}: there is no folder {folder}; make it, or name a file elsewhere")
    if not os.access(folder, os.W_OK | os.X_OK):
        raise OutputRefused(f"cannot write {out}: the folder {folder} is closed to you; name a file elsewhere")


def check(out: Path, *, force: bool) -> None:
    """Raise OutputRefused when ``out`` can be no file, or exists, unless ``force`` says to overwrite it."""
    check_folder(out)
    if out.exists() and not out.is_file():
        raise OutputRefused(f"{out} is no regular file; give - and redirect standard output to it")
    if out.exists() and not force:
        raise OutputRefused(f"{out} exists; give --force to overwrite it, or another name")


def sync(path: Path) -> None:
    """Make what was written to a file durable, or a rename or new name in a folder."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@contextmanager
def written(out: Path, *, force: bool) -> Iterator[Path]:
    """Where to write what becomes ``out`` when the block ends, and nothing when it raises.

    Raises OutputError, and OutputRefused like `check`.
    """
    check(out, force=force)
    out = resolved(out)  # a link stays, and what it points to is written
    part = out.with_name(f"{out.name}.{os.getpid()}.part")  # OUT.part may be an unfinished run's
    try:
        yield part
        os.replace(part, out)
    except OSError as error:
        raise OutputError(f"cannot write {out}: {error.strerror or error}; nothing is left of it") from error
    finally:
        part.unlink(missing_ok=True)
