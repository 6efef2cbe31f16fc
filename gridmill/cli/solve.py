"""``gridmill solve``: from file to file on one machine."""

import shlex
from pathlib import Path

from gridmill import kernel
from gridmill.cli import options
from gridmill.cli.command import SOLVING, command
from gridmill.cli.program import program
from gridmill.cli.screen import Screen, open_screen
from gridmill.settings import Settings

STARTS_ONE = "Without one, a private server is started for the run."


@command(*SOLVING, serverless=STARTS_ONE, log_level="warning")
@options.files
@options.output
@options.form
@options.force
@options.strict
@options.quiet
@options.column
@options.input_format
@options.blank
@options.explain
@options.solver
@options.first
@options.budget
@options.chunk
def solve(
    files: tuple[str, ...],
    output: str,
    form: str | None,
    force: bool,
    strict: bool,
    quiet: bool,
    column: str | None,
    input_format: str | None,
    blank: str | None,
    explain: bool,
    solver: str,
    first: bool,
    budget: int | None,
    chunk: int | None,
    settings: Settings,
) -> int:
    """Solve puzzle files: a checked answer for every record, in order.

    Starts a private server and one worker process a core, and stops them at the end. Ctrl-C stops it cleanly; the same
    command, or gridmill resume, goes on.
    """
    from gridmill import mill
    from gridmill.cli.explain import Explanation
    from gridmill.cli.summary import conclude
    from gridmill.formats.output import choose_format

    out = options.path_of(output)
    form = choose_format(form, output)
    with open_screen(settings, quiet=quiet, to_stdout=out is None, typed=options.are_typed(files)) as screen:
        mention_kernel(screen)
        explanation = Explanation(screen.say, wanted=explain)
        summary = mill.solve(
            mill.Ask(files, solver, first, budget, chunk, column, input_format, blank),
            out,
            form,
            settings,
            lambda progress, records: screen.show(
                progress.written, progress.enqueued, progress.total, explanation.seen(records)
            ),
            force=force,
            tell=screen.tell,
        )
    return conclude(summary, out, screen, strict=strict, go_on=resuming(out, files))


def resuming(out: Path | None, files: tuple[str, ...]) -> str:
    """The command that goes on with ``out``."""
    again = " (give it the same standard input)" if options.STDIN in files else ""
    return f"{program()} resume {shlex.quote(str(out))}{again}"


def mention_kernel(screen: Screen) -> None:
    """Say when there is no native kernel. Raises KernelError when one is demanded."""
    kernel.require()
    if reason := kernel.unused():
        screen.say(f"running without the native kernel: {reason}")
