"""Imports without what is of no use here: a start is made of imports."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

# What libraries use where it is there, and we have no use for: structlog for tracebacks that are not shown so, Celery
# to look at its own memory, and billiard for one call of the C library, for which each of a worker's children would
# import a parser of C.
NEEDLESS = ("rich", "psutil", "cffi")


@contextmanager
def without(*names: str) -> Iterator[None]:
    """Inside, the modules ``names`` are not there, so what is imported does without the uses that it has for them.

    Only for a process that is all our own, since it does so to its end. Afterwards they can be imported as ever.
    """
    missing = [name for name in names if name not in sys.modules]
    sys.modules.update(dict.fromkeys(missing))  # type: ignore[arg-type]  # None is how Python says it
    try:
        yield
    finally:
        for name in missing:
            del sys.modules[name]
