"""A thread of saves, or of writes: in a simulation its work is done whenever somebody asks whether it is."""

from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import Any

from .world import World


class Late(Future[Any]):
    """The end of some work, which comes a few looks late."""

    def __init__(self, world: World, work: Callable[[], Any]) -> None:
        super().__init__()
        self._world, self._work = world, work

    def done(self) -> bool:
        if not super().done() and self._world.rng.random() < 0.5:
            self._end()
        return super().done()

    def result(self, timeout: float | None = None) -> Any:
        if not super().done():
            self._end()
        return super().result(timeout)

    def _end(self) -> None:
        try:
            self.set_result(self._work())
        except Exception as error:
            self.set_exception(error)


class Aside(Executor):
    """Takes one piece of work at a time."""

    def __init__(self, world: World) -> None:
        self._world = world

    def submit(self, fn: Callable[..., Any], /, *args: Any, **options: Any) -> Future[Any]:
        return Late(self._world, lambda: fn(*args, **options))
