"""The example files are what the commands beside them make."""

import csv
import re
import shutil
import subprocess
import sys
import textwrap
from collections import Counter
from pathlib import Path

import pytest

from gridmill import solvers
from gridmill.board import parse, to_grid
from gridmill.errors import BoardError
from gridmill.generate import generate
from gridmill.rules import clash

EXAMPLES = Path(__file__).parent.parent / "examples"


def status(text: str) -> str:
    try:
        board = parse(text)
    except BoardError:
        return "malformed"
    if clash(board):
        return "clash"
    solver = solvers.get("bitmask")
    return ("none", "unique", "multiple")[len(solver.search(to_grid(board), 2, solver.budget).solutions)]


def test_puzzles_are_made_again_the_same() -> None:
    # 200 of the 1,000 show it: a smaller count yields the beginning of a greater one
    made = [puzzle for puzzle, _ in generate(200, seed=1)]
    lines = (EXAMPLES / "puzzles.txt").read_text(encoding="ascii").splitlines()
    assert len(lines) == 1000
    assert lines[:200] == made


def test_mixed_boards_are_made_again_the_same() -> None:
    ended = subprocess.run(
        [sys.executable, EXAMPLES / "mixed.py"], capture_output=True, text=True, timeout=60, check=True
    )
    assert ended.stdout == (EXAMPLES / "mixed.csv").read_text(encoding="ascii")


def test_mixed_boards_are_what_they_are_said_to_be() -> None:
    with (EXAMPLES / "mixed.csv").open(encoding="ascii", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [status(row["puzzle"]) for row in rows] == [row["expected"] for row in rows]
    assert Counter(row["expected"] for row in rows) == dict.fromkeys(
        ("unique", "multiple", "none", "clash", "malformed"), 8
    )


def shown() -> dict[str, str]:
    """What examples/README.md shows of each program."""
    page = (EXAMPLES / "README.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^    \$ python (\w+\.py)\n((?:    .*\n)+)", page, re.MULTILINE)
    return {name: textwrap.dedent(output) for name, output in blocks}


@pytest.mark.parametrize("name", shown())
def test_programs_print_what_is_shown(name: str, session_server: object) -> None:
    command = [sys.executable, "-P", str(EXAMPLES / name)]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    assert ended.stdout == shown()[name]


def test_every_program_is_shown() -> None:
    programs = {path.name for path in EXAMPLES.glob("*.py")}
    assert programs == {*shown(), "mixed.py", "test_boards.py"}


def test_the_example_of_tests_passes(pytester: pytest.Pytester) -> None:
    for name in ("test_boards.py", "mixed.csv"):
        shutil.copy(EXAMPLES / name, pytester.path)
    result = pytester.runpytest_subprocess("-p", "no:cacheprovider", timeout=100)
    result.assert_outcomes(passed=2)
