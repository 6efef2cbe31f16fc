"""``gridmill show``."""

import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from gridmill import solvers
from gridmill.cli import app
from gridmill.solvers.bitmask import Bitmask
from gridmill.solvers.outcome import Outcome

PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SOLUTION = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
TWO = SOLUTION.translate(str.maketrans("12", ".."))
CLASH = "55" + "." * 79
NONE = ".....5.8....6.1.43..........1.5........1.6...3.......553.....61........4........."
STYLE = re.compile(r"\x1b\[[0-9;]*m")


def show(*words: str, input: str | None = None) -> Result:
    return CliRunner().invoke(app, ["show", *words], input=input)


def test_a_puzzle_stands_beside_its_solution() -> None:
    ended = show(PUZZLE)
    lines = ended.stdout.splitlines()
    assert ended.exit_code == 0
    assert lines[:3] == ["unique: exactly one solution (30 givens)", "", "puzzle                     solution"]
    assert lines[4] == "│ 5 3 . │ . 7 . │ . . . │  │ 5 3 4 │ 6 7 8 │ 9 1 2 │"


def test_of_several_solutions_two_are_shown_and_their_differences_marked() -> None:
    lines = show(TWO).stdout.splitlines()
    assert lines[0].startswith("multiple: at least two solutions (63 givens, the two differ in ")
    puzzle, first, second = (lines[4][at : at + 25] for at in (0, 27, 54))
    assert "*" not in puzzle
    marks = [at for at, sign in enumerate(first) if sign == "*"]
    assert marks == [at for at, sign in enumerate(second) if sign == "*"]
    assert marks
    assert all(first[at - 1] != second[at - 1] for at in marks)


def test_it_is_never_wider_than_80_columns() -> None:
    assert max(map(len, show(TWO).stdout.splitlines())) <= 80


def test_clashing_givens_are_named_and_marked() -> None:
    lines = show(CLASH).stdout.splitlines()
    assert lines[1:3] == ["5 twice in row 1: r1c1, r1c2", "5 twice in box 1: r1c1, r1c2"]
    assert "│ 5*5*. │ . . . │ . . . │" in lines


def test_a_puzzle_without_solution_is_shown_alone() -> None:
    lines = show(NONE).stdout.splitlines()
    assert lines[0] == "none: no solution (17 givens)"
    assert lines[2] == "puzzle"


def test_a_record_of_a_file_is_found_by_its_number(tmp_path: Path) -> None:
    file = tmp_path / "puzzles.csv"
    file.write_text(f"id,puzzle\na,{CLASH}\nb,{PUZZLE}\n")
    assert show(str(file)).stdout.startswith("puzzles.csv, record 1, line 2, id a\nclash")
    assert show(str(file), "2").stdout.startswith("puzzles.csv, record 2, line 3, id b\nunique")


def test_standard_input_is_a_file() -> None:
    assert show("-", input=f"{PUZZLE}\n").stdout.startswith("-, record 1, line 1\nunique")


def test_what_is_no_puzzle_is_explained_and_not_drawn() -> None:
    ended = show("-", "2", input=f"{PUZZLE}\n{PUZZLE[1:]}\n")
    assert (ended.exit_code, ended.stdout.splitlines()[1:]) == (0, ["malformed: 80 cells instead of 81", PUZZLE[1:]])


def test_what_could_steer_a_terminal_is_made_visible(tmp_path: Path) -> None:
    file = tmp_path / "puzzles.csv"
    file.write_text(f"id,puzzle\n\x1b[2J,{PUZZLE}\n")
    assert "\x1b" not in show(str(file)).stdout
    assert r"\x1b[2J" in show(str(file)).stdout


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("nothing.txt",), "there is no file of that name, and it is no puzzle"),
        ((PUZZLE[1:],), "80 cells instead of 81"),
        ((PUZZLE, "2"), "record 2 goes with a file"),
    ],
)
def test_what_is_no_puzzle_and_no_file_is_refused(words: tuple[str, ...], said: str) -> None:
    ended = show(*words)
    assert ended.exit_code == 2
    assert said in ended.stderr


def test_a_record_that_is_not_there_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "puzzles.txt"
    file.write_text(f"{PUZZLE}\n")
    ended = show(str(file), "2")
    assert ended.exit_code == 2
    assert "has no record 2; it has 1" in ended.stderr


def test_an_undecided_puzzle_has_an_exit_code_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    class Tired(Bitmask):
        def search(self, grid: object, limit: int, budget: int) -> Outcome:
            return Outcome((), 1, True)

    monkeypatch.setattr(solvers, "get", lambda name: Tired())
    ended = show(PUZZLE)
    assert ended.exit_code == 3
    assert ended.stdout.startswith("undecided: the search budget ran out")


def test_a_false_solver_is_not_believed(monkeypatch: pytest.MonkeyPatch) -> None:
    class Liar(Bitmask):
        def search(self, grid: object, limit: int, budget: int) -> Outcome:
            return Outcome((), 1, False)

    monkeypatch.setattr(solvers, "get", lambda name: Liar())
    ended = show(PUZZLE)
    assert ended.exit_code == 3
    assert "is wrong about this puzzle: it says none" in ended.stderr


@pytest.fixture
def drawn_on_a_terminal(on_terminal: Callable[..., str]) -> Callable[..., str]:
    """``drawn_on_a_terminal(*arguments, **environment)``: what a terminal of 80 columns gets."""

    def run(*arguments: str, **environment: str) -> str:
        terminal = {"TERM": "xterm", "COLUMNS": "80"}
        shown = on_terminal("stdout", "show", *arguments, env=os.environ | terminal | environment)
        return shown.replace("\r\n", "\n")

    return run


def test_on_a_terminal_givens_are_bold_and_found_digits_are_not(drawn_on_a_terminal: Callable[..., str]) -> None:
    drawn = drawn_on_a_terminal(PUZZLE)
    assert "\x1b[1m5\x1b[0m \x1b[1m3\x1b[0m \x1b[36m4\x1b[0m" in drawn
    assert STYLE.sub("", drawn) == show(PUZZLE).stdout


def test_no_color_means_no_style_at_all(drawn_on_a_terminal: Callable[..., str]) -> None:
    assert drawn_on_a_terminal(PUZZLE, NO_COLOR="1") == show(PUZZLE).stdout
