"""``gridmill solve``: from file to file on one machine."""

import shlex
from pathlib import Path

from gridmill import kernel
from gridmill.cli import options
from gridmill.cli.overrides import SOLVING, with_settings
from gridmill.cli.screen import Screen, open_screen
from gridmill.settings import Settings
from gridmill.solvers import DEFAULT


@with_settings(*SOLVING, log_level="warning")
def solve_command(
    files: options.Files,
    output: options.Output = options.STDOUT,
    form: options.Form = None,
    force: options.Force = False,
    strict: options.Strict = False,
    quiet: options.Quiet = False,
    column: options.Column = None,
    solver: options.Solver = DEFAULT,
    first: options.First = False,
    budget: options.Budget = None,
    chunk: options.Chunk = None,
    *,
    settings: Settings,
) -> int:
    """Solve puzzle files: a checked answer for every record, in order.

    Starts a private server and one worker process a core, and stops them at the end. Ctrl-C stops it cleanly; the same
    command, or gridmill resume, goes on.
    """
    from gridmill import mill
    from gridmill.cli.summary import conclude
    from gridmill.formats.output import choose_format

    out = options.path_of(output)
    form = choose_format(form, output)
    with open_screen(settings, quiet=quiet, to_stdout=out is None) as screen:
        mention_kernel(screen)
        summary = mill.solve(
            mill.Ask(tuple(files), solver, first, budget, chunk, column),
            out,
            form,
            settings,
            lambda progress, records: screen.show(progress.written, progress.enqueued, progress.total, records),
            force=force,
            tell=screen.tell,
        )
    return conclude(summary, out, screen, strict=strict, go_on=resuming(out, files))


def resuming(out: Path | None, files: list[str]) -> str:
    """The command that goes on with ``out``."""
    again = " (give it the same standard input)" if options.STDIN in files else ""
    return f"gridmill resume {shlex.quote(str(out))}{again}"


def mention_kernel(screen: Screen) -> None:
    """Say when there is no native kernel. Raises KernelError when one is demanded."""
    kernel.require()
    if not kernel.native:
        screen.say("running without the native kernel: install a C++ compiler, then reinstall")
