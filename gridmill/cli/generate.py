"""``gridmill generate``: unique puzzles from a seed."""

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

import click

from gridmill import whole
from gridmill.cli.command import command
from gridmill.cli.options import STDOUT
from gridmill.cli.panels import argument, option
from gridmill.errors import OutputRefused, SettingsError


@command()
@argument("count", metavar="N", type=click.INT, help="How many puzzles to make.")
@option(
    "--seed",
    metavar="S",
    type=click.INT,
    default=0,
    help="The same seed gives the same puzzles, on every machine. Default: 0.",
)
@option(
    "--givens",
    metavar="A-B",
    help="The least and the greatest number of givens. Default: 26-34. Below 21 a puzzle takes many seconds, or is "
    "given up.",
)
@option("--minimal", is_flag=True, help="Puzzles of which no given can be spared.")
@option("--solutions", is_flag=True, help="Write CSV with the columns puzzle and solution.")
@option("--output", "-o", metavar="OUT", default=STDOUT, help="A new file to write. Default: -, standard output.")
def generate(count: int, seed: int, givens: str | None, minimal: bool, solutions: bool, output: str) -> None:
    """Make unique puzzles, no two the same, one a line in 81 characters."""
    from gridmill.generate import generate

    puzzles = generate(count, seed, givens=_range(givens), minimal=minimal)
    with _opened(output) as out:
        if solutions:
            out.write("puzzle,solution\n")
        out.writelines(f"{puzzle},{solution}\n" if solutions else f"{puzzle}\n" for puzzle, solution in puzzles)


def _range(text: str | None) -> tuple[int, int] | None:
    """Read ``A-B``. Raises SettingsError."""
    if text is None:
        return None
    match = re.fullmatch(r"([0-9]{1,2})-([0-9]{1,2})", text)
    if match is None:
        raise SettingsError(f"--givens is {text!r}: say two numbers as A-B, like 24-30")
    return int(match[1]), int(match[2])


@contextmanager
def _opened(output: str) -> Iterator[TextIO]:
    """The stream to write to. A file gets its name when it is whole. Raises OutputRefused and OutputError."""
    if output == STDOUT:
        yield sys.stdout
        return
    path = Path(output)
    if path.exists():
        raise OutputRefused(f"{output} exists already: remove it, or name another file")
    with whole.written(path, force=False) as part, part.open("x", encoding="ascii") as file:
        yield file
