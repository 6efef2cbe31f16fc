"""``gridmill solve``: from file to file on one machine."""

import shlex
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from gridmill import kernel
from gridmill.cli import options
from gridmill.cli.command import SOLVING, command
from gridmill.cli.program import program
from gridmill.cli.screen import Screen, open_screen
from gridmill.settings import Settings

if TYPE_CHECKING:
    from gridmill.ask import Ask
    from gridmill.cli.ticker import Ticker

STARTS_ONE = "Without one, a private server is started for the run."


@command(*SOLVING, serverless=STARTS_ONE, log_level="warning")
@options.asking
@options.output
@options.form
@options.force
@options.strict
@options.report
@options.quiet
@options.json_progress
def solve(
    ask: "Ask",
    output: str,
    form: str | None,
    force: bool,
    strict: bool,
    report: str | None,
    quiet: bool,
    explain: bool,
    settings: Settings,
    ticker: "Ticker | None",
) -> int:
    """Solve puzzle files: a checked answer for every record, in order.

    Starts a private server and one worker process a core, and stops them at the end. Ctrl-C stops it cleanly; the same
    command, or gridmill resume, goes on.
    """
    from gridmill import roles

    out = options.path_of(output)
    with closing(roles.nurseries()) as nurseries:  # a worker takes longest to start, so all else is imported meanwhile
        from gridmill import mill
        from gridmill.cli.explain import Explanation
        from gridmill.cli.report import add, asked
        from gridmill.cli.summary import conclude
        from gridmill.formats.output import choose_format

        form = choose_format(form, output)
        page = asked(report, out, form, force=force)
        typed = options.are_typed(ask.inputs)
        with open_screen(settings, quiet=quiet, ticker=ticker, to_stdout=out is None, typed=typed) as screen:
            mention_kernel(screen)
            explanation = Explanation(screen.say, wanted=explain)
            summary = mill.solve(
                ask,
                out,
                form,
                settings,
                lambda progress, records: screen.follow(progress, explanation.seen(records)),
                force=force,
                tell=screen.tell,
                nurseries=nurseries,
            )
    code = conclude(summary, out, screen, strict=strict, go_on=resuming(out, ask.inputs))
    add(page, summary, out)
    return code


def resuming(out: Path | None, files: tuple[str, ...]) -> str:
    """The command that goes on with ``out``."""
    again = " (give it the same standard input)" if options.STDIN in files else ""
    return f"{program()} resume {shlex.quote(str(out))}{again}"


def mention_kernel(screen: Screen) -> None:
    """Say when there is no native kernel. Raises KernelError when one is demanded."""
    kernel.require()
    if reason := kernel.unused():
        screen.say(f"running without the native kernel: {reason}")
