"""The supervisor: keeps one worker running until told to stop. Its main process exits when a broker breaks badly."""

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping
from typing import IO

from gridmill import logs

COMMAND = (sys.executable, "-P", "-m", "worker")
RESTART_WAIT = (0.5, 10.0)  # s before a restart, first and longest, doubling
STEADY = 30.0  # s of life after which a worker counts as steady and the wait is short again

log = logs.get("supervisor")


class Supervisor:
    """One worker as a process group of its own, so that the terminal's Ctrl-C reaches only the one who decides.

    Call `watch` regularly. ``env`` holds variables that the worker gets besides this process's own. ``tell`` gets each
    line that the worker logs, in a thread; without it they go to standard error. ``mourn`` gets the process group of a
    worker that died, when all of it is gone.
    """

    def __init__(
        self,
        env: Mapping[str, str],
        tell: Callable[[str], None] | None = None,
        mourn: Callable[[int], None] = lambda group: None,
    ) -> None:
        self._env = {**os.environ, **env}
        self._tell, self._mourn = tell, mourn
        self._process: subprocess.Popen[bytes] | None = None
        self._started = 0.0
        self._restart_at = 0.0
        self._wait = RESTART_WAIT[0]
        self.restarts = 0

    @property
    def pid(self) -> int | None:
        """The worker's main process while it runs."""
        return self._process.pid if self._process else None

    def start(self) -> None:
        """Start the worker."""
        # Standard input is the leash: it closes when this process is gone, however that came about.
        self._process = subprocess.Popen(
            COMMAND,
            env=self._env,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,  # "Warm shutdown" and the like, which Celery prints among the lines of the log
            stderr=subprocess.PIPE if self._tell else None,
            start_new_session=True,
        )
        self._started = time.monotonic()
        if self._tell and self._process.stderr:
            threading.Thread(target=_pass_on, args=(self._process.stderr, self._tell), daemon=True).start()

    def watch(self) -> None:
        """Restart the worker if it has exited, after a pause that grows while it keeps exiting."""
        now = time.monotonic()
        if self._process is None:
            if now >= self._restart_at:
                self.restarts += 1
                self.start()
            return
        code, group = self._process.poll(), self._process.pid
        if code is None:
            return
        if now - self._started > STEADY:
            self._wait = RESTART_WAIT[0]
        log.warning("the worker's main process exited and is started again", code=code, after=self._wait)
        self._kill()
        self._restart_at = now + self._wait
        self._wait = min(2 * self._wait, RESTART_WAIT[1])
        self._mourn(group)

    def stop(self, *, warm: float = 0.0) -> bool:
        """Stop the worker; ``warm`` seconds to finish what it has begun, then at once. Whether it ended by itself."""
        if self._process is None:
            return True
        if warm > 0:
            self._process.terminate()
            try:
                self._process.wait(warm)
            except subprocess.TimeoutExpired:
                log.warning("the worker did not finish in time and is stopped", seconds=warm)
        ended = self._process.poll() is not None
        self._kill()
        return ended

    def _kill(self) -> None:
        """End the whole group, children that outlived their parent included."""
        process, self._process = self._process, None
        if process is None:
            return
        with contextlib.suppress(ProcessLookupError, PermissionError):  # the latter: macOS, a group of zombies
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        if process.stdin:
            process.stdin.close()


def _pass_on(stream: IO[bytes], tell: Callable[[str], None]) -> None:
    with stream:
        for line in stream:
            tell(line.decode("utf-8", "backslashreplace").rstrip("\n"))
