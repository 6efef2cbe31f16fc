"""The solvers by name. All are pure: no I/O, nothing shared between two instances."""

from collections.abc import Callable
from typing import Protocol

from gridmill.board import Grid
from gridmill.errors import SettingsError
from gridmill.solvers.bitmask import Bitmask
from gridmill.solvers.cells import CellsBreak, CellsReturn
from gridmill.solvers.maps import Maps
from gridmill.solvers.outcome import Outcome
from gridmill.solvers.sat import Sat
from gridmill.solvers.scan import Scan

DEFAULT = "bitmask"


class Solver(Protocol):
    """What every solver is. An instance may keep state between boards, so a thread has its own.

    name     what ``--solver`` takes
    summary  one line for people
    version  raised whenever an answer (solution, second solution, nodes) of any board could change
    proves   whether it looks on after the first solution; without, its answer is `solved`, never `unique`
    budget   nodes a board that it may use where nobody says otherwise
    chunk    records that take it about 100 ms
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


_SOLVERS: dict[str, Callable[[], Solver]] = {
    solver.name: solver for solver in (Scan, Maps, CellsBreak, CellsReturn, Bitmask, Sat)
}


def names() -> list[str]:
    """Every name that `get` knows."""
    return list(_SOLVERS)


def get(name: str) -> Solver:
    """A new solver. Raises SettingsError when there is none of that name."""
    try:
        return _SOLVERS[name]()
    except KeyError:
        raise SettingsError(f"no solver is called {name!r}; there are {', '.join(names())}") from None
