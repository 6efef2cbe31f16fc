"""Prints mixed.csv: boards of every kind, each with the status that Gridmill must give it."""

from collections.abc import Iterator

from gridmill.board import BLANK
from gridmill.generate import generate

EACH = 8  # boards of each kind: enough to see the order kept, few enough to read
SEED = 2


def spoil(puzzle: str, number: int) -> str:
    """Make a text that is no puzzle, in one of four ways."""
    ways = (puzzle[:-1], puzzle + BLANK, "?!" + puzzle[2:], f"puzzle {number}")
    return ways[number % len(ways)]


def conflicting(puzzle: str, solution: str, *, clashing: bool) -> str:
    """Fill the first blank with a digit that is not its own: one of its row's givens, or one that no given forbids."""
    for cell in (cell for cell, sign in enumerate(puzzle) if sign == BLANK):
        row, column = cell // 9, cell % 9
        corner = row // 3 * 27 + column // 3 * 3
        in_row = set(puzzle[9 * row : 9 * row + 9]) - {BLANK}
        seen = in_row | set(puzzle[column::9]) | {puzzle[corner + 9 * r + c] for r in range(3) for c in range(3)}
        choices = in_row if clashing else set("123456789") - seen - {solution[cell]}
        if choices:
            return puzzle[:cell] + min(choices) + puzzle[cell + 1 :]
    raise ValueError(f"no such digit fits into {puzzle}")


def boards() -> Iterator[tuple[str, str]]:
    """Each board with its status. A minimal puzzle without one of its givens has several solutions."""
    for number, (puzzle, solution) in enumerate(generate(EACH, SEED, minimal=True)):
        given = next(sign for sign in puzzle if sign != BLANK)
        yield puzzle, "unique"
        yield puzzle.replace(given, BLANK, 1), "multiple"
        yield conflicting(puzzle, solution, clashing=False), "none"
        yield conflicting(puzzle, solution, clashing=True), "clash"
        yield spoil(puzzle, number), "malformed"


if __name__ == "__main__":
    print("id,puzzle,expected")
    for number, (board, status) in enumerate(boards(), 1):
        print(f"m{number:02},{board},{status}")
