"""A function in several threads, for work that needs no GIL: what goes in comes out in the same order."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

from gridmill.settings import usable_cores

AHEAD = 2  # items for each thread that are taken before they are wanted: none of them waits, and memory stays small

Item = TypeVar("Item")
Made = TypeVar("Made")


def in_order(function: Callable[[Item], Made], items: Iterable[Item], threads: int | None = None) -> Iterator[Made]:
    """What ``function`` makes of each item, by ``threads``, one a core where that is None.

    Where an error or Ctrl-C ends it, what none of them has begun is dropped, and what they have begun is waited for.
    """
    number = threads or usable_cores()
    pool = ThreadPoolExecutor(number, "gridmill")
    waiting: deque[Future[Made]] = deque()
    try:
        for item in items:
            waiting.append(pool.submit(function, item))
            if len(waiting) > AHEAD * number:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        pool.shutdown(cancel_futures=True)
