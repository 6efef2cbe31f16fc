"""``gridmill generate``: unique puzzles from a seed."""

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, TextIO

import typer

from gridmill.errors import OutputError, SettingsError
from gridmill.generate import generate

STDOUT = Path("-")


def generate_command(
    count: Annotated[int, typer.Argument(help="How many puzzles to make.", metavar="N")],
    seed: Annotated[int, typer.Option(help="The same seed gives the same puzzles, on every machine.")] = 0,
    givens: Annotated[
        str | None, typer.Option(help="The least and the greatest number of givens; 26-34 if not said.", metavar="A-B")
    ] = None,
    minimal: Annotated[bool, typer.Option("--minimal", help="Puzzles of which no given can be spared.")] = False,
    solutions: Annotated[
        bool, typer.Option("--solutions", help="Write CSV with the columns puzzle and solution.")
    ] = False,
    output: Annotated[Path, typer.Option("--output", "-o", help="A new file to write; - is standard output.")] = STDOUT,
) -> None:
    """Make unique puzzles, no two the same, one a line in 81 characters."""
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
def _opened(output: Path) -> Iterator[TextIO]:
    """The stream to write to. Raises OutputError when the file exists or cannot be made."""
    if output == STDOUT:
        yield sys.stdout
        return
    try:
        file = output.open("x", encoding="ascii")
    except FileExistsError as error:
        raise OutputError(f"{output} exists already: remove it, or name another file") from error
    except OSError as error:
        raise OutputError(f"{output} cannot be written: {error.strerror}") from error
    with file:
        yield file
