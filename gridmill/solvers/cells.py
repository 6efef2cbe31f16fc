"""Row-major backtracking over (row, column) with three occupancy arrays, in two forms that end a cell differently.

``cells-break``   leaves the digit loop when the rest could be filled, and then decides by the cell's state.
``cells-return``  returns from inside the loop.

A published claim says that the second is faster; ``benchmarks/row_major.py`` measures it.
"""

from abc import ABC, abstractmethod

from gridmill.board import BLANK, Grid
from gridmill.solvers.outcome import Budget
from gridmill.solvers.row_major import DIGITS, RowMajor


class _Filling(ABC):
    """One search: the board, and for each row, column and box which of the nine digits stand in it."""

    def __init__(self, grid: Grid, budget: Budget) -> None:
        self.grid = grid
        self.budget = budget
        self.in_row = [[False] * 9 for _ in range(9)]
        self.in_column = [[False] * 9 for _ in range(9)]
        self.in_box = [[False] * 9 for _ in range(9)]
        for row in range(9):
            for column in range(9):
                if grid[row][column] != BLANK:
                    self._mark(row, column, DIGITS.index(grid[row][column]), True)

    @abstractmethod
    def fill(self, row: int, column: int) -> bool:
        """Fill the blanks from (row, column) on."""

    def _mark(self, row: int, column: int, digit: int, stands: bool) -> None:
        self.in_row[row][digit] = self.in_column[column][digit] = stands
        self.in_box[row // 3 * 3 + column // 3][digit] = stands

    def fits(self, row: int, column: int, digit: int) -> bool:
        box = self.in_box[row // 3 * 3 + column // 3]
        return not (self.in_row[row][digit] or self.in_column[column][digit] or box[digit])

    def put(self, row: int, column: int, digit: int) -> None:
        self.budget.spend()
        self.grid[row][column] = DIGITS[digit]
        self._mark(row, column, digit, True)

    def lift(self, row: int, column: int, digit: int) -> None:
        self.grid[row][column] = BLANK
        self._mark(row, column, digit, False)


class _Break(_Filling):
    def fill(self, row: int, column: int) -> bool:
        if column == 9:
            row, column = row + 1, 0
        if row == 9:
            return True
        if self.grid[row][column] != BLANK:
            return self.fill(row, column + 1)
        for digit in range(9):
            if self.fits(row, column, digit):
                self.put(row, column, digit)
                if self.fill(row, column + 1):
                    break
                self.lift(row, column, digit)
        return self.grid[row][column] != BLANK


class _Return(_Filling):
    def fill(self, row: int, column: int) -> bool:
        if column == 9:
            row, column = row + 1, 0
        if row == 9:
            return True
        if self.grid[row][column] != BLANK:
            return self.fill(row, column + 1)
        for digit in range(9):
            if self.fits(row, column, digit):
                self.put(row, column, digit)
                if self.fill(row, column + 1):
                    return True
                self.lift(row, column, digit)
        return False


class CellsBreak(RowMajor):
    """The form that leaves the loop."""

    name = "cells-break"
    summary = "row-major backtracking with occupancy arrays; leaves the digit loop and asks the cell"
    version = 1
    chunk = 400  # easy boards: 50 ms, since many boards need more

    def fill(self, grid: Grid, budget: Budget) -> bool:
        return _Break(grid, budget).fill(0, 0)


class CellsReturn(RowMajor):
    """The form that returns at once."""

    name = "cells-return"
    summary = "the same, returning from inside the loop"
    version = 1
    chunk = 400  # easy boards: 50 ms, since many boards need more

    def fill(self, grid: Grid, budget: Budget) -> bool:
        return _Return(grid, budget).fill(0, 0)
