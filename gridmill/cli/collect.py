"""``gridmill collect``: the collector alone."""

import shlex
from typing import Annotated

import typer

from gridmill.cli import options
from gridmill.cli.overrides import COLLECTING, LOGS, SERVER, needs_broker, with_settings
from gridmill.cli.screen import open_screen
from gridmill.cli.solve import mention_kernel
from gridmill.settings import Settings


@with_settings(*SERVER, "queue", *COLLECTING, *LOGS, log_level="warning")
def collect_command(
    job: Annotated[str, typer.Argument(metavar="JOB", help="What gridmill submit has printed.")],
    output: options.Output = options.STDOUT,
    form: options.Form = None,
    force: options.Force = False,
    strict: options.Strict = False,
    quiet: options.Quiet = False,
    *,
    settings: Settings,
) -> int:
    """Check and write the answers of a submitted job, in order.

    Goes on until the last answer is there. When it was stopped, the same command goes on.
    """
    from gridmill import mill
    from gridmill.cli.summary import conclude
    from gridmill.formats.output import choose_format

    needs_broker(settings, "collect")
    out = options.path_of(output)
    form = choose_format(form, output)
    with open_screen(settings, quiet=quiet, to_stdout=out is None) as screen:
        mention_kernel(screen)
        summary = mill.collect(
            job,
            out,
            form,
            settings,
            lambda progress, _: screen.show(progress.written, progress.enqueued, progress.total, None),
            force=force,
        )
    return conclude(summary, out, screen, strict=strict, go_on=f"gridmill collect {job} -o {shlex.quote(output)}")
