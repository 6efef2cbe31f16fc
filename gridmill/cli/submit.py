"""``gridmill submit``: the producer alone."""

from typing import Annotated

import typer

from gridmill.cli import options
from gridmill.cli.overrides import LOGS, SERVER, needs_broker, with_settings
from gridmill.cli.screen import open_screen
from gridmill.settings import Settings
from gridmill.solvers import DEFAULT


@with_settings(*SERVER, "queue", "in_flight", "tick", *LOGS, log_level="warning")
def submit_command(
    files: options.Files,
    job: Annotated[
        str | None, typer.Option("--job", metavar="JOB", help="Go on with a job that was submitted in part.")
    ] = None,
    column: options.Column = None,
    solver: options.Solver = DEFAULT,
    first: options.First = False,
    budget: options.Budget = None,
    chunk: options.Chunk = None,
    quiet: options.Quiet = False,
    *,
    settings: Settings,
) -> int:
    """Put puzzle files on a server's queue, and print the job's id.

    The id is printed at once, alone on standard output. Feeds until everything is on the server, which holds a limited
    number of bytes at a time: workers and a collector must be there for a large input to come to its end.
    """
    from gridmill import mill

    needs_broker(settings, "submit")
    with open_screen(settings, quiet=quiet) as screen:
        durable = mill.submit(
            mill.Ask(tuple(files), solver, first, budget, chunk, column),
            settings,
            job,
            lambda name: print(name, flush=True),
            lambda feed, records: screen.show(
                feed.place.record, feed.place.record, feed.place.record if feed.closed else None, records
            ),
        )
    screen.say(
        "everything is enqueued, and on the server's disk"
        if durable
        else "everything is enqueued, but the server does not promise that it survives its restart (that takes an "
        "append-only file and Redis 7.2 or Valkey): keep the input until the job is collected"
    )
    return 0
