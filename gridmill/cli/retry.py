"""``gridmill retry``: solve again what failed."""

from typing import TYPE_CHECKING

from gridmill.cli import options
from gridmill.cli.command import SOLVING, command
from gridmill.cli.panels import argument
from gridmill.cli.program import program
from gridmill.cli.screen import open_screen
from gridmill.cli.solve import STARTS_ONE, mention_kernel
from gridmill.settings import Settings

if TYPE_CHECKING:
    from gridmill.cli.ticker import Ticker


@command(*SOLVING, serverless=STARTS_ONE, log_level="warning")
@argument("job", metavar="JOB", help="A finished job with failed records, as gridmill dead lists them.")
@options.strict
@options.quiet
@options.json_progress
def retry(job: str, strict: bool, quiet: bool, settings: Settings, ticker: "Ticker | None") -> int:
    """Solve the failed records of a finished job again.

    Their answers go into their places in its output, which is replaced at once and is otherwise as it was. With more
    memory or time, say --child-memory or --child-seconds, they may succeed. CSV and JSON lines only.
    """
    from gridmill.cli.summary import conclude
    from gridmill.retry import retry as again

    with open_screen(settings, quiet=quiet, ticker=ticker) as screen:
        mention_kernel(screen)
        out, summary = again(
            job,
            settings,
            screen.follow,
            tell=screen.tell,
        )
    if summary is None:
        screen.say(f"no record of job {job} is failed")
        return 0
    return conclude(summary, out, screen, strict=strict, go_on=f"{program()} retry {job}")
