"""Ctrl-C that comes where nobody could hear it is heard a moment later.

Python raises KeyboardInterrupt where the main thread happens to be. In a callback, such as importing a module leaves
behind, it would be printed and forgotten, and the command would go on: for ever, where it waits for input. And pydantic
makes another error of it when it comes while a class is being made.
"""

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sys import UnraisableHookArgs

AGAIN_SECONDS = 0.02  # until it is raised again: a callback has long ended then, and nobody has noticed


def insist() -> None:
    """Have an interrupt that could not be raised raised again. In the main thread only."""
    if not hasattr(signal, "setitimer"):  # Windows
        return
    others = sys.unraisablehook

    def again(lost: "UnraisableHookArgs") -> None:
        if not issubclass(lost.exc_type, KeyboardInterrupt):
            others(lost)
            return
        signal.signal(signal.SIGALRM, signal.default_int_handler)
        signal.setitimer(signal.ITIMER_REAL, AGAIN_SECONDS)  # a timer, since it wakes whoever waits for input too

    sys.unraisablehook = again


@contextmanager
def later() -> Iterator[None]:
    """An interrupt that comes inside is raised at the end. For what takes a moment, such as an import."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    masked = signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGINT,))
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, masked)
