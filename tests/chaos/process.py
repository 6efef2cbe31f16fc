"""A process of a chaos run, and those below it."""

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path


class Process:
    """``python -P -m`` some words, with its output in ``log`` (both streams) or ``out`` (the first of them)."""

    def __init__(self, words: list[str], env: Mapping[str, str], log: Path, out: Path | None = None) -> None:
        with log.open("ab") as errors, (out or log).open("ab") as output:
            self._popen = subprocess.Popen(
                [sys.executable, "-P", "-m", *words],
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
    found = subprocess.run(["ps", "-A", "-o", "pid=,ppid=,stat="], capture_output=True, text=True, check=True)
    rows = (line.split() for line in found.stdout.splitlines())
    return [int(own) for own, parent, state, *_ in rows if int(parent) == pid and not state.startswith("Z")]


def send(pid: int, number: signal.Signals) -> bool:
    """Send a signal; False: there is no such process any more."""
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, number)
        return True
    return False
