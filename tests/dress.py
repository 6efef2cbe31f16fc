"""The same puzzle in another dress: rows, columns and digits exchanged in one of the ways that keep it a puzzle."""

import itertools
import random

GROUPS = [(0, 1, 2), (3, 4, 5), (6, 7, 8)]
ORDERS = [
    tuple(itertools.chain(*three))
    for groups in itertools.permutations(GROUPS)
    for three in itertools.product(*(itertools.permutations(group) for group in groups))
]  # all 1296 of rows or columns


def turned(board: str) -> str:
    return "".join(board[column::9] for column in range(9))


def transform(board: str, rng: random.Random) -> str:
    """One of its dresses."""
    rows, columns, names = rng.choice(ORDERS), rng.choice(ORDERS), rng.sample("123456789", 9)
    board = turned(board) if rng.random() < 0.5 else board
    cells = "".join(board[9 * row + column] for row in rows for column in columns)
    return cells.translate(str.maketrans("123456789", "".join(names)))
