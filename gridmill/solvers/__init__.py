"""The solvers by name. All are pure: no I/O, nothing shared between two instances."""

from collections.abc import Callable
from typing import Protocol, TypeGuard, runtime_checkable

from gridmill import kernel
from gridmill.board import Grid
from gridmill.errors import SettingsError
from gridmill.reply import Reply
from gridmill.solvers.bitmask import Bitmask
from gridmill.solvers.cells import CellsBreak, CellsReturn
from gridmill.solvers.lanes import Lanes
from gridmill.solvers.maps import Maps
from gridmill.solvers.outcome import Outcome, Tally
from gridmill.solvers.sat import Sat
from gridmill.solvers.scan import Scan

DEFAULT = "lanes" if kernel.native else "bitmask"


class Solver(Protocol):
    """What every solver is. An instance may keep state between boards, so a thread has its own.

    name     what ``--solver`` takes
    summary  one line for people
    version  raised whenever an answer (solution, second solution, nodes) of any board could change
    proves   whether it looks on after the first solution; without, its answer is `solved`, never `unique`
    budget   nodes a board that it may use where nobody says otherwise
    chunk    records of a chunk at most, and where nothing is known of how hard they are (`gridmill.pace`)
    """

    name: str
    summary: str
    version: int
    proves: bool
    budget: int
    chunk: int

    def search(self, grid: Grid, limit: int, budget: int) -> Outcome:
        """Find up to ``limit`` solutions (one, where the solver does not prove) with up to ``budget`` nodes, in place.

        Afterwards the grid holds the first solution, or, when none was found, exactly what it held before.
        Givens that clash have no solution: the outcome says so at once.
        """


class Batch(Solver, Protocol):
    """A solver that answers for many boards at once faster than for one after another."""

    def reply(self, boards: bytes, limit: int, budget: int, tick: Callable[[], None]) -> Reply:
        """The claims about packed slots, in order, as `search` finds them; ``tick`` is a sign of life."""


@runtime_checkable
class Counts(Solver, Protocol):
    """A solver that can count many solutions."""

    def tally(self, board: bytes, limit: int, budget: int, *, keep: bool) -> Tally:
        """Look for one solution more than ``limit`` of a packed board; ``keep``: give the solutions too."""


def is_batch(solver: Solver) -> TypeGuard[Batch]:
    """Whether it answers for many boards at once."""
    return hasattr(solver, "reply")  # isinstance would look at all that a solver has, each time


_SOLVERS: dict[str, Callable[[], Solver]] = {
    solver.name: solver for solver in (Scan, Maps, CellsBreak, CellsReturn, Bitmask, Sat)
}
if kernel.native:
    _SOLVERS[Lanes.name] = Lanes


def names() -> list[str]:
    """Every name that `get` knows."""
    return list(_SOLVERS)


def get(name: str) -> Solver:
    """A new solver. Raises SettingsError when there is none of that name."""
    try:
        return _SOLVERS[name]()
    except KeyError:
        raise SettingsError(f"no solver is called {name!r}; there are {', '.join(names())}") from None
