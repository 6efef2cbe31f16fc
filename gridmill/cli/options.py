"""The options that several commands take."""

import functools
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gridmill.cli.panels import argument, option
from gridmill.errors import OutputRefused
from gridmill.job import MOST
from gridmill.questions import COUNT_MOST, LIST_DEFAULT, Questions
from gridmill.solvers import DEFAULT

if TYPE_CHECKING:
    from gridmill.cli.ticker import Ticker

STDIN = STDOUT = "-"


class _Count(click.types.IntParamType):
    """A whole number from 1 to ``most``."""

    def __init__(self, most: int) -> None:
        self._most = most

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """See `click.ParamType`."""
        number: int = super().convert(value, param, ctx)
        if not 1 <= number <= self._most:
            self.fail(f"{value} is not from 1 to {self._most:,}.", param, ctx)
        return number


COUNT = _Count(MOST)
OUTPUT = "Output"
_INPUT, _SOLVING, _QUESTIONS = "Input", "Solving", "Beside the solution"

files = argument(
    "files",
    metavar="FILE...",
    nargs=-1,
    required=True,
    help="Puzzles in any format that gridmill formats lists; - is standard input.",
)
column = option("--column", metavar="NAME", panel=_INPUT, help="The column that holds the puzzles, or its number.")
input_format = option(
    "--input-format", metavar="NAME", panel=_INPUT, help="One that gridmill formats lists. Default: found by looking."
)
blank = option("--blank", metavar="SIGN", panel=_INPUT, help="What stands for a blank, where it is no usual sign.")
explain = option("--explain", is_flag=True, panel=_INPUT, help="Say of which format each file is, and why.")
solver = option(
    "--solver",
    metavar="NAME",
    default=DEFAULT,
    panel=_SOLVING,
    help=f"One that gridmill solvers lists. Default: {DEFAULT}.",
)
first = option(
    "--first", is_flag=True, panel=_SOLVING, help="Stop at the first solution; answers are solved, not unique."
)
budget = option(
    "--budget",
    type=COUNT,
    metavar="N",
    panel=_SOLVING,
    help="Search nodes a puzzle, then it is undecided. Default: what suits the solver.",
)
chunk = option(
    "--chunk",
    type=COUNT,
    metavar="N",
    panel=_SOLVING,
    help="Records that travel together. Default: some 0.4 s of work, by a sample of the first boards.",
)
count = option(
    "--count",
    type=_Count(COUNT_MOST),
    metavar="N",
    panel=_QUESTIONS,
    help="Count the solutions of each puzzle, exactly up to N; what has more gets the count >N.",
)
every = option(
    "--all",
    "every",
    is_flag=True,
    panel=_QUESTIONS,
    help=f"List all solutions of each puzzle, up to --count of them. Default: {LIST_DEFAULT:,}.",
)
canonical = option(
    "--canonical",
    is_flag=True,
    panel=_QUESTIONS,
    help="Give each puzzle's smallest form, which is the same for all that differ in their dress alone.",
)
dedupe = option(
    "--dedupe",
    is_flag=True,
    panel=_QUESTIONS,
    help="Say in the column detail which puzzles are an earlier one again; with --canonical in another dress, too.",
)
minimal = option(
    "--minimal",
    is_flag=True,
    panel=_QUESTIONS,
    help="Say of each unique puzzle whether it needs all its givens, and which of them can be spared.",
)
difficulty = option(
    "--difficulty",
    is_flag=True,
    panel=_QUESTIONS,
    help="Give the number of givens, and the hardest technique that each puzzle with one solution needs.",
)
output = option(
    "--output",
    "-o",
    metavar="OUT",
    default=STDOUT,
    panel=OUTPUT,
    help="A new file for the answers. Default: -, standard output.",
)
form = option(
    "--format",
    "form",
    words=lambda: _output_formats(),
    panel=OUTPUT,
    help="The form of the answers; .gz behind it packs them. Default: by the ending of OUT, else csv.",
)
force = option("--force", is_flag=True, panel=OUTPUT, help="Overwrite OUT, and forget an unfinished run into it.")
strict = option("--strict", is_flag=True, panel=OUTPUT, help="Exit with 1 when any record is not unique or solved.")
report = option(
    "--report",
    metavar="PAGE",
    panel=OUTPUT,
    help="Then write a page about the answers, to open in a browser. Takes -o OUT in CSV, JSON lines or Parquet.",
)
quiet = option("--quiet", "-q", is_flag=True, panel=OUTPUT, help="Print nothing but errors.")
json_progress = option(
    "--json-progress",
    "ticker",
    is_flag=True,
    panel=OUTPUT,
    callback=lambda context, parameter, is_asked: _ticker() if is_asked else None,
    help="Say on standard error how far it is, each second and at the end: one JSON object a line, for programs.",
)

_ASKED = {  # the option for each field of an `Ask` but its inputs, in the order of the help
    "column": column,
    "form": input_format,
    "blank": blank,
    "solver": solver,
    "first": first,
    "budget": budget,
    "chunk": chunk,
}
_QUESTIONED = {
    "count": count,
    "every": every,
    "canonical": canonical,
    "dedupe": dedupe,
    "minimal": minimal,
    "difficulty": difficulty,
}  # the option for each argument of `Questions.of`
_NAMES = {"form": "input_format"}  # beside it stands the form of the output


def asking(function: Callable[..., int | None]) -> Callable[..., int | None]:
    """The options by which an input is read and solved: ``function`` gets ``ask``, an `Ask`, and ``explain``."""

    @functools.wraps(function)
    def asked(files: tuple[str, ...], **given: Any) -> int | None:
        from gridmill.ask import Ask

        ask = Ask(files, **{field: given.pop(_NAMES.get(field, field)) for field in _ASKED})
        ask = replace(ask, asked=Questions.of(**{field: given.pop(field) for field in _QUESTIONED}))
        return function(ask=ask, **given)

    for decorated in reversed((files, *_ASKED.values(), *_QUESTIONED.values(), explain)):
        asked = decorated(asked)
    return asked


def _output_formats() -> Iterable[str]:
    from gridmill.formats.output import WRITERS

    return WRITERS


def _ticker() -> "Ticker":
    from gridmill.cli.ticker import Ticker

    return Ticker()


def are_typed(files: Sequence[str]) -> bool:
    """Whether somebody types the input."""
    return STDIN in files and sys.stdin.isatty()


def path_of(output: str) -> Path | None:
    """The file that ``output`` names; None: standard output. Raises OutputRefused for a name that only a folder has."""
    if output.endswith("/"):
        raise OutputRefused(f"{output} can only be a folder; name a file")
    return None if output == STDOUT else Path(output)
