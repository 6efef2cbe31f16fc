"""A worker's main process that is started ahead of everything else, since it has most to import.

It is told its settings when they are known. So reading options and input, starting the server and importing the rest
take no time of their own, where there are two cores.
"""

import contextlib
import json
import os
import signal
import subprocess
import sys
from types import SimpleNamespace
from typing import TYPE_CHECKING, Self, cast

if TYPE_CHECKING:
    from gridmill.settings import Settings

COMMAND = (sys.executable, "-P", "-m", "worker", "--ahead")


class Ahead:
    """The process, in a group of its own. Once told, it is for others to watch; on the way out it is ended in any case.

    It ends by itself when its standard input does, so it cannot outlive this process.
    """

    def __enter__(self) -> Self:
        self._told = False
        self.process = subprocess.Popen(
            COMMAND, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, start_new_session=True
        )
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            with contextlib.suppress(ProcessLookupError, PermissionError):  # the latter: macOS, a group of zombies
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
        if not self._told:
            for pipe in (self.process.stdin, self.process.stderr):
                assert pipe
                pipe.close()

    def tell(self, settings: "Settings") -> None:
        """Have it work, with these settings. Nothing happens when it has died: whoever watches it will see that."""
        assert self.process.stdin
        self._told = True
        with contextlib.suppress(BrokenPipeError):
            os.write(self.process.stdin.fileno(), settings.model_dump_json().encode() + b"\n")


def hear() -> "Settings | None":
    """For that process: wait for its settings; None when whoever started it has gone.

    Only their values, as they were checked where they were given: to import what checks them takes 0.1 s.
    """
    line = sys.stdin.buffer.readline()
    return cast("Settings", SimpleNamespace(**json.loads(line))) if line else None
