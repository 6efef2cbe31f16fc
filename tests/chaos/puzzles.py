"""The input of a chaos run: generated puzzles in many disguises, a few records of every other kind and some that were
there before, one poison."""

import random
from collections.abc import Iterator
from pathlib import Path

from gridmill.generate import generate

DIGITS = "123456789"
ORIGINALS = 400  # that are generated; all others are these with other names for the digits
ODD = 50  # of so many records one is made into something else
AGAIN = 100  # of so many records one is a record again that was there before, perhaps in another chunk


def write(path: Path, count: int, seed: int) -> str:
    """Write ``count`` records to ``path``, one a line; the poison among them."""
    chance = random.Random(seed)
    records = list(_records(count, chance, seed))
    for later in range(1, count):
        if chance.randrange(AGAIN) == 0:
            records[later] = records[chance.randrange(later)]
    at = chance.randrange(count // 4, count // 2)
    while "." not in records[at] or len(records[at]) != 81 or records.count(records[at]) > 1:
        at += 1
    path.write_text("".join(f"{record}\n" for record in records), "ascii")
    return records[at]


def _records(count: int, chance: random.Random, seed: int) -> Iterator[str]:
    originals = [puzzle for puzzle, _ in generate(min(ORIGINALS, count), seed=seed)]
    for number in range(count):
        puzzle = originals[number % len(originals)].translate(_disguise(chance))
        yield _odd(puzzle, chance) if chance.randrange(ODD) == 0 else puzzle


def _disguise(chance: random.Random) -> dict[int, int]:
    return str.maketrans(DIGITS, "".join(chance.sample(DIGITS, 9)))


def _odd(puzzle: str, chance: random.Random) -> str:
    """With a given less (it may have many solutions), another given (it may have none, or clash), or cut short."""
    givens = [cell for cell, sign in enumerate(puzzle) if sign != "."]
    cell = chance.choice(givens)
    sign = chance.choice((".", chance.choice(DIGITS), ""))
    return puzzle[:cell] + sign + puzzle[cell + 1 :]
