"""CPU time of the processes of a run: of this one, which reads and collects, of the server's and the workers'."""

import os
import resource
import threading
import time
from pathlib import Path
from typing import NamedTuple, Self

_PROC = Path("/proc")  # Linux; elsewhere the server's and the workers' time is not known


class Usage(NamedTuple):
    """CPU seconds since each began. ``producer`` is the thread in this process, ``collector`` the rest of it;
    ``referee`` the children that have ended. None: not known on this system."""

    producer: float | None
    collector: float
    server: float | None
    workers: float | None
    referee: float

    def since(self, before: Self) -> dict[str, float | None]:
        """CPU seconds by process from ``before`` to this."""
        pairs = zip(self._fields, self, before, strict=True)
        return {name: None if now is None or then is None else now - then for name, now, then in pairs}


class Meter:
    """Reads the usage of a run whose server and workers have started: the workers are this process's descendants."""

    def __init__(self, server: int) -> None:
        self._server, self._producer = server, _producer_seconds()
        self._workers = sorted(descendants(os.getpid()) - {server})

    def see(self) -> None:
        """See what the producer has taken: once its thread has ended, nothing else tells it."""
        if self._producer is not None:
            self._producer = max(self._producer, _producer_seconds() or 0.0)

    def read(self) -> Usage:
        """The usage until now."""
        self.see()
        children = resource.getrusage(resource.RUSAGE_CHILDREN)
        return Usage(
            self._producer,
            time.process_time() - (self._producer or 0.0),
            seconds([self._server]),
            seconds(self._workers),
            children.ru_utime + children.ru_stime,
        )


def descendants(pid: int) -> set[int]:
    """The children of a process and theirs; none where there is no /proc."""
    parents = {int(path.name): _fields(int(path.name)) for path in _PROC.glob("[0-9]*")}
    found = {pid}
    while more := {child for child, fields in parents.items() if fields and int(fields[1]) in found} - found:
        found |= more
    return found - {pid}


def seconds(pids: list[int]) -> float | None:
    """User and system time of processes; one that has ended counts nothing. None where there is no /proc."""
    if not _PROC.joinpath("self", "stat").exists():
        return None
    ticks = sum(int(fields[11]) + int(fields[12]) for fields in map(_fields, pids) if fields)
    return ticks / os.sysconf("SC_CLK_TCK")


def _fields(pid: int) -> list[str]:
    """What /proc says of a process, from its state on (proc_pid_stat(5)); nothing when it has ended."""
    try:
        return _PROC.joinpath(str(pid), "stat").read_text("utf-8", errors="replace").rpartition(")")[2].split()
    except OSError:
        return []


def _producer_seconds() -> float | None:
    """CPU time of the thread that reads; None where a thread's clock cannot be read (macOS)."""
    clock_of = getattr(time, "pthread_getcpuclockid", None)
    idents = [thread.ident for thread in threading.enumerate() if thread.name == "producer"]
    if clock_of is None:
        return None
    return sum(time.clock_gettime(clock_of(ident)) for ident in idents)
