"""Looks for monsters: boards that cost the default solver most, by hill climbing.

    python benchmarks/monsters.py [--minutes M] [--seed S] [--processes P] [--keep FILE] [--top N]

A climb changes one to three givens of a board at a time (adds one, removes one, moves one, exchanges two, or writes
another digit), keeps the dearest of a batch of such neighbours, and gives up when no batch has been dearer for a while.
It begins at a random board, at one that is known to be hard, or at one that an earlier climb found. Climbs alternate
between two objectives:

    nodes   of the default solver: of the kernel, and of the search that goes on where the kernel gives up
    ms      CPU time of the default solver, one board at a time

A climb by ``nodes`` depends on its seed and its start alone, one by ``ms`` also on the machine. With --keep the dearest
are added to a file of ``puzzle:count:solution`` after each climb; every board in it is decided, by the default
solver and by `sat`. Ends with exit code 1 when a board is left undecided or the two disagree.
"""

import argparse
import random
import statistics
import sys
import time
from collections.abc import Callable
from itertools import count, islice
from multiprocessing import get_context
from multiprocessing.pool import AsyncResult
from pathlib import Path
from typing import NamedTuple

from gridmill.answers import Status
from gridmill.board import BLANK, CELLS, pack, unpack
from gridmill.chance import Chance
from gridmill.reply import Claim
from gridmill.rules import clash
from gridmill.solved_grid import solved_grid
from gridmill.solvers.lanes import KERNEL_NODES, Lanes
from gridmill.solvers.sat import Sat

BATCH = 96  # neighbours a step: three vectors of the widest kernel
PATIENCE = 120  # steps without anything dearer, after which a climb gives up
STEPS = 1500  # of a climb at most: some minutes
REPEATS = 5  # timings of a board that is worth noting; the least counts, what is above it is the machine's
KERNEL_MS = 0.4  # what KERNEL_NODES take, about
WORTH_MS = 0.6  # a board below is no monster, and not noted: the search above the kernel has little to do with it

KNOWN = (  # from public discussions of boards that are slow for good solvers
    ".....5.8....6.1.43..........1.5........1.6...3.......553.....61........4.........",  # norvig.com/sudoku.html
    ".71..4.................6...8....9........2..8.....76......81..6....6....6....38..",
    "..1......2..........3......4.......5..5...6..6......4...71.3...8..........9.2....",
    "..............3.85..1.2.......5.7.....4...1...9.......5......73..2.1........4...9",
)


class Monster(NamedTuple):
    """A board and what it costs the default solver."""

    board: str
    nodes: int
    ms: float


class Task(NamedTuple):
    """One climb: ``nodes`` or ``ms``; ``found`` are boards at which it may begin."""

    objective: str
    seed: int
    found: tuple[str, ...]


Scores = Callable[[list[str]], list[float]]


def neighbour(board: str, chance: random.Random) -> str:
    """``board`` with one to three changes."""
    cells = list(board)
    for _ in range(chance.choice((1, 1, 1, 2, 2, 3))):
        one, other = chance.randrange(CELLS), chance.randrange(CELLS)
        change = chance.randrange(4)
        if change == 0:
            cells[one], cells[other] = cells[other], cells[one]
        elif change == 1:
            given = [cell for cell, sign in enumerate(cells) if sign != BLANK]
            if given:
                cells[chance.choice(given)] = BLANK
        else:
            cells[one] = chance.choice("123456789")
    return "".join(cells)


def neighbours(board: str, chance: random.Random) -> list[str]:
    """BATCH boards beside ``board`` whose givens do not clash."""
    tried = (neighbour(board, chance) for _ in count())
    return list(islice((found for found in tried if found != board and clash(found) is None), BATCH))


def start(chance: random.Random, found: tuple[str, ...]) -> str:
    """A known or found monster, or a part of a solved grid, half of the time with a given that is perhaps wrong."""
    if chance.random() < 0.5:
        return chance.choice(KNOWN + found)
    solved = solved_grid(Chance(chance.getrandbits(64)))
    kept = set(chance.sample(range(CELLS), chance.randint(14, 26)))
    board = "".join(sign if cell in kept else BLANK for cell, sign in enumerate(solved))
    if chance.random() < 0.5:
        return board
    return next(found for found in (neighbour(board, chance) for _ in count()) if clash(found) is None)


def nodes_of(lanes: Lanes, boards: list[str]) -> list[int]:
    """Nodes of each board."""
    return [claim.nodes for claim in lanes.reply(b"".join(map(pack, boards)), 2, lanes.budget).claims()]


def milliseconds(lanes: Lanes, board: str) -> float:
    """CPU time of the default solver for one board."""
    packed = pack(board)
    before = time.thread_time()
    lanes.reply(packed, 2, lanes.budget)
    return 1e3 * (time.thread_time() - before)


def by_nodes() -> Scores:
    """The first objective."""
    lanes = Lanes()
    return lambda boards: list(map(float, nodes_of(lanes, boards)))


def by_time() -> Scores:
    """The second objective: measured where the kernel gives up; below that the nodes lead the way there."""
    lanes = Lanes()

    def scores(boards: list[str]) -> list[float]:
        nodes = nodes_of(lanes, boards)
        return [
            milliseconds(lanes, board) if used > KERNEL_NODES else KERNEL_MS * used / KERNEL_NODES
            for board, used in zip(boards, nodes, strict=True)
        ]

    return scores


def climb(task: Task) -> list[Monster]:
    """The last three boards on the way up from one start."""
    chance = random.Random(f"{task.objective} {task.seed}")
    scores = by_nodes() if task.objective == "nodes" else by_time()
    board, best, stuck = start(chance, task.found), 0.0, 0
    way = [board]
    for _ in range(STEPS):
        near = neighbours(board, chance)
        found = scores(near)
        dearest = max(range(len(near)), key=found.__getitem__)
        if found[dearest] > best:
            stuck = 0
            way.append(near[dearest])
        if found[dearest] >= best:
            board, best = near[dearest], found[dearest]
        stuck += 1
        if stuck > PATIENCE:
            break
    return [monster for monster in measured(way[-3:]) if monster.ms >= WORTH_MS]


def measured(boards: list[str]) -> list[Monster]:
    """Both costs of boards."""
    lanes = Lanes()
    costs = (min(milliseconds(lanes, board) for _ in range(REPEATS)) for board in boards)
    return [Monster(board, nodes, ms) for board, nodes, ms in zip(boards, nodes_of(lanes, boards), costs, strict=True)]


def line(monster: Monster) -> str:
    """``puzzle:count:solution``, and the costs as a comment. Raises SystemExit when it is not decided, or wrongly."""
    lanes = Lanes()
    claim = next(lanes.reply(pack(monster.board), 2, lanes.budget).claims())
    counts = {0: Status.NONE, 1: Status.UNIQUE, 2: Status.MULTIPLE}
    wanted = counts[Sat().count(monster.board, 2)]
    if claim.status is not wanted:
        raise SystemExit(f"{monster.board} is {wanted}, the default solver says {claim.status}")
    return f"{monster.board}:{_count(claim)}  # {monster.nodes} nodes, {monster.ms:.1f} ms"


def _count(claim: Claim) -> str:
    return {Status.NONE: "0:", Status.MULTIPLE: ">1:"}.get(claim.status or Status.NONE) or f"1:{unpack(claim.solution)}"


def dearest(found: list[Monster], top: int) -> list[Monster]:
    """The ``top`` boards of each objective, once each, the most nodes first."""
    unique = list({monster.board: monster for monster in found}.values())
    by_ms = sorted(unique, key=lambda monster: -monster.ms)[:top]
    by_count = sorted(unique, key=lambda monster: -monster.nodes)[:top]
    return sorted({*by_ms, *by_count}, key=lambda monster: (-monster.nodes, monster.board))


def read(path: Path) -> list[Monster]:
    """The monsters that a file holds already, measured again."""
    lines = path.read_text("ascii").splitlines() if path.exists() else []
    return measured([text[:CELLS] for text in lines if not text.startswith("#")])


def write(path: Path, monsters: list[Monster]) -> None:
    """Write the file anew."""
    head = "# Boards that benchmarks/monsters.py found; puzzle:count:solution, the count exact or >1\n"
    unique = {monster.board: monster for monster in monsters}.values()
    new = path.with_suffix(".new")
    new.write_text(head + "".join(f"{line(monster)}\n" for monster in unique), "ascii")
    new.replace(path)


def main() -> None:
    arguments = _arguments()
    end = time.monotonic() + 60 * arguments.minutes
    known = read(arguments.keep) if arguments.keep else []
    found: list[Monster] = []
    begun = 0
    with get_context("spawn").Pool(arguments.processes) as pool:
        waiting: list[AsyncResult[list[Monster]]] = []
        while time.monotonic() < end:
            while len(waiting) < 2 * arguments.processes:
                task = Task(
                    ("nodes", "ms")[begun % 2],
                    1_000_000 * arguments.seed + begun,
                    tuple(monster.board for monster in known + found),
                )
                waiting.append(pool.apply_async(climb, (task,)))
                begun += 1
            found = dearest(found + waiting.pop(0).get(), arguments.top)
            if arguments.keep:
                write(arguments.keep, known + found)
            print(summary(begun - len(waiting), found), file=sys.stderr, flush=True)
        pool.terminate()
    print("\n".join(map(line, found)))


def summary(climbs: int, found: list[Monster]) -> str:
    """One line about what there is."""
    if not found:
        return f"{climbs} climbs, nothing yet"
    middle = statistics.median(monster.ms for monster in found)
    most = max(monster.nodes for monster in found)
    return f"{climbs} climbs: at most {most:,} nodes, {max(m.ms for m in found):.2f} ms; median {middle:.2f} ms"


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Look for boards that cost the default solver most.")
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--keep", type=Path, metavar="FILE", help="add what is found to this file")
    parser.add_argument("--top", type=int, default=25, help="boards that are kept for each objective")
    return parser.parse_args()


if __name__ == "__main__":
    main()
