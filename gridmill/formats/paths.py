"""Which files are meant: folders and patterns become the files in them, always in the same order."""

import glob
import os
import re
from collections.abc import Iterator, Sequence
from typing import NoReturn

from gridmill.errors import FormatError
from gridmill.formats.escape import printable
from gridmill.formats.source import STDIN

_OURS = (".part", ".made", ".gridmill")  # ends of names of an unfinished output, which may lie beside the input
_NUMBERS = re.compile("([0-9]+)")


def expand(paths: Sequence[str]) -> list[str]:
    """``paths`` with each folder replaced by the files in it and below it, each pattern by the files that match it.

    What a folder or pattern gives is in the order of the names, with numbers by their value: ``p2`` before ``p10``.
    In a folder, hidden files and unfinished outputs are passed over. Raises FormatError when nothing is found, and for
    the folder that holds all others.
    """
    return [file for path in paths for file in _expanded(path)]


def natural(name: str) -> tuple[tuple[int, int, str], ...]:
    """A key to sort names by, numbers by their value."""
    parts = _NUMBERS.split(name)
    return (*((0, int(part[:18]), part) if at % 2 else (1, 0, part) for at, part in enumerate(parts)), (-1, 0, name))


def _expanded(path: str) -> list[str]:
    if path == STDIN or "\0" in path:
        return [path]
    if os.path.isdir(path):
        if os.path.dirname(real := os.path.realpath(path)) == real:
            _nothing(f"{printable(path)} is the whole file system")
        return sorted(_files_in(path), key=natural) or _nothing(f"the folder {printable(path)} holds no file")
    if glob.has_magic(path) and not os.path.lexists(path):
        found = (file for file in glob.iglob(path, recursive=True) if os.path.isfile(file))
        return sorted(found, key=natural) or _nothing(f"no file matches {printable(path)}")
    return [path]


def _files_in(folder: str) -> Iterator[str]:
    for place, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        files = (os.path.join(place, name) for name in names if not name.startswith(".") and not name.endswith(_OURS))
        yield from filter(os.path.isfile, files)


def _nothing(what: str) -> NoReturn:
    raise FormatError(f"{what}; name a file, or - for standard input")
