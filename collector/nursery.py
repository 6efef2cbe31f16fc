"""The nursery: how the referee's child comes to be.

As a new interpreter, which takes several times as long to start as to audit a million records. So a command that does
nothing else can have its first child forked ahead (`worker.nursery` says the same of workers): it has all that it needs
from the command, and waits for its first frame. Each later one is a new interpreter.
"""

import contextlib
import os
import resource
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from collector import child
from gridmill import fork
from gridmill.fork import Process

PROGRAM = (sys.executable, "-P", "-m", "collector.child")


@dataclass
class Child:
    """A child's ``process``, which leads a session of its own, with our ends of its pipes, without buffers: or what has
    been read already would not show in `select`."""

    process: Process
    asked: IO[bytes]
    said: IO[bytes]

    def end(self) -> int:
        """Kill it, if it still runs; its exit code."""
        self.process.kill()
        code = self.process.wait()
        for pipe in (self.asked, self.said):
            with contextlib.suppress(OSError):  # what was meant for a dead child cannot be flushed
                pipe.close()
        return code


class Nursery:
    """``ahead``: fork the first child now, where that is possible. Close it when no child is wanted any more."""

    def __init__(self, *, ahead: bool = False) -> None:
        self._waiting = _forked() if ahead and fork.is_possible() else None

    def bear(self) -> Child:
        """A child that has not been told how much memory it may have."""
        waiting, self._waiting = self._waiting, None
        return waiting or _program()

    def close(self) -> None:
        """End what was forked and never wanted."""
        waiting, self._waiting = self._waiting, None
        if waiting:
            waiting.end()


def _program() -> Child:
    pipe = subprocess.PIPE
    process = subprocess.Popen(PROGRAM, stdin=pipe, stdout=pipe, bufsize=0, start_new_session=True)
    assert process.stdin is not None
    assert process.stdout is not None
    return Child(process, process.stdin, process.stdout)


def _forked() -> Child:
    (asked_out, asked_in), (said_out, said_in) = os.pipe(), os.pipe()
    try:
        process = fork.Fork(_answer, stdin=asked_out, stdout=said_in)
    finally:
        os.close(asked_out)
        os.close(said_in)
    return Child(process, open(asked_in, "wb", buffering=0), open(said_out, "rb", buffering=0))


def _answer() -> int:
    """What a child does that was forked ahead."""
    pages = int(Path("/proc/self/statm").read_text("ascii").split()[0])
    child.main(shared=pages * resource.getpagesize())
    return 0
