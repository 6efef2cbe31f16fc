"""The command ``gridmill``: one command a file. It knows the mill and the library, never the roles.

What a command needs beyond its options is imported when it runs, and a command itself when it is asked for: a second
of waiting is made of imports.
"""

import contextlib
import gc
import os
import sys
from typing import NoReturn

import click

from gridmill.cli import exit, interrupt
from gridmill.cli.panels import WIDTH, Group

PANELS = {
    "On one machine": ("solve", "resume", "dead", "retry"),
    "On many machines": ("submit", "work", "collect", "status", "watch", "cancel"),
    "Besides": (
        "show",
        "generate",
        "convert",
        "verify",
        "stats",
        "report",
        "formats",
        "solvers",
        "bench",
        "doctor",
        "clean",
    ),
}
# New objects before the first of them are looked through for garbage, 700 otherwise: what a command imports makes up to
# 85,000, which stay, and looking through them again and again is a fifth of the time that it takes to start.
COLLECT_AFTER = 200_000
HELP = """Solve Sudoku in bulk through a message queue, every answer checked.

\b
gridmill solve puzzles.txt -o answers.csv
gridmill COMMAND --help                     explains a command, with examples
"""
CODES = (
    "Exit codes: 0 every record is decided; 1 a record that --strict or convert does not take, or a fault that verify "
    "or doctor found; 2 what was given cannot be used; 3 incomplete, or a record is failed or undecided; 130 Ctrl-C; "
    "143 SIGTERM; 141 nobody reads the output."
)


def _print_version(context: click.Context, _: click.Parameter, asked: bool) -> None:
    if asked and not context.resilient_parsing:
        from gridmill import __version__, kernel
        from gridmill.errors import GridmillError

        try:
            kernel.require()
        except GridmillError as error:
            print(f"gridmill {__version__}")
            exit.complain(error)
            context.exit(exit.USAGE)
        print(f"gridmill {__version__} ({kernel.name()} kernel)")
        context.exit()


app = Group(
    __name__,
    PANELS,
    name="gridmill",
    help=HELP,
    epilog=CODES,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": WIDTH},
    params=[
        click.Option(
            ["--version"], is_flag=True, is_eager=True, expose_value=False, callback=_print_version,
            help="Print version and kernel, and exit.",
        )
    ],
)  # fmt: skip


def main() -> None:
    """The console script."""
    interrupt.insist()
    gc.set_threshold(COLLECT_AFTER)
    _open_streams()
    _leave(run(sys.argv[1:]))


def run(words: list[str]) -> int:
    """The exit code of ``gridmill`` with these arguments."""
    try:
        code: int | None = app.main(words, prog_name="gridmill", standalone_mode=False)
    except click.exceptions.NoArgsIsHelpError as help:
        print(help.format_message(), file=sys.stderr)
        return exit.USAGE
    except click.UsageError as error:
        path = error.ctx.command_path if error.ctx else "gridmill"
        voice = _voice(words)
        voice.complain(f"{error.format_message()}\n{path} --help shows what it takes")
        voice.end(exit.USAGE)
        return exit.USAGE
    except click.Abort as aborted:  # Ctrl-C or SIGTERM before a command has begun
        print("gridmill: stopped", file=sys.stderr)  # `complain` would import, long enough for a second Ctrl-C
        return exit.SIGNALLED + interrupt.signal_of(aborted.__cause__)
    return code or exit.DONE


def _voice(words: list[str]) -> exit.Voice:
    """Who says what is wrong with ``words`` to whoever wrote them."""
    from gridmill.cli.ticker import FLAG, Ticker

    return Ticker() if FLAG in words else exit.Words()


def _open_streams() -> None:
    """Put /dev/null where a standard stream was closed, or the next file that is opened would take its place.

    In that of standard output one that takes nothing, and in that of standard input one that gives nothing: answers
    that nobody can get are an error, not a success, and so are puzzles.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            flags = (os.O_WRONLY, os.O_RDONLY, os.O_RDWR)[number]
            os.set_inheritable(os.open(os.devnull, flags), True)  # it takes the lowest number that is free
    sys.stdin = sys.stdin or os.fdopen(0, closefd=False)
    sys.stdout = sys.stdout or os.fdopen(1, "w", closefd=False)
    sys.stderr = sys.stderr or os.fdopen(2, "w", closefd=False)


def _leave(code: int) -> NoReturn:
    """Exit at once: Python would take 0.1 s to clear up, and abort where a thread waits for standard input."""
    with contextlib.suppress(OSError):  # nobody reads it, or the disk is full: `guarded` has said so
        sys.stdout.flush()
    os._exit(code)
