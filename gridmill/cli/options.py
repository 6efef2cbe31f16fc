"""The options that several commands take."""

from pathlib import Path
from typing import Annotated

import typer

from gridmill.formats.output import WRITERS

STDIN = STDOUT = "-"
_INPUT, _OUTPUT, _SOLVING = "Input", "Output", "Solving"

Files = Annotated[
    list[str],
    typer.Argument(metavar="FILE...", help="Puzzles: lines, blocks or CSV, also gzip; - is standard input."),
]
Column = Annotated[
    str | None,
    typer.Option("--column", metavar="NAME", help="The column with the puzzles.", rich_help_panel=_INPUT),
]
Solver = Annotated[
    str,
    typer.Option("--solver", metavar="NAME", help="One that gridmill solvers lists.", rich_help_panel=_SOLVING),
]
First = Annotated[
    bool,
    typer.Option(
        "--first", help="Stop at the first solution; answers are solved, not unique.", rich_help_panel=_SOLVING
    ),
]
Budget = Annotated[
    int | None,
    typer.Option(
        "--budget",
        min=1,
        metavar="N",
        help="Search nodes a puzzle, then it is undecided. Default: what suits the solver.",
        rich_help_panel=_SOLVING,
    ),
]
Chunk = Annotated[
    int | None,
    typer.Option(
        "--chunk",
        min=1,
        metavar="N",
        help="Records that travel together. Default: about 100 ms of work.",
        rich_help_panel=_SOLVING,
    ),
]
Output = Annotated[
    str,
    typer.Option(
        "--output",
        "-o",
        metavar="OUT",
        help="A new file; - is standard output.",
        rich_help_panel=_OUTPUT,
    ),
]
Form = Annotated[
    str | None,
    typer.Option(
        "--format",
        metavar="|".join(WRITERS),
        help="The form of the answers. Default: by the ending of OUT (.jsonl, .txt for lines), else csv.",
        rich_help_panel=_OUTPUT,
    ),
]
Force = Annotated[
    bool,
    typer.Option("--force", help="Overwrite OUT, and forget an unfinished run into it.", rich_help_panel=_OUTPUT),
]
Strict = Annotated[
    bool,
    typer.Option("--strict", help="Exit with 1 when any record is not unique or solved.", rich_help_panel=_OUTPUT),
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print nothing but errors.", rich_help_panel=_OUTPUT)]


def path_of(output: str) -> Path | None:
    """The file that ``output`` names; None: standard output."""
    return None if output == STDOUT else Path(output)
