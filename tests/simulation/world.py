"""Time, chance, and whose turn it is. Each process is a thread that runs only when it is its turn."""

import random
import threading
from collections.abc import Callable

from gridmill.clock import Clock

TROUBLE = 90.0  # seconds of the simulated clock in which things go wrong: six leases
STEPS_MOST = 60_000  # of all processes together; a run takes a hundredth


class Killed(BaseException):
    """The process is gone. (Not an Exception: nothing in it may handle that.)"""


class Task:
    """A thread that runs only when it is its turn."""

    def __init__(self, world: "World", name: str, body: Callable[[], None]) -> None:
        self.name, self.wake, self.doomed, self.over = name, 0.0, False, False
        self.go = threading.Lock()
        self.go.acquire()
        self._world, self._body = world, body
        self.thread = threading.Thread(target=self._run, name=name, daemon=True)
        self.thread.start()

    def _run(self) -> None:
        self.go.acquire()
        try:
            self._body()
        except Killed:
            pass
        except BaseException as error:
            self._world.failure = self._world.failure or error
        self.over = True
        self._world.pass_on()


class World(Clock):
    """Time, chance and whose turn it is. Each turn `happens` is called, whatever it may do."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.time = 0.0
        self.steps = 0
        self.tasks: list[Task] = []
        self.running: Task | None = None
        self.rate = self.rng.choice([0.0, 0.005, 0.02, 0.05])  # of failures, a step of a task
        self.pace = self.rng.choice([3.0, 8.0, 20.0])  # seconds between two blows
        self.blow = self.rng.expovariate(1 / self.pace) if self.rate else TROUBLE
        self.calm = False
        self.finished = False
        self.failure: BaseException | None = None
        self.happens: Callable[[], None] = lambda: None
        self._end = threading.Lock()
        self._end.acquire()

    def start(self, name: str, body: Callable[[], None]) -> None:
        self.tasks.append(Task(self, name, body))

    def run(self) -> None:
        """Until all tasks are over; raises what went wrong in any of them."""
        self.pass_on()
        self._end.acquire()
        for task in self.tasks:
            task.thread.join()
        if self.failure is not None:
            raise self.failure

    def now(self) -> float:
        return self.time

    def wait(self, seconds: float, stop: threading.Event | None = None) -> None:
        if stop is None or not stop.is_set():
            self.pause(seconds)

    def pause(self, seconds: float = 0.0) -> None:
        """Give the turn away; die here, if that has been decided meanwhile."""
        me = self.running
        assert me is not None
        me.wake = self.time + seconds
        self.pass_on(me)
        if me.doomed or self.failure is not None:
            raise Killed

    def strikes(self) -> bool:
        """Whether it is time for a blow."""
        if self.calm or self.time < self.blow:
            return False
        self.blow = self.time + self.rng.expovariate(1 / self.pace)
        return True

    def doom(self, task: "Task") -> None:
        """Have a process die now, whatever it waits for."""
        task.doomed, task.wake = True, self.time

    def odds(self, share: float = 1.0) -> bool:
        """Whether something goes wrong now."""
        return not self.calm and self.rng.random() < self.rate * share

    def pass_on(self, me: Task | None = None) -> None:
        """Choose who is next, and wait for the next turn of ``me``, who may be the one."""
        try:
            self.steps += 1
            self.time += self.rng.random() * 0.02
            self.calm = self.calm or self.time > TROUBLE
            assert self.steps < STEPS_MOST, "stuck"
            self.happens()
        except BaseException as error:
            self.failure = self.failure or error
        living = [task for task in self.tasks if not task.over]
        if not living:
            self._end.release()
            return
        self.time = max(self.time, min(task.wake for task in living))
        self.running = self.rng.choice([task for task in living if task.wake <= self.time])
        if self.running is not me:
            self.running.go.release()
            if me is not None:
                me.go.acquire()
