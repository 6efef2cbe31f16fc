"""The referee: a SAT solver that others keep (MiniSat, through python-sat) on the usual encoding.

A variable a candidate (9 * cell + digit, digits 1..9); for each cell, and for each digit in each unit, one of nine
and no two. One long-lived solver takes the givens as assumptions, ten times as fast as a fresh one a board.

What a long-lived solver has learned changes which solution it meets first, but an answer may depend on nothing but the
puzzle. So where there are several solutions, the lexicographically smallest are given, smallest first, and the nodes
are the solutions asked for: as many as were found, and one more where the search for another failed.
Conflicts inside the library, which do depend on its past, are bounded as a last net only.
"""

from itertools import combinations
from typing import Any

from gridmill.board import BLANK, CELLS, Grid, fill
from gridmill.rules import UNITS
from gridmill.solvers.outcome import Outcome, Spent

CONFLICTS = 200_000  # a question to the library, about a second; the worst of 60,000 boards of every kind took 400
REBUILD = 1000  # boards, after which a fresh solver (2.5 ms) drops all that was learned, so that memory stays flat

Model = list[int]  # the true variable of each cell, in order


class Sat:
    """Keeps a solver between boards: not to be shared by threads. The library is loaded with the first board."""

    name = "sat"
    summary = "MiniSat through python-sat, on the usual encoding; gives the smallest solutions in reading order"
    version = 1
    proves = True
    budget = 1000  # solutions asked for; two are enough for every status
    chunk = 200  # about 100 ms; a board takes 0.2 ms (17 clues) to 2 ms (very hard, or several solutions)

    def __init__(self) -> None:
        self._library: Any = None
        self._boards = 0
        self._guards: list[int] = []

    def search(self, grid: Grid, limit: int, budget: int) -> Outcome:
        """See `gridmill.solvers.Solver`. Givens that clash contradict the encoding, so they have no solution."""
        asked = min(limit, budget)
        try:
            found = self._smallest_ones("".join(map("".join, grid)), asked)
        except Spent:
            return Outcome((), asked, spent=True)
        if found:
            fill(grid, found[0])
        return Outcome(tuple(found), min(asked, len(found) + 1), spent=len(found) == asked < limit)

    def count(self, board: str, limit: int) -> int:
        """How many solutions a board text has, counted up to ``limit``; 0 refutes it.

        Cheaper than `search` where there are several. Raises Spent when a question takes more than CONFLICTS.
        """
        assumed = self._begin(board)
        found = 0
        while found < limit:
            model = self._ask(assumed)
            if model is None:
                break
            found += 1
            assumed.append(self._bar(model))
        return found

    def _smallest_ones(self, board: str, limit: int) -> list[str]:
        """Up to ``limit`` solutions in lexicographic order."""
        givens = self._begin(board)
        some = self._ask(givens) if limit else None
        if some is None:
            return []
        if self._ask([*givens, self._bar(some)]) is None:
            return [_text(some)]
        found: list[str] = []
        barred: list[int] = []
        while len(found) < limit and (model := self._smallest([*givens, *barred])):
            found.append(_text(model))
            barred.append(self._bar(model))
        return found

    def _smallest(self, assumed: list[int]) -> Model | None:
        """The smallest solution under assumptions, in lexicographic order: at each cell, ask for a smaller one."""
        model = self._ask(assumed)
        if model is None:
            return None
        fixed = set(assumed)
        for cell in range(CELLS):
            while model[cell] not in fixed:
                least = model[cell]
                smaller = self._ask([*fixed, *(-variable for variable in range(least, 9 * cell + 10))])
                if smaller is None:
                    fixed.add(least)
                else:
                    model = smaller
        return model

    def _begin(self, board: str) -> list[int]:
        """The givens as assumptions, for a solver in which no earlier board bars anything."""
        if self._boards % REBUILD == 0:
            self._library = _fresh_library()
        else:
            for guard in self._guards:
                self._library.add_clause([-guard])
        self._guards = []
        self._boards += 1
        return [9 * cell + int(sign) for cell, sign in enumerate(board) if sign != BLANK]

    def _bar(self, model: Model) -> int:
        """Exclude a solution for as long as the returned variable is assumed."""
        guard = int(self._library.nof_vars()) + 1
        self._library.add_clause([-guard, *(-variable for variable in model)])
        self._guards.append(guard)
        return guard

    def _ask(self, assumed: list[int]) -> Model | None:
        """Any solution under assumptions, or None. Raises Spent."""
        self._library.conf_budget(CONFLICTS)
        answer = self._library.solve_limited(assumed)
        if answer is None:
            raise Spent
        if not answer:
            return None
        return [variable for variable in self._library.get_model()[: 9 * CELLS] if variable > 0]


def _fresh_library() -> Any:
    from pysat.solvers import Minisat22  # here, so that listing the solvers does not load it

    cells = [[9 * cell + digit for digit in range(1, 10)] for cell in range(CELLS)]
    units = [[9 * cell + digit for cell in unit.cells] for unit in UNITS for digit in range(1, 10)]
    library = Minisat22()
    for nine in cells + units:
        library.add_clause(nine)
        for pair in combinations(nine, 2):
            library.add_clause([-variable for variable in pair])
    return library


def _text(model: Model) -> str:
    return "".join(str((variable - 1) % 9 + 1) for variable in model)
