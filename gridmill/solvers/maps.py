"""Row-major backtracking with one occupancy map a row, column and box, by cell index 0..80.

A map is nine bits, bit d for digit d + 1; a cell's candidates are the bits that none of its three maps has.
"""

from gridmill.board import BLANK, CELLS, Grid
from gridmill.solvers.outcome import Budget
from gridmill.solvers.row_major import DIGITS, RowMajor

_BIT = {digit: 1 << at for at, digit in enumerate(DIGITS)}


class Maps(RowMajor):
    """Asks three bit maps instead of the board."""

    name = "maps"
    summary = "row-major backtracking with bit maps of the digits in each row, column and box"
    version = 1
    chunk = 500  # easy boards: 50 ms, since many boards need more

    def fill(self, grid: Grid, budget: Budget) -> bool:
        return _Filling(grid, budget).fill(0)


class _Filling:
    """One search: the board and the maps of what stands on it."""

    def __init__(self, grid: Grid, budget: Budget) -> None:
        self.grid = grid
        self.budget = budget
        self.rows = [0] * 9
        self.columns = [0] * 9
        self.boxes = [0] * 9
        for cell in range(CELLS):
            row, column = divmod(cell, 9)
            if grid[row][column] != BLANK:
                self._flip(row, column, _BIT[grid[row][column]])

    def _flip(self, row: int, column: int, bit: int) -> None:
        self.rows[row] ^= bit
        self.columns[column] ^= bit
        self.boxes[row // 3 * 3 + column // 3] ^= bit

    def fill(self, cell: int) -> bool:
        """Fill the blanks from ``cell`` on."""
        if cell == CELLS:
            return True
        row, column = divmod(cell, 9)
        if self.grid[row][column] != BLANK:
            return self.fill(cell + 1)
        taken = self.rows[row] | self.columns[column] | self.boxes[row // 3 * 3 + column // 3]
        for digit, bit in _BIT.items():
            if taken & bit:
                continue
            self.budget.spend()
            self.grid[row][column] = digit
            self._flip(row, column, bit)
            if self.fill(cell + 1):
                return True
            self._flip(row, column, bit)
        self.grid[row][column] = BLANK
        return False
