"""What is written becomes safe beside the work."""

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future
from threading import Event
from typing import Any

import pytest

from collector.journal import State
from collector.keeper import SAVE_BYTES, SAVE_SECONDS, Keeper
from gridmill.clock import Clock
from gridmill.entry import Place
from gridmill.errors import OutputError

FIRST, SECOND = Place(1, 10, b"first"), Place(2, 20, b"second")
MUCH = b"x" * (SAVE_BYTES + 1)


class Still(Clock):
    """Time passes when a test says so."""

    time = 0.0

    def now(self) -> float:
        return self.time


class Paper:
    """A manuscript in memory."""

    name, way_on, is_published = "paper", "", False

    def __init__(self) -> None:
        self.state, self.written, self.fails = State(0, Place(), 0, {}), 0, False

    def write(self, rows: Iterable[bytes]) -> int:
        data = b"".join(rows)
        self.written += len(data)
        return len(data)

    def saving(self, place: Place, counts: dict[str, int], *, done: bool = False) -> Callable[[], None]:
        written = self.written

        def save() -> None:
            if self.fails:
                raise OutputError("no space left")
            self.state = State(self.state.turn + 1, place, written, counts, done)

        return save

    def finish(self) -> Iterator[None]:
        return iter(())

    def publish(self) -> None: ...

    def close(self) -> None: ...


class ByHand(Executor):
    """A thread whose work is done when a test says so."""

    def __init__(self) -> None:
        self.begun: list[tuple[Future[Any], Callable[[], Any]]] = []

    def submit(self, fn: Callable[..., Any], /, *args: Any, **options: Any) -> Future[Any]:
        self.begun.append((Future(), lambda: fn(*args, **options)))
        return self.begun[-1][0]

    def end(self) -> None:
        future, work = self.begun.pop()
        try:
            future.set_result(work())
        except OutputError as error:
            future.set_exception(error)


@pytest.fixture
def paper() -> Paper:
    return Paper()


@pytest.fixture
def aside() -> ByHand:
    return ByHand()


@pytest.fixture
def clock() -> Still:
    return Still()


@pytest.fixture
def keeper(paper: Paper, clock: Still, aside: ByHand) -> Keeper:
    return Keeper(paper, clock, Event(), aside)


def test_little_that_is_young_is_not_saved(keeper: Keeper, aside: ByHand) -> None:
    keeper.write([b"row"])
    keeper.begin(FIRST, {})

    assert aside.begun == []


def test_what_is_old_enough_is_saved(keeper: Keeper, clock: Still, aside: ByHand) -> None:
    keeper.write([b"row"])
    clock.time = SAVE_SECONDS + 0.1
    keeper.begin(FIRST, {})

    assert len(aside.begun) == 1


def test_nothing_new_is_never_saved(keeper: Keeper, clock: Still, aside: ByHand) -> None:
    clock.time = 100.0
    keeper.begin(FIRST, {})

    assert aside.begun == []


def test_nothing_is_called_safe_before_its_save_has_ended(keeper: Keeper, aside: ByHand) -> None:
    keeper.write([MUCH])
    keeper.begin(FIRST, {"unique": 10})

    assert (keeper.has_ended(), keeper.saved, keeper.counts) == (False, Place(), {})
    aside.end()
    assert (keeper.has_ended(), keeper.saved, keeper.counts) == (True, FIRST, {"unique": 10})
    assert not keeper.has_ended()


def test_what_is_written_during_a_save_is_left_to_the_next(keeper: Keeper, paper: Paper, aside: ByHand) -> None:
    keeper.write([MUCH])
    keeper.begin(FIRST, {})
    keeper.write([MUCH])
    keeper.begin(SECOND, {})
    assert len(aside.begun) == 1

    aside.end()

    assert (paper.state.place, paper.state.offset) == (FIRST, len(MUCH))
    assert keeper.has_ended()
    keeper.begin(SECOND, {})
    aside.end()
    assert (paper.state.place, paper.state.offset) == (SECOND, 2 * len(MUCH))


def test_a_save_that_failed_is_told_once_asked_for(keeper: Keeper, paper: Paper, aside: ByHand) -> None:
    paper.fails = True
    keeper.write([MUCH])
    keeper.begin(FIRST, {})
    aside.end()

    with pytest.raises(OutputError, match="no space left"):
        keeper.has_ended()
    assert keeper.saved == Place()


def test_a_save_at_once_comes_behind_the_one_that_is_running(paper: Paper) -> None:
    keeper = Keeper(paper, Still(), Event())
    keeper.write([MUCH])
    keeper.begin(FIRST, {})
    keeper.write([b"row"])

    keeper.save(SECOND, {"unique": 20}, done=True)

    assert paper.state == State(2, SECOND, len(MUCH) + 3, {"unique": 20}, True)
    assert keeper.saved == SECOND
    assert not keeper.has_ended()
    keeper.close()


def test_a_save_at_once_fails_when_the_one_that_was_running_did(keeper: Keeper, paper: Paper, aside: ByHand) -> None:
    paper.fails = True
    keeper.write([MUCH])
    keeper.begin(FIRST, {})
    aside.end()
    paper.fails = False

    with pytest.raises(OutputError):
        keeper.save(SECOND, {})
    assert paper.state.place == Place()


def test_closing_waits_for_the_save_that_is_running(paper: Paper) -> None:
    keeper = Keeper(paper, Still(), Event())
    keeper.write([MUCH])
    keeper.begin(FIRST, {})

    keeper.close()

    assert paper.state.place == FIRST
