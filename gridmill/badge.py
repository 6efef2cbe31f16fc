"""A worker's badge: the name that it gives its connection, so that whoever asks the server sees who serves the queue.

So the list is the server's own: nothing has to be written, grows old, or can be said in another's name.

    gridmill-worker|release|host|process id|kernel|solver=version,solver=version,…
"""

import os
from typing import NamedTuple, Self

from gridmill import __version__, kernel, solvers

MARK = "gridmill-worker"
_SIGN = "|"  # a server takes printable ASCII without blanks


class Badge(NamedTuple):
    """What a worker says of itself. ``kernel`` is python, or the width of the native one."""

    release: str
    host: str
    pid: str
    kernel: str
    solvers: str

    @classmethod
    def own(cls, host: str) -> Self:
        """Of this process, on the machine that calls itself ``host``."""
        versions = ",".join(f"{name}={solvers.get(name).version}" for name in solvers.names())
        return cls(__version__, host, str(os.getpid()), kernel.name(), versions)

    @classmethod
    def read(cls, name: str) -> Self | None:
        """From the name of a connection; None: it is not a worker's."""
        mark, *parts = name.split(_SIGN)
        return cls(*parts) if mark == MARK and len(parts) == len(cls._fields) else None

    def __str__(self) -> str:
        return _SIGN.join((MARK, *self))
