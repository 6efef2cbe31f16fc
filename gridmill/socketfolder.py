"""A folder for one private socket: short enough for the kernel, closed to others, cleared away when its run is gone.

A run holds a lock on the file ``lock`` in its folder; the kernel lets go of it when the run is dead, however it died. A
folder whose lock is free belongs to nobody, and the next run removes it.
"""

import os
import shutil
import sys
import tempfile
from pathlib import Path

if sys.platform != "win32":
    import fcntl

PREFIX = "gridmill-"
SOCKET = "socket"
PATH_LIMIT = 103  # bytes of a socket's path: macOS has 104 with the closing zero, Linux 108
_RANDOM = 8  # characters that tempfile puts behind the prefix
_LOCK = "lock"

_ours: set[int] = set()  # descriptors that only the process that opened them may keep


def ours(descriptor: int) -> int:
    """Have every forked child close ``descriptor``: it must not outlive this process. Give it back with `let_go`."""
    _ours.add(descriptor)
    return descriptor


def let_go(descriptor: int) -> None:
    """Close what `ours` was told of."""
    _ours.discard(descriptor)
    os.close(descriptor)


def unlock(held: int) -> None:
    """Give back a lock of `lock`, also where another process has a copy of the descriptor."""
    fcntl.flock(held, fcntl.LOCK_UN)
    let_go(held)


def _after_fork() -> None:
    for descriptor in list(_ours):
        let_go(descriptor)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


def lock(path: Path) -> int:
    """Lock the file ``path``, made where it does not exist, for as long as the descriptor returned is open.

    Raises BlockingIOError when another process has it.
    """
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BaseException:
        os.close(descriptor)
        raise
    return ours(descriptor)


class SocketFolder:
    """A new, locked folder, mode 0700. ``socket`` is where the socket goes."""

    def __init__(self) -> None:
        folder = base()
        _clean(folder)
        self.path = Path(tempfile.mkdtemp(prefix=PREFIX, dir=folder))
        self.socket = self.path / SOCKET
        # Locked before it has the name by which others look for it, so that nobody takes it for a dead run's.
        self._held = lock(self.path / f"{_LOCK}.new")
        (self.path / f"{_LOCK}.new").rename(self.path / _LOCK)

    def remove(self) -> None:
        """Remove the folder and give the lock back."""
        shutil.rmtree(self.path, ignore_errors=True)
        unlock(self._held)


def base() -> Path:
    """The temporary folder, or ``/tmp`` where its name is too long for a socket inside."""
    folder = Path(tempfile.gettempdir())
    return folder if length(folder) <= PATH_LIMIT else Path("/tmp")


def length(folder: Path) -> int:
    """Bytes of the path of a socket for which ``folder`` is the base."""
    return len(os.fsencode(folder / (PREFIX + "x" * _RANDOM) / SOCKET))


def _clean(folder: Path) -> None:
    """Remove the folders of this user's dead runs."""
    for file in folder.glob(f"{PREFIX}*/{_LOCK}"):
        try:
            if file.parent.lstat().st_uid != os.getuid():
                continue
            held = lock(file)
        except OSError:  # alive, or just removed by somebody else
            continue
        shutil.rmtree(file.parent, ignore_errors=True)
        unlock(held)
