"""``gridmill resume``: go on with a run that was stopped."""

import shlex
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from gridmill.cli import options
from gridmill.cli.command import SOLVING, command
from gridmill.cli.panels import argument
from gridmill.cli.program import program
from gridmill.cli.screen import open_screen
from gridmill.cli.solve import STARTS_ONE, mention_kernel, resuming
from gridmill.errors import UnknownJob
from gridmill.settings import Settings

if TYPE_CHECKING:
    from gridmill.cli.ticker import Ticker
    from gridmill.mill import Unfinished


@command(*SOLVING, serverless=STARTS_ONE, log_level="warning")
@argument("run", metavar="[OUT|JOB]", required=False, help="Its output, or its job id; not needed for the only one.")
@options.strict
@options.report
@options.quiet
@options.json_progress
def resume(
    run: str | None,
    strict: bool,
    report: str | None,
    quiet: bool,
    settings: Settings,
    ticker: "Ticker | None",
) -> int:
    """Go on with a run that was stopped.

    It takes the input and the options that it was begun with; only settings may be others.
    """
    from gridmill import roles

    with closing(roles.nurseries()) as nurseries:  # as `gridmill.cli.solve` has it
        from gridmill import mill
        from gridmill.cli.report import add, asked
        from gridmill.cli.summary import conclude

        out = _output_of(run, mill.unfinished(settings))
        known = mill.begun(out)
        page = asked(report, out, known.form if known else None, force=False)
        with open_screen(settings, quiet=quiet, ticker=ticker) as screen:
            mention_kernel(screen)
            summary = mill.resume(
                out,
                settings,
                screen.follow,
                tell=screen.tell,
                nurseries=nurseries,
            )
    code = conclude(summary, out, screen, strict=strict, go_on=resuming(out, ()))
    add(page, summary, out)
    return code


def _output_of(name: str | None, runs: "list[Unfinished]") -> Path:
    """The output that is meant. Raises UnknownJob when there is none, or more than one."""
    if name is not None:
        return next((run.out for run in runs if run.job == name), Path(name))
    outs = [run.out for run in runs if not run.unread]
    if not outs:
        others = "".join(f"\nnot by this release: {run.out}: {run.unread}" for run in runs)
        raise UnknownJob(
            "there is no unfinished run of this user to go on with; one that is kept elsewhere is named by its output: "
            f"{program()} resume OUT{others}"
        )
    if len(outs) > 1:
        known = "\n".join(f"{program()} resume {shlex.quote(str(out))}" for out in outs)
        raise UnknownJob(f"there are {len(outs)} unfinished runs; name one:\n{known}")
    return outs[0]
