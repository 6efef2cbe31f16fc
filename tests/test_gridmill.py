"""The library's front door."""

import subprocess
import sys
from collections.abc import Callable

import pytest

import gridmill
from gridmill import BoardError, GridmillError, kernel, solve, solvers, verify
from gridmill.board import BLANKS
from gridmill.solvers import get, sat

EASY = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
EASY_SOLVED = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
NORVIG = ".....5.8....6.1.43..........1.5........1.6...3.......553.....61........4........."
MANY = [  # solutions, as a solver that goes another way would find another first
    ".......9.376..9.2.....4....4.2.3..816.............47.9...9.....94.....3.8.....916",
    ".....................................1...........................................",
    ".....8.......469....37.....8..5.34..6.9....5....2.47..3.....16..9.....4.47.......",
]


class Row(list[str]):
    """What native code leaves to Python."""


class Sign(str):
    """The same for a cell."""

    __slots__ = ()


def rows(board: str) -> list[list[str]]:
    return [list(board[at : at + 9]) for at in range(0, 81, 9)]


def test_a_board_is_filled_in_place() -> None:
    board = rows(EASY)
    before = list(board)

    assert solve(board) is True
    assert board == rows(EASY_SOLVED)
    assert all(row is old for row, old in zip(board, before, strict=True))


@pytest.mark.parametrize("text", [NORVIG, "55" + "." * 79, "5" * 81])
def test_a_board_without_solution_stays_as_it_was(text: str) -> None:
    board = rows(text)

    assert solve(board) is False
    assert board == rows(text)


@pytest.mark.parametrize("board", [EASY, [EASY[at : at + 9] for at in range(0, 81, 9)], tuple(map(tuple, rows(EASY)))])
def test_rows_that_cannot_be_filled_are_refused(board: object) -> None:
    with pytest.raises(BoardError, match=r"row 1 is of type (str|tuple) and cannot be filled in place"):
        solve(board)  # type: ignore[arg-type]


def test_a_board_of_many_solutions_gets_a_right_one() -> None:
    board = rows("." * 81)

    assert solve(board)
    assert verify("." * 81, "".join(map("".join, board))) is None


@pytest.mark.parametrize(
    "board", [rows(EASY)[:8], [*rows(EASY)[:8], list("........")], [*rows(EASY)[:8], list("....x...A")]]
)
def test_what_is_no_board_is_an_error(board: list[list[str]]) -> None:
    with pytest.raises(BoardError):
        solve(board)


@pytest.mark.parametrize("blank", ["", *BLANKS])
def test_every_sign_for_a_blank_is_one(blank: str) -> None:
    board = [[sign if sign != "." else blank for sign in row] for row in rows(EASY)]

    assert solve(board)
    assert board == rows(EASY_SOLVED)


def test_a_list_of_somebody_s_own_kind_is_filled_too() -> None:
    board: list[list[str]] = list(map(Row, rows(EASY)))

    assert solve(board)
    assert board == rows(EASY_SOLVED)


@pytest.mark.parametrize("kind", [lambda row: Row(row), lambda row: list(map(Sign, row))])
def test_which_solution_is_found_depends_on_no_type(kind: Callable[[list[str]], list[str]]) -> None:
    for text in MANY:
        board, other = rows(text), [kind(row) for row in rows(text)]

        assert solve(board)
        assert solve(other)
        assert other == board, text


def test_a_board_whose_rows_are_one_list_is_an_error_and_stays_as_it_was() -> None:
    board = [["."] * 9] * 9

    with pytest.raises(BoardError, match="rows 1 and 2 are the same list"):
        solve(board)
    assert board == rows("." * 81)


@pytest.fixture
def no_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    """As on a machine without a compiler, where the default is a solver in Python; it gives up at once."""
    monkeypatch.setattr(kernel, "native", False)
    monkeypatch.setattr(solvers, "DEFAULT", "bitmask")
    monkeypatch.setattr(type(get("bitmask")), "budget", 0)


@pytest.mark.usefixtures("no_kernel")
def test_a_spent_budget_is_never_taken_for_no_solution() -> None:
    """The referee takes over where the default solver gives up."""
    board = rows("." * 81)

    assert solve(board) is True


@pytest.mark.usefixtures("no_kernel")
def test_a_board_that_nobody_decides_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sat, "CONFLICTS", 1)
    board = rows(NORVIG)

    with pytest.raises(GridmillError, match="no solver could decide"):
        solve(board)

    assert board == rows(NORVIG)


def test_importing_it_loads_no_solver_and_no_celery() -> None:
    program = "import sys, gridmill; sys.exit(bool({'gridmill.solvers', 'celery', 'redis', 'pysat'} & {*sys.modules}))"

    assert subprocess.run([sys.executable, "-c", program], timeout=30, check=False).returncode == 0


def test_all_that_it_offers_is_there() -> None:
    assert all(hasattr(gridmill, name) for name in gridmill.__all__)
    assert solvers.DEFAULT in solvers.names()
