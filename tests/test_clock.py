"""The process's own clock."""

import threading
import time

from gridmill.clock import SYSTEM


def test_waiting_lets_the_time_pass() -> None:
    before = SYSTEM.now()

    SYSTEM.wait(0.01)
    SYSTEM.wait(0.01, threading.Event())

    assert SYSTEM.now() - before >= 0.02


def test_waiting_ends_when_it_is_told_to() -> None:
    stop = threading.Event()
    stop.set()
    before = time.monotonic()

    SYSTEM.wait(60, stop)

    assert time.monotonic() - before < 30
