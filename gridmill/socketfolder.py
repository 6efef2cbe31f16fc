"""A folder for one private socket: short enough for the kernel, closed to others, cleared away when its run is gone.

A run holds a lock on the file ``lock`` in its folder; the kernel lets go of it when the run is dead, however it died. A
folder whose lock is free belongs to nobody, and the next run removes it.
"""

import contextlib
import os
import shutil
import stat
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
        self.path, self._held = _made(folder)
        self.socket = self.path / SOCKET

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


def _made(folder: Path) -> tuple[Path, int]:
    """A folder in ``folder`` and its lock. One that another run clears away before it is locked is left to that run."""
    while True:
        path = Path(tempfile.mkdtemp(prefix=PREFIX, dir=folder))
        with contextlib.suppress(BlockingIOError, FileNotFoundError):
            held = lock(path / _LOCK)
            if _is_at(held, path / _LOCK):
                return path, held
            unlock(held)


def _is_at(held: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(held), path.stat())
    except FileNotFoundError:
        return False


def _clean(folder: Path) -> None:
    """Remove the folders of this user's dead runs, those too that died before they had locked theirs."""
    for path in folder.glob(PREFIX + "?" * _RANDOM):
        try:
            if not _is_like_ours(path):
                continue
            held = lock(path / _LOCK)
        except OSError:  # alive, or just removed by somebody else
            continue
        shutil.rmtree(path, ignore_errors=True)
        unlock(held)


def _is_like_ours(path: Path) -> bool:
    about = path.lstat()
    is_private = stat.S_ISDIR(about.st_mode) and stat.S_IMODE(about.st_mode) == 0o700 and about.st_uid == os.getuid()
    return is_private and {_LOCK, SOCKET}.issuperset(os.listdir(path))
