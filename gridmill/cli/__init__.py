"""The command ``gridmill``: one command a file. It knows the mill and the library, never the roles.

What a command needs beyond its options is imported when it runs, so that ``--help`` and ``--version`` are quick.
"""

import inspect
import os
import sys
import threading
from collections.abc import Callable
from typing import Annotated, NoReturn

import typer

from gridmill.cli.bench import bench_command
from gridmill.cli.cancel import cancel_command
from gridmill.cli.clean import clean_command
from gridmill.cli.collect import collect_command
from gridmill.cli.examples import epilog
from gridmill.cli.exit import guarded
from gridmill.cli.generate import generate_command
from gridmill.cli.resume import resume_command
from gridmill.cli.solve import solve_command
from gridmill.cli.solvers import solvers_command
from gridmill.cli.status import status_command
from gridmill.cli.submit import submit_command
from gridmill.cli.verify import verify_command
from gridmill.cli.work import work_command

PANELS: dict[str, dict[str, Callable[..., int | None]]] = {
    "On one machine": {"solve": solve_command, "resume": resume_command},
    "On many machines": {
        "submit": submit_command,
        "work": work_command,
        "collect": collect_command,
        "status": status_command,
        "cancel": cancel_command,
    },
    "Besides": {
        "generate": generate_command,
        "verify": verify_command,
        "solvers": solvers_command,
        "bench": bench_command,
        "clean": clean_command,
    },
}
CODES = (
    "Exit codes: 0 every record is decided; 1 a record that --strict does not take, or a fault that verify found; "
    "2 what was given cannot be used; 3 incomplete, or a record is failed or undecided; 130 Ctrl-C; 143 SIGTERM; "
    "141 nobody reads the output."
)

app = typer.Typer(
    name="gridmill",
    epilog=CODES,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _print_version(asked: bool) -> None:
    if asked:
        from gridmill import __version__, kernel

        print(f"gridmill {__version__} ({kernel.name()} kernel)")
        raise typer.Exit


@app.callback()
def _about(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_print_version, is_eager=True, help="Print version and kernel, and exit."),
    ] = False,
) -> None:
    """Solve Sudoku in bulk through a message queue, every answer checked."""


def _reflowed(command: Callable[..., int | None]) -> str:
    """Its docstring with a line for each paragraph, since typer keeps some of the line ends."""
    paragraphs = inspect.cleandoc(command.__doc__ or "").split("\n\n")
    return "\n\n".join(paragraph.replace("\n", " ") for paragraph in paragraphs)


for panel, commands in PANELS.items():
    for name, command in commands.items():
        app.command(name, help=_reflowed(command), epilog=epilog(name), rich_help_panel=panel)(guarded(command))


def main() -> None:
    """The console script."""
    _open_streams()
    try:
        app(prog_name="gridmill")
    except SystemExit as end:
        _leave(end.code)


def _open_streams() -> None:
    """Put /dev/null where a standard stream was closed, or the next file that is opened would take its place."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest number that is free
    sys.stdout = sys.stdout or os.fdopen(1, "w", closefd=False)
    sys.stderr = sys.stderr or os.fdopen(2, "w", closefd=False)


def _leave(code: str | int | None) -> NoReturn:
    """Exit, also while a thread waits for standard input: Python would abort when it cannot close that."""
    if isinstance(code, int) and any(thread.daemon for thread in threading.enumerate()):
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)
    sys.exit(code)
