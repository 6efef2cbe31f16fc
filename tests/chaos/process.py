"""A process of a chaos run, and those below it."""

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

PROC = Path("/proc")  # Linux; elsewhere there is ps, which is not in every image


class Process:
    """``python -P -m`` some words, with its output in ``log`` (both streams) or ``out`` (the first of them).

    ``enter`` are the words before a command that have it run on another host.
    """

    def __init__(
        self,
        words: list[str],
        env: Mapping[str, str],
        log: Path,
        out: Path | None = None,
        enter: Sequence[str] = (),
    ) -> None:
        with log.open("ab") as errors, (out or log).open("ab") as output:
            self._popen = subprocess.Popen(
                [*enter, sys.executable, "-P", "-m", *words],
                env=env,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=errors,
                start_new_session=True,
            )
        self.words = words

    @property
    def pid(self) -> int:
        """Its process id, and that of its group."""
        return self._popen.pid

    def code(self) -> int | None:
        """The exit code; None while it runs."""
        return self._popen.poll()

    def end(self) -> None:
        """Kill it if it runs."""
        if self.code() is None:
            self._popen.kill()
        self._popen.wait()


def children(pid: int) -> list[int]:
    """The processes that ``pid`` has started and that are there, zombies left out."""
    return [own for own, parent, state in _processes() if parent == pid and not state.startswith("Z")]


def _processes() -> Iterator[tuple[int, int, str]]:
    """Process id, its parent's, and state of all there are."""
    if not PROC.is_dir():
        found = subprocess.run(["ps", "-A", "-o", "pid=,ppid=,stat="], capture_output=True, text=True, check=True)
        for own, parent, state in map(str.split, found.stdout.splitlines()):
            yield int(own), int(parent), state
        return
    for stat in PROC.glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):  # it has just ended
            state, parent = stat.read_text("utf-8", "replace").rpartition(")")[2].split()[:2]
            yield int(stat.parent.name), int(parent), state


def send(pid: int, number: signal.Signals) -> bool:
    """Send a signal; False: there is no such process any more."""
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, number)
        return True
    return False
