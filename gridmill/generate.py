"""Unique puzzles from a seed, the same on every machine.

A puzzle begins as a solved grid. Its cells are taken away in a random order, all but those that alone stand in an
unavoidable set, which costs no search. That leaves too little in most cases, so bisection finds how many of these steps
keep the solution unique (less given is never more unique); after that single cells are tried. What comes out depends
on the seed and on what is asked, and not on the solver: it only says whether a solution is unique.
"""

from bisect import bisect_left
from collections.abc import Iterator

from gridmill import solvers
from gridmill.board import BLANK, CELLS, to_grid
from gridmill.chance import Chance
from gridmill.digest import digest
from gridmill.errors import SettingsError
from gridmill.solved_grid import solved_grid
from gridmill.unavoidable import unavoidable

FEWEST = 17  # no puzzle with fewer givens is unique (McGuire, Tugemann and Civario, 2012)
ORDINARY = (26, 34)  # givens, as newspapers print them
GRIDS_TRIED = 5000  # for one puzzle, some 15 s; of 8,000 minimal ones 268 had 22 givens, 21 had 21, one had 20
SEEDS = 1 << 64

_ALL = (1 << CELLS) - 1


def generate(
    count: int, seed: int, *, givens: tuple[int, int] | None = None, minimal: bool = False
) -> Iterator[tuple[str, str]]:
    """Yield ``count`` different puzzles with their only solutions, as board texts.

    ``givens`` is the least and the greatest number of givens (`ORDINARY` when neither it nor ``minimal`` is said).
    In a ``minimal`` puzzle no given can be spared. A smaller ``count`` yields the beginning of a greater one.
    Raises SettingsError for values out of range, and when `GRIDS_TRIED` grids in a row hold no such puzzle.
    Memory grows by a 16-byte digest a puzzle, which keeps them different.
    """
    _check(count, seed, givens)
    low, high = givens or ((FEWEST, CELLS) if minimal else ORDINARY)
    return _different(count, Chance(seed), low, high, minimal)


def _check(count: int, seed: int, givens: tuple[int, int] | None) -> None:
    if count < 0:
        raise SettingsError(f"{count} puzzles cannot be made: say 0 or more")
    if not 0 <= seed < SEEDS:
        raise SettingsError(f"the seed {seed} is out of range: say 0 to {SEEDS - 1}")
    if givens and not FEWEST <= givens[0] <= givens[1] < CELLS:
        raise SettingsError(
            f"givens {givens[0]}-{givens[1]} are not possible: say A-B, with {FEWEST} <= A <= B <= {CELLS - 1}; "
            f"no puzzle with fewer than {FEWEST} is unique"
        )


def _different(count: int, chance: Chance, low: int, high: int, minimal: bool) -> Iterator[tuple[str, str]]:
    seen: set[bytes] = set()
    tried = 0
    while len(seen) < count:
        if tried == GRIDS_TRIED:
            raise SettingsError(
                f"none of {GRIDS_TRIED} grids held a new {'minimal ' * minimal}puzzle of {low}-{high} givens "
                f"(puzzle {len(seen) + 1}): widen --givens; fewer than 21 are too rare, and minimal ones above 28 too"
            )
        tried += 1
        solution = solved_grid(chance)
        puzzle = _puzzle(solution, chance, 0 if minimal else low + chance.below(high - low + 1))
        mark = digest(puzzle.encode())
        if low <= CELLS - puzzle.count(BLANK) <= high and mark not in seen:
            tried = 0
            seen.add(mark)
            yield puzzle, solution


def _puzzle(solution: str, chance: Chance, aim: int) -> str:
    """A unique puzzle of ``solution`` with ``aim`` givens, or with more, when none of those can be spared."""
    order = list(range(CELLS))
    chance.shuffle(order)
    sets = unavoidable(solution)
    sets_of = [[part for part in sets if part >> cell & 1] for cell in range(CELLS)]
    steps = _spare(order, sets_of)
    most = min(len(steps), CELLS - aim)
    kept = bisect_left(range(1, most + 1), True, key=lambda taken: not _is_unique(solution, steps[:taken]))
    gone = steps[:kept]
    left = _ALL & ~sum(1 << cell for cell in gone)
    settled = set(steps[: kept + 1])  # the next step would have made it ambiguous
    for cell in order:
        if len(gone) == CELLS - aim:
            break
        without = left & ~(1 << cell)
        if cell not in settled and _hits_all(sets_of[cell], without) and _is_unique(solution, [*gone, cell]):
            left = without
            gone.append(cell)
    return _without(solution, gone)


def _spare(order: list[int], sets_of: list[list[int]]) -> list[int]:
    """The cells in ``order`` that can go, one after the other, while every unavoidable set keeps a cell."""
    left = _ALL
    spare = []
    for cell in order:
        without = left & ~(1 << cell)
        if _hits_all(sets_of[cell], without):
            left = without
            spare.append(cell)
    return spare


def _hits_all(sets: list[int], cells: int) -> bool:
    return all(part & cells for part in sets)


def _without(solution: str, gone: list[int]) -> str:
    cells = list(solution)
    for cell in gone:
        cells[cell] = BLANK
    return "".join(cells)


def _is_unique(solution: str, gone: list[int]) -> bool:
    solver = solvers.get("bitmask")
    outcome = solver.search(to_grid(_without(solution, gone)), limit=2, budget=solver.budget)
    return len(outcome.solutions) == 1 and not outcome.spent
