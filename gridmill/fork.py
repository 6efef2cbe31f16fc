"""A process that is forked from this one: what is imported here, it need not import again.

Else it has nothing of this process: its own session, its own standard input and output, no other descriptor (so no
lock, no connection, and nobody's pipe is held open by it), Python's own signal handlers.
"""

import contextlib
import math
import os
import signal
import subprocess
import sys
import threading
import time
import traceback
from collections.abc import Callable, Collection
from typing import NoReturn, Protocol

POLL_SECONDS = 0.01  # between two looks at a process that is to end

_STANDARD = (0, 1, 2)


def is_possible() -> bool:
    """Whether nothing but this thread is in this process, for nothing else would be in the forked one. Linux alone
    tells that, threads of native code included; on macOS the system's own libraries do not survive a fork."""
    try:
        return len(os.listdir("/proc/self/task")) == 1
    except OSError:
        return False


class Process(Protocol):
    """What is the same for one that is forked and one that is a new interpreter, as in `subprocess.Popen`."""

    @property
    def pid(self) -> int: ...
    def poll(self) -> int | None: ...
    def wait(self, timeout: float | None = None) -> int: ...
    def terminate(self) -> None: ...
    def kill(self) -> None: ...


class Fork:
    """The process that runs ``run`` and ends with its exit code, to be used as a `subprocess.Popen` is, by any thread.

    Its standard input and output are ``stdin`` and ``stdout``, its standard error is this process's. It keeps the
    descriptors ``kept`` under their numbers.
    """

    def __init__(self, run: Callable[[], int], *, stdin: int, stdout: int, kept: Collection[int] = ()) -> None:
        self.returncode: int | None = None
        self._lock = threading.Lock()  # of looking whether it has ended: from then on its number may be another's
        sys.stdout.flush()  # or both would write what is in there
        # No signal reaches it as long as it could be taken for this process: Ctrl-C on a terminal goes to a group.
        masked = signal.pthread_sigmask(signal.SIG_SETMASK, signal.valid_signals())
        try:
            self.pid = os.fork()
            if self.pid == 0:
                _become(run, stdin, stdout, kept, masked)
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, masked)

    def poll(self) -> int | None:
        """The exit code, negative for a signal; None while it runs."""
        with self._lock:
            return self._look()

    def wait(self, timeout: float | None = None) -> int:
        """The exit code, when it has ended. Raises subprocess.TimeoutExpired after ``timeout`` seconds."""
        if timeout is None and sys.platform == "linux":  # at once, without looking again and again
            with contextlib.suppress(ChildProcessError):  # another thread has seen its end
                os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOWAIT)
        end = math.inf if timeout is None else time.monotonic() + timeout
        while (code := self.poll()) is None:
            if time.monotonic() >= end:
                raise subprocess.TimeoutExpired("a forked process", timeout or 0.0)
            time.sleep(POLL_SECONDS)
        return code

    def terminate(self) -> None:
        """Send it SIGTERM; nothing when it has ended."""
        self._send(signal.SIGTERM)

    def kill(self) -> None:
        """Send it SIGKILL; nothing when it has ended."""
        self._send(signal.SIGKILL)

    def _send(self, number: signal.Signals) -> None:
        with self._lock:
            if self._look() is None:
                os.kill(self.pid, number)

    def _look(self) -> int | None:
        if self.returncode is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.returncode = os.waitstatus_to_exitcode(status)
        return self.returncode


def _become(
    run: Callable[[], int], stdin: int, stdout: int, kept: Collection[int], masked: set[int | signal.Signals]
) -> NoReturn:
    """Never returns, or it would go on with what this process's own caller does."""
    code = 1
    try:
        os.setsid()
        _plug(stdin, stdout, kept)
        _forget_handlers()
        signal.pthread_sigmask(signal.SIG_SETMASK, masked)
        code = run()
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 1
    except BaseException:
        traceback.print_exc()
    finally:
        with contextlib.suppress(OSError):  # nobody reads it any more
            sys.stderr.flush()
        os._exit(code)


def _plug(stdin: int, stdout: int, kept: Collection[int]) -> None:
    os.dup2(stdin, 0)
    os.dup2(stdout, 1)
    for end in {stdin, stdout}.difference(_STANDARD, kept):
        os.close(end)  # now, for to read the folder takes a descriptor, and there may be no other
    for name in os.listdir("/proc/self/fd"):
        if int(name) not in (*_STANDARD, *kept):
            with contextlib.suppress(OSError):  # the one by which the folder was read
                os.close(int(name))


def _forget_handlers() -> None:
    """As in a new interpreter: what is ignored stays so, all else is Python's."""
    sys.unraisablehook = sys.__unraisablehook__
    for number in signal.valid_signals():
        if callable(handler := signal.getsignal(number)) and handler is not signal.default_int_handler:
            signal.signal(number, signal.SIG_DFL)
