"""Prints how many boards of an array are unique, the first solution, and how many givens there are. Needs numpy."""

from pathlib import Path

import numpy

import gridmill

PUZZLES = Path(__file__).parent / "puzzles.txt"

if __name__ == "__main__":
    lines = PUZZLES.read_bytes().split()
    boards = numpy.frombuffer(b"".join(lines), dtype="uint8").reshape(-1, 9, 9)
    answers = gridmill.solve_many(boards)
    print(answers)
    print(answers.solutions.reshape(-1, 9, 9)[0])
    givens = (answers.puzzles > 0).sum(axis=1)
    print(f"givens: {givens.min()} to {givens.max()}")
