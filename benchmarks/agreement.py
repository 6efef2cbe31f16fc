"""Whether the solvers agree: `bitmask`, the kernel at every width, what it hands over to, the default and `sat`.

    python benchmarks/agreement.py [--count N] [--seed S] [--processes P] [--sat-every K]

Boards come in fours: one of a kind below, and three images of it: its digits exchanged, its rows and columns exchanged
(transposed), and its bands, stacks, rows and columns permuted with all of that together. The first of a four must get
the same status from all; an image must get the status of its first, and where the solution is unique, its image.

    part      a solved grid, 17 to 60 cells of it
    wrong     the same with another digit in one cell, mostly one that does not clash
    two       a solved grid without one or two unavoidable sets
    sparse    up to 24 digits anywhere, mostly where they do not clash
    minimal   a unique puzzle of which no given can be spared

Kernel widths must give the same bytes, and the search that learns, to which the kernel hands over, as many
solutions; `gridmill.judge` and, on a sample, `gridmill.rules` check their solutions; each status must be that of
`bitmask`, and on one board in K that of `sat`. The first disagreement ends the run with exit code 1 and names the
board.
"""

import argparse
import random
import sys
import time
from collections import Counter
from collections.abc import Iterator
from multiprocessing import get_context
from typing import NamedTuple

from gridmill import kernel
from gridmill.answers import Status
from gridmill.board import BLANK, CELLS, pack, slots, unpack
from gridmill.chance import Chance
from gridmill.generate import generate
from gridmill.judge import OPEN, RIGHT, judge
from gridmill.reply import Claim, Reply
from gridmill.rules import clash, verify
from gridmill.solved_grid import solved_grid
from gridmill.solvers import get
from gridmill.solvers.claim import claim, reply_to
from gridmill.solvers.lanes import DEEP_NODES
from gridmill.solvers.sat import Sat
from gridmill.unavoidable import unavoidable

FOURS = 250  # of a task: about a second
BUDGET = 10_000_000  # nodes: no made board comes near
VERIFY_EVERY = 50  # boards, for the slow check by `gridmill.rules`
SAY_SECONDS = 10.0  # between two lines about the progress
DIGITS = "123456789"
KINDS = ("part", "wrong", "two", "sparse", "minimal")


class Image(NamedTuple):
    """A board with its cells in another order, and other digits in them: a puzzle with the images of its solutions."""

    cells: tuple[int, ...]
    digits: dict[int, int]

    def of(self, board: str) -> str:
        """The image of a board text."""
        return "".join(map(board.__getitem__, self.cells)).translate(self.digits)


class Made(NamedTuple):
    """A board; ``first`` is where that stands of which it is the ``image``."""

    kind: str
    board: str
    first: int
    image: Image


class Found(NamedTuple):
    """What a task found: boards by kind and status, how many `sat` saw, and the first disagreement."""

    statuses: Counter[tuple[str, str]]
    by_sat: int
    fault: str


def exchanged(chance: random.Random) -> dict[int, int]:
    """The digits in another order."""
    return str.maketrans(DIGITS, "".join(chance.sample(DIGITS, 9)))


def lines(chance: random.Random) -> list[int]:
    """The rows, or columns, in an order that keeps the boxes whole."""
    return [3 * band + line for band in chance.sample(range(3), 3) for line in chance.sample(range(3), 3)]


def images(chance: random.Random) -> Iterator[Image]:
    """The board itself and the three images."""
    same = tuple(range(CELLS))
    yield Image(same, {})
    yield Image(same, exchanged(chance))
    yield Image(tuple(9 * column + row for row in range(9) for column in range(9)), {})
    rows, columns, turn = lines(chance), lines(chance), chance.random() < 0.5
    cells = [9 * row + column for row in rows for column in columns]
    yield Image(tuple(9 * (cell % 9) + cell // 9 if turn else cell for cell in cells), exchanged(chance))


def part(chance: random.Random, kept: int) -> str:
    """``kept`` cells of a solved grid."""
    solved = solved_grid(Chance(chance.getrandbits(64)))
    stays = set(chance.sample(range(CELLS), kept))
    return "".join(sign if cell in stays else BLANK for cell, sign in enumerate(solved))


def other(chance: random.Random, board: str, cell: int) -> str:
    """``board`` with another digit in a cell: nine times of ten, where there is any, one that does not clash."""
    changed = [board[:cell] + digit + board[cell + 1 :] for digit in DIGITS.replace(board[cell], "")]
    quiet = [board for board in changed if clash(board) is None] if chance.random() < 0.9 else []
    return chance.choice(quiet or changed)


def wrong(chance: random.Random) -> str:
    """A part of a solved grid with another digit in one given cell."""
    board = part(chance, chance.randint(17, 40))
    return other(chance, board, chance.choice([cell for cell, sign in enumerate(board) if sign != BLANK]))


def two(chance: random.Random) -> str:
    """A solved grid without one or two unavoidable sets: two solutions, or a few."""
    solved = solved_grid(Chance(chance.getrandbits(64)))
    gone = 0
    for cells in chance.sample(unavoidable(solved), chance.randint(1, 2)):
        gone |= cells
    return "".join(BLANK if gone >> cell & 1 else sign for cell, sign in enumerate(solved))


def sparse(chance: random.Random) -> str:
    """Digits anywhere."""
    board = BLANK * CELLS
    for cell in chance.sample(range(CELLS), chance.randint(0, 24)):
        board = other(chance, board, cell)
    return board


def made(seed: int, task: int) -> list[Made]:
    """The boards of a task, the same for the same numbers."""
    chance = random.Random(f"{seed} {task}")
    minimal = [puzzle for puzzle, _ in generate(2, chance.getrandbits(64), minimal=True)]
    makers = {
        "part": lambda: part(chance, chance.randint(17, 60)),
        "wrong": lambda: wrong(chance),
        "two": lambda: two(chance),
        "sparse": lambda: sparse(chance),
        "minimal": lambda: list(images(chance))[-1].of(chance.choice(minimal)),
    }
    boards: list[Made] = []
    for number in range(FOURS):
        kind, first = KINDS[number % len(KINDS)], len(boards)
        board = makers[kind]()
        boards += [Made(kind, image.of(board), first, image) for image in images(chance)]
    return boards


def check(task: tuple[int, int, int]) -> Found:
    """Make the boards of a task and hold the solvers against each other."""
    seed, number, sat_every = task
    boards = made(seed, number)
    try:
        claims = compare_replies(b"".join(pack(one.board) for one in boards))
        compare_deep(b"".join(pack(one.board) for one in boards), claims)
        compare_images(boards, claims)
        compare_bitmask(boards, claims)
        by_sat = compare_sat(boards, claims, sat_every)
    except Disagreement as fault:
        return Found(Counter(), 0, f"task {number} of seed {seed}: {fault}")
    kinds = (one.kind for one in boards)
    return Found(Counter((kind, str(one.status)) for kind, one in zip(kinds, claims, strict=True)), by_sat, "")


class Disagreement(Exception):
    """Two solvers, or a solver and the rules, say different things about a board."""


def compare_replies(packed: bytes) -> list[Claim]:
    """The kernel's claims, the same from every width and from the default solver, judged. Raises Disagreement."""
    default = get("lanes")
    for limit in (1, 2):
        replies = {
            width: Reply(*kernel.extension.solve(packed, limit, BUDGET, width)) for width in kernel.extension.widths()
        }
        replies["lanes"] = reply_to(default, packed, first=limit == 1, budget=default.budget)
        claims = {name: list(reply.claims()) for name, reply in replies.items()}
        wanted = claims["baseline"]
        for name, found in claims.items():
            for slot, one, other in zip(slots(packed), wanted, found, strict=True):
                if (one if name != "lanes" else one.status) != (other if name != "lanes" else other.status):
                    raise Disagreement(f"{unpack(slot)} limit {limit}: baseline says {one}, {name} says {other}")
            verdicts = judge(packed, replies[name])
            for slot, one, verdict in zip(slots(packed), found, verdicts, strict=True):
                if verdict != (OPEN if one.status is Status.NONE else RIGHT):
                    raise Disagreement(f"{unpack(slot)} limit {limit}: {name} says {one}, judged {verdict}")
    return wanted


def compare_deep(packed: bytes, claims: list[Claim]) -> None:
    """Raises Disagreement where the search that learns finds more or fewer solutions, or wrong ones."""
    counts = {Status.UNIQUE: 1, Status.MULTIPLE: 2}
    found = []
    for slot, wanted in zip(slots(packed), claims, strict=True):
        solutions, nodes, spent = kernel.extension.deep(slot, 2, DEEP_NODES)
        if spent or len(slots(solutions)) != counts.get(wanted.status or Status.FAILED, 0):
            raise Disagreement(f"{unpack(slot)}: {len(slots(solutions))} solutions, the kernel says {wanted}")
        found.append(Claim(wanted.status, nodes, *slots(solutions)))
    for one, verdict in zip(found, judge(packed, Reply.of(found)), strict=True):
        if verdict != (OPEN if one.status is Status.NONE else RIGHT):
            raise Disagreement(f"the search that learns says {one}, judged {verdict}")


def compare_images(boards: list[Made], claims: list[Claim]) -> None:
    """An image has the status of its first, and the image of its only solution. Raises Disagreement."""
    for at, (one, found) in enumerate(zip(boards, claims, strict=True)):
        first = claims[one.first]
        if found.status is not first.status:
            raise Disagreement(f"{one.board} is {found.status}, {boards[one.first].board} of which it is an image not")
        if found.status is Status.UNIQUE and unpack(found.solution) != one.image.of(unpack(first.solution)):
            raise Disagreement(f"{one.board} does not have the image of the solution of {boards[one.first].board}")
        if found.solution and at % VERIFY_EVERY == 0 and (fault := verify(one.board, unpack(found.solution))):
            raise Disagreement(f"{one.board}: {fault}")


def compare_bitmask(boards: list[Made], claims: list[Claim]) -> None:
    """Raises Disagreement where the reference has another status, or another unique solution."""
    bitmask = get("bitmask")
    for one, found in zip(boards, claims, strict=True):
        wanted = claim(bitmask, pack(one.board), first=False, budget=BUDGET)
        if found.status is not wanted.status or (found.status is Status.UNIQUE and found.solution != wanted.solution):
            raise Disagreement(f"{one.board}: bitmask says {wanted}, the kernel {found}")


def compare_sat(boards: list[Made], claims: list[Claim], every: int) -> int:
    """How many boards `sat` saw. Raises Disagreement where it counts other solutions, up to two."""
    sat, seen = Sat(), range(0, len(boards), every)
    counts = {Status.CLASH: 0, Status.NONE: 0, Status.UNIQUE: 1, Status.MULTIPLE: 2}
    for at in seen:
        counted = sat.count(boards[at].board, 2)
        if counts[claims[at].status or Status.FAILED] != counted:
            raise Disagreement(f"{boards[at].board}: sat counts {counted}, the kernel says {claims[at].status}")
    return len(seen)


def table(statuses: Counter[tuple[str, str]], by_sat: int) -> str:
    """Boards by kind and status, as Markdown."""
    names = [str(status) for status in (Status.CLASH, Status.NONE, Status.UNIQUE, Status.MULTIPLE)]
    rows = [f"| {kind} | " + " | ".join(f"{statuses[kind, name]:,}" for name in names) + " |" for kind in KINDS]
    sums = [sum(statuses[kind, name] for kind in KINDS) for name in names]
    return "\n".join(
        [
            f"| kind | {' | '.join(names)} |",
            f"|---|{'--:|' * len(names)}",
            *rows,
            f"| **all** | {' | '.join(f'{number:,}' for number in sums)} |",
            "",
            f"{sum(sums):,} boards, no disagreement: bitmask, lanes, deep, {', '.join(kernel.extension.widths())} on "
            f"all of them, sat on {by_sat:,}.",
        ]
    )


def main() -> None:
    arguments = _arguments()
    tasks = -(-arguments.count // (4 * FOURS))
    every = ((arguments.seed, number, arguments.sat_every) for number in range(tasks))
    statuses: Counter[tuple[str, str]] = Counter()
    by_sat, said = 0, time.monotonic()
    with get_context("spawn").Pool(arguments.processes) as pool:
        for found in pool.imap_unordered(check, every):
            if found.fault:
                raise SystemExit(found.fault)
            statuses += found.statuses
            by_sat += found.by_sat
            if time.monotonic() - said > SAY_SECONDS:
                said = time.monotonic()
                print(f"{statuses.total():,} of {4 * FOURS * tasks:,} boards agree", file=sys.stderr, flush=True)
    print(table(statuses, by_sat))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Hold the solvers against each other.")
    parser.add_argument("--count", type=int, default=1_000_000, help="boards, rounded up to whole tasks of 1,000")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--sat-every", type=int, default=10, metavar="K", help="show sat one board in K")
    return parser.parse_args()


if __name__ == "__main__":
    main()
