"""The supervisor: keeps one worker running until told to stop.

Its main process exits when a broker breaks badly, or stays and does nothing; its children hang or are stopped. All of
them give signs of life on a pipe, and `worker.vigil` says what follows from those.
"""

import contextlib
import os
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from typing import IO

from gridmill import heap, logs
from worker import identity, sign
from worker.nursery import Nursery, Worker
from worker.vigil import Vigil

RESTART_WAIT = (0.5, 10.0)  # s before a restart, first and longest, doubling
STEADY = 30.0  # s of life after which a worker counts as steady and the wait is short again
SIGNS_BYTES = 4096 // sign.SIZE * sign.SIZE  # read at a time: whole signs, of hundreds of children

log = logs.get("supervisor")


class Supervisor:
    """One worker as a process group of its own, so that the terminal's Ctrl-C reaches only the one who decides.

    Call `watch` regularly. ``env`` holds variables that the worker gets besides this process's own. ``limit`` is the
    seconds without a sign of life after which a process counts as hung, or without taking what waits after which the
    whole worker does; ``waiting`` says how many messages wait (see `Vigil`). ``tell`` gets each line that the worker
    logs, in a thread; without it they go to standard error. ``mourn`` gets the process group of a worker that died,
    when all of it is gone, and whether it had been told to stop. Workers are of ``nursery``.
    """

    def __init__(
        self,
        env: Mapping[str, str],
        limit: float,
        waiting: Callable[[], int],
        tell: Callable[[str], None] | None = None,
        mourn: Callable[[int, bool], None] = lambda group, told: None,
        nursery: Nursery | None = None,
    ) -> None:
        self._env = {**heap.KEPT, **os.environ, **env}
        self._limit, self._waiting = limit, waiting
        self._tell, self._mourn = tell, mourn
        self._nursery = nursery or Nursery()
        self._worker: Worker | None = None
        self._vigil = Vigil(limit, waiting, 0.0)
        self._started = 0.0
        self._restart_at = 0.0
        self._wait = RESTART_WAIT[0]
        self.restarts = 0

    @property
    def pid(self) -> int | None:
        """The worker's main process while it runs."""
        return self._worker.process.pid if self._worker else None

    def is_of(self, said: str) -> bool:
        """Whether this worker made ``said``, as `worker.identity.is_of` tells."""
        return self.pid is not None and identity.is_of(said, self.pid)

    def start(self) -> None:
        """Start the worker."""
        self._worker = self._nursery.bear(self._env, told=self._tell is not None)
        self._started = time.monotonic()
        self._vigil = Vigil(self._limit, self._waiting, self._started)
        if self._tell and self._worker.said:
            threading.Thread(target=_pass_on, args=(self._worker.said, self._tell), daemon=True).start()

    def watch(self) -> None:
        """End what hangs, and start the worker again if it has ended, after a pause that grows while that goes on."""
        now = time.monotonic()
        if self._worker is None:
            if now >= self._restart_at:
                self.restarts += 1
                self.start()
            return
        process = self._worker.process
        code = process.poll()
        reason = "its main process exited" if code is not None else self._judge(self._worker, now)
        if reason is not None:
            self._replace(process.pid, now, reason, code)

    def _replace(self, group: int, now: float, reason: str, code: int | None) -> None:
        if now - self._started > STEADY:
            self._wait = RESTART_WAIT[0]
        log.warning("the worker is started again", reason=reason, code=code, after=self._wait)
        self._kill()
        self._restart_at = now + self._wait
        self._wait = min(2 * self._wait, RESTART_WAIT[1])
        self._mourn(group, False)

    def _judge(self, worker: Worker, now: float) -> str | None:
        """Why ``worker`` has to be started again, if it has to; a child that hangs is killed alone."""
        self._vigil.hear(_heard(worker.signs), now)
        reason = self._vigil.judge(now)
        for pid in self._vigil.silent(now) if reason is None else ():
            self._vigil.forget(pid, now)
            with contextlib.suppress(ProcessLookupError, PermissionError):  # it has died: the number may be another's
                if os.getpgid(pid) == worker.process.pid:
                    log.warning("a child gives no sign of life and is killed", pid=pid)
                    os.kill(pid, signal.SIGKILL)
        return reason

    def stop(self, *, warm: float = 0.0) -> bool:
        """Stop the worker; ``warm`` seconds to finish what it has begun, then at once. Whether it ended by itself."""
        if self._worker is None:
            return True
        process = self._worker.process
        if warm > 0:
            process.terminate()
            try:
                process.wait(warm)
            except subprocess.TimeoutExpired:
                log.warning("the worker did not finish in time and is stopped", seconds=warm)
        ended = process.poll() is not None
        self._kill()
        if warm > 0 and not ended:
            self._mourn(process.pid, True)
        return ended

    def _kill(self) -> None:
        """End the whole group, children that outlived their parent included."""
        worker, self._worker = self._worker, None
        if worker is None:
            return
        with contextlib.suppress(ProcessLookupError, PermissionError):  # the latter: macOS, a group of zombies
            os.killpg(worker.process.pid, signal.SIGKILL)
        worker.process.wait()
        worker.close()


def _heard(signs: int) -> Iterator[sign.Sign]:
    with contextlib.suppress(BlockingIOError):
        while data := os.read(signs, SIGNS_BYTES):
            yield from sign.decode(data)


def _pass_on(stream: IO[bytes], tell: Callable[[str], None]) -> None:
    with stream:
        for line in stream:
            tell(line.decode("utf-8", "backslashreplace").rstrip("\n"))
