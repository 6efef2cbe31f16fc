"""``gridmill submit``: the producer alone."""

import time
from typing import TYPE_CHECKING

from gridmill.cli import options
from gridmill.cli.command import LOGS, SERVER, command, needs_broker
from gridmill.cli.panels import option
from gridmill.cli.screen import Screen, open_screen
from gridmill.progress import Size
from gridmill.settings import Settings

if TYPE_CHECKING:
    from gridmill.ask import Ask
    from gridmill.cli.ticker import Ticker

WAIT_SECONDS = 5.0  # without room on the server, before it is said: workers that are there make room in a second


@command(*SERVER, "queue", "in_flight", "tick", *LOGS, log_level="warning")
@options.asking
@option("--job", metavar="JOB", help="Go on with a job that was submitted in part.")
@options.quiet
@options.json_progress
def submit(
    ask: "Ask",
    job: str | None,
    explain: bool,
    quiet: bool,
    settings: Settings,
    ticker: "Ticker | None",
) -> int:
    """Put puzzle files on a server's queue, and print the job's id.

    The id is printed at once, alone on standard output. Feeds until everything is on the server, which holds a limited
    number of bytes at a time: workers and a collector must be there for a large input to come to its end.
    """
    from gridmill import mill
    from gridmill.cli.explain import Explanation

    needs_broker(settings, "submit")
    with open_screen(settings, quiet=quiet, ticker=ticker, typed=options.are_typed(ask.inputs)) as screen:
        watch = Watch(screen)
        explanation = Explanation(screen.say, wanted=explain)
        durable = mill.submit(
            ask,
            settings,
            job,
            watch.announce,
            lambda feed, records: watch.look(
                feed.place.record, explanation.seen(records), closed=feed.closed, full=feed.full
            ),
        )
    screen.say(
        "everything is enqueued, and on the server's disk"
        if durable
        else "everything is enqueued, but the server does not promise that it survives its restart (that takes an "
        "append-only file and Redis 7.2 or Valkey): keep the input until the job is collected"
    )
    return 0


class Watch:
    """Shows how far a submit is, and says once what it waits for."""

    def __init__(self, screen: Screen) -> None:
        self._screen = screen
        self._done, self._since = -1, 0.0
        self._said = False

    def announce(self, job: str) -> None:
        """The job has this id."""
        self._screen.job = job
        print(job, flush=True)

    def look(self, done: int, source: Size | None, *, closed: bool, full: bool) -> None:
        """``done`` records are enqueued; ``closed``: all of them; ``full``: the server has no room for more."""
        self._screen.feed(done, done if closed else None, source)
        now = time.monotonic()
        if done != self._done or not full:
            self._done, self._since = done, now
        elif now - self._since > WAIT_SECONDS and not self._said:
            self._said = True
            self._screen.say(
                "waiting: the server holds as much of this job as it may (--in-flight); "
                "gridmill work and gridmill collect make room"
            )
