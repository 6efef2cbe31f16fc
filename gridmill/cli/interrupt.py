"""SIGTERM is heard wherever Ctrl-C is, and either, where nobody could hear it, a moment later.

Python raises KeyboardInterrupt where the main thread happens to be. In a callback, such as importing a module leaves
behind, it would be printed and forgotten, and the command would go on: for ever, where it waits for input. And pydantic
makes another error of it when it comes while a class is being made.
"""

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from sys import UnraisableHookArgs

AGAIN_SECONDS = 0.02  # until it is raised again: a callback has long ended then, and nobody has noticed


class Terminated(KeyboardInterrupt):
    """SIGTERM: it ends what Ctrl-C ends, and takes along what Ctrl-C takes along."""


def signal_of(stopped: BaseException | None) -> signal.Signals:
    """The signal that became ``stopped``."""
    return signal.SIGTERM if isinstance(stopped, Terminated) else signal.SIGINT


def insist() -> None:
    """Have SIGTERM raise `Terminated`, and what could not be raised raised again. In the main thread only."""
    if not hasattr(signal, "setitimer"):  # Windows
        return
    if signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
        signal.signal(signal.SIGTERM, _terminate)
    others = sys.unraisablehook

    def again(lost: "UnraisableHookArgs") -> None:
        if not issubclass(lost.exc_type, KeyboardInterrupt):
            others(lost)
            return
        is_term = signal_of(lost.exc_value) is signal.SIGTERM
        signal.signal(signal.SIGALRM, _terminate if is_term else signal.default_int_handler)
        signal.setitimer(signal.ITIMER_REAL, AGAIN_SECONDS)  # a timer, since it wakes whoever waits for input too

    sys.unraisablehook = again


def _terminate(*_: object) -> NoReturn:
    raise Terminated


@contextmanager
def later() -> Iterator[None]:
    """An interrupt that comes inside is raised at the end. For what takes a moment, such as an import."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    masked = signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGINT, signal.SIGTERM))
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, masked)
