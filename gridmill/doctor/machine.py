"""What this machine gives to a process: folders, files, memory."""

import os
import resource
import tempfile
from collections.abc import Iterator
from pathlib import Path

from gridmill import socketfolder
from gridmill.doctor.finding import Finding, ok, problem, warning
from gridmill.plural import counted
from gridmill.settings import Settings

FILES = 64  # descriptors of a main process: a worker has 11, a command with files and a server some more
FILES_A_CHILD = 8  # more for each solving process: pipes, 6 as measured
PROCESS_BYTES = 100_000_000  # of each process of a run: an idle worker has 60 MB, and a piece takes its room
PROCESSES = 4  # besides the solving ones: the command, the worker's main process, the referee, the server
_MEMORY = Path("/proc/meminfo")  # Linux: kB
_QUOTA = Path("/sys/fs/cgroup/memory.max")  # of a container: bytes, or "max"
_USED = Path("/sys/fs/cgroup/memory.current")


def examine(settings: Settings) -> Iterator[Finding]:
    """Look at what this machine gives."""
    yield _state(settings.state_dir)
    yield _sockets()
    yield _files(settings.workers)
    yield _memory(settings)


def _state(folder: Path) -> Finding:
    """The folder, or the one that it will be made in, takes new files."""
    there = next(path for path in (folder, *folder.parents) if path.exists())
    try:
        with tempfile.TemporaryFile(dir=there):
            return ok("state folder", f"{folder}{'' if there == folder else ' can be made'}")
    except OSError as error:
        remedy = "make it writable for this user, or name another with GRIDMILL_STATE_DIR"
        return problem("state folder", f"{there}: {error.strerror}", remedy)


def _sockets() -> Finding:
    folder = socketfolder.base()
    length = socketfolder.length(folder)
    text = f"{folder}, paths of {length} bytes; {socketfolder.PATH_LIMIT} are possible"
    if length <= socketfolder.PATH_LIMIT and os.access(folder, os.W_OK | os.X_OK):
        return ok("sockets", text)
    return problem("sockets", f"{text}, or it is not writable", "export TMPDIR=/tmp, or another short folder")


def _files(workers: int) -> Finding:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    needed = FILES + FILES_A_CHILD * workers
    if soft == resource.RLIM_INFINITY or soft >= needed:
        return ok("open files", f"{'no limit' if soft == resource.RLIM_INFINITY else f'up to {soft:,}'}")
    remedy = f"ulimit -n {needed}" if hard == resource.RLIM_INFINITY or hard >= needed else "use fewer --workers"
    return problem("open files", f"up to {soft:,}, and {counted(workers, 'worker')} may need {needed:,}", remedy)


def _memory(settings: Settings) -> Finding:
    free = _free()
    if free is None:
        return ok("memory", "not known on this system")
    needed = (settings.workers + PROCESSES) * PROCESS_BYTES + 3 * settings.in_flight
    text = f"{free / 1e9:.1f} GB free; a run with {counted(settings.workers, 'worker')} may take {needed / 1e9:.1f} GB"
    if free >= needed:
        return ok("memory", text)
    return warning("memory", text, "use fewer --workers, or a smaller --in-flight")


def _free() -> int | None:
    """Bytes that this machine, or its container, has left; None where it cannot be told."""
    try:
        lines = dict(line.split(":", 1) for line in _MEMORY.read_text("ascii").splitlines())
        free = int(lines["MemAvailable"].split()[0]) * 1024
    except (OSError, KeyError, ValueError):
        return None
    try:
        return min(free, int(_QUOTA.read_text("ascii")) - int(_USED.read_text("ascii")))
    except (OSError, ValueError):  # no cgroup v2, or no quota
        return free
