"""The pulse of a worker's processes: each says in a thread of its own that it lives, and at once what it turns to.

The thread is the point: a process that is stopped, or whose C code holds the interpreter, gives no sign. Whether a
piece makes progress is another question, which `worker.heart` answers in the ledger.
"""

import contextlib
import os
import threading

from worker.sign import Sign, State


class Pulse:
    """Signs of this process on the pipe ``fd``, one every ``period`` seconds. The pipe must not block."""

    def __init__(self, fd: int, state: State, period: float) -> None:
        self._fd, self._state, self._period = fd, state, period

    def start(self) -> None:
        """Give the first sign, and go on until the process ends."""
        self._give()
        threading.Thread(target=self._run, name="pulse", daemon=True).start()

    def turn(self, state: State) -> None:
        """This process is in another state."""
        self._state = state
        self._give()

    def _run(self) -> None:
        never = threading.Event()
        while not never.wait(self._period):
            self._give()

    def _give(self) -> None:
        # A full pipe: the supervisor is stopped. A broken one: it is gone, and so is this process soon.
        with contextlib.suppress(BlockingIOError, BrokenPipeError):
            os.write(self._fd, Sign(os.getpid(), self._state).encode())


def attach(fd: int, period: float) -> None:
    """Have this process, a worker's main one, and each child that it starts give signs on ``fd``."""
    from celery import signals

    def start(**_: object) -> None:
        pulse = Pulse(fd, State.IDLE, period)
        pulse.start()
        signals.task_prerun.connect(lambda **_: pulse.turn(State.BUSY), weak=False)
        signals.task_postrun.connect(lambda **_: pulse.turn(State.IDLE), weak=False)

    signals.worker_process_init.connect(start, weak=False)
    Pulse(fd, State.MAIN, period).start()
