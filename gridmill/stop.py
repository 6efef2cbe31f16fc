"""Being told to stop: Ctrl-C (SIGINT) and SIGTERM set an event, the second one ends the process."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager


class Stop(threading.Event):
    """Set when this process is to stop; ``signal`` is the number of the signal that said so, 0 before."""

    signal = 0


@contextmanager
def on_signals() -> Iterator[Stop]:
    """A Stop that SIGINT and SIGTERM set; the second one acts as if nobody listened. In the main thread only.

    One that this process was started to ignore stays ignored, as Ctrl-C is by a job in the background.
    """
    stop = Stop()

    def note(number: int, _: object) -> None:
        stop.signal = number
        stop.set()
        for each, handler in before.items():
            signal.signal(each, handler)

    handlers = ((number, signal.getsignal(number)) for number in (signal.SIGINT, signal.SIGTERM))
    before = {number: handler for number, handler in handlers if handler is not signal.SIG_IGN}
    for number in before:
        signal.signal(number, note)
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
