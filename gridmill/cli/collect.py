"""``gridmill collect``: the collector alone."""

import shlex
from typing import TYPE_CHECKING

from gridmill.cli import options
from gridmill.cli.command import COLLECTING, LOGS, SERVER, command, needs_broker
from gridmill.cli.panels import argument
from gridmill.cli.program import program
from gridmill.cli.screen import open_screen
from gridmill.cli.solve import mention_kernel
from gridmill.settings import Settings

if TYPE_CHECKING:
    from gridmill.cli.ticker import Ticker


@command(*SERVER, "queue", *COLLECTING, *LOGS, log_level="warning")
@argument("job", metavar="JOB", help="What gridmill submit has printed, and gridmill status lists.")
@options.output
@options.form
@options.force
@options.strict
@options.report
@options.quiet
@options.json_progress
def collect(
    job: str,
    output: str,
    form: str | None,
    force: bool,
    strict: bool,
    report: str | None,
    quiet: bool,
    settings: Settings,
    ticker: "Ticker | None",
) -> int:
    """Check and write the answers of a submitted job, in order.

    Goes on until the last answer is there. When it was stopped, the same command goes on.
    """
    from gridmill import mill
    from gridmill.cli.report import add, asked
    from gridmill.cli.summary import conclude
    from gridmill.formats.output import choose_format

    needs_broker(settings, "collect")
    out = options.path_of(output)
    form = choose_format(form, output)
    page = asked(report, out, form, force=force)
    with open_screen(settings, quiet=quiet, ticker=ticker, to_stdout=out is None) as screen:
        mention_kernel(screen)
        summary = mill.collect(
            job,
            out,
            form,
            settings,
            lambda progress, _: screen.follow(progress, None),
            force=force,
        )
    code = conclude(summary, out, screen, strict=strict, go_on=f"{program()} collect {job} -o {shlex.quote(output)}")
    add(page, summary, out)
    return code
