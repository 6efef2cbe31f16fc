"""``gridmill watch``: follow a job from elsewhere."""

import shlex
from typing import TYPE_CHECKING

from gridmill.cli import exit, options
from gridmill.cli.command import LOGS, SERVER, command
from gridmill.cli.panels import argument
from gridmill.cli.program import program
from gridmill.cli.screen import Screen, open_screen
from gridmill.cli.summary import is_decided
from gridmill.cli.words import statuses
from gridmill.plural import counted
from gridmill.settings import Settings

if TYPE_CHECKING:
    from gridmill.cli.ticker import Ticker
    from gridmill.onlooker import Look

REASONS = {
    "cancelled": "job {0.job} was cancelled with {1} written",
    "unfinished": "job {0.job} was stopped with {1} written; {2}",
    "lost": "the server knows job {0.job} no longer: it has lost its data, or gridmill clean was there",
}


@command(*SERVER, "state_dir", "tick", "lease", *LOGS, log_level="warning")
@argument("job", metavar="JOB|OUT", help="A job's id, or the output of a run on this machine.")
@options.quiet
@options.json_progress
def watch(job: str, quiet: bool, settings: Settings, ticker: "Ticker | None") -> int:
    """Follow a job until it ends, from any terminal or script.

    A job of a server, from any machine; without a server, a run of this user on this machine, also one with a private
    server. Ctrl-C ends the watching alone. A server that is away for a while is waited for.

    Exit code 0 when the job is done and every record decided, 3 when it was cancelled, stopped or lost, or a record is
    failed or undecided, 2 when nobody knows it.
    """
    from gridmill import mill

    with open_screen(settings, quiet=quiet, ticker=ticker) as screen:
        last = mill.follow(job, settings, lambda look: screen.follow(look, look), screen.say)
    return _conclude(last, screen)


def _conclude(last: "Look", screen: Screen) -> int:
    if last.state in REASONS:
        screen.ended(last.state, REASONS[last.state].format(last, counted(last.written, "record"), _to_do(last)))
        return exit.INCOMPLETE
    screen.ended(last.state)
    screen.say(", ".join([f"job {last.job} is done: {counted(last.written, 'record')}", *statuses(last.counts)]))
    return exit.DONE if is_decided(last.counts) else exit.INCOMPLETE


def _to_do(last: "Look") -> str:
    """What goes on with it: whichever command began a run, nobody has noted."""
    if last.unread:
        return f"{last.unread}; that release goes on with it, and this one starts anew (solve --force)"
    also = f", and so does {program()} resume {shlex.quote(last.out)}" if last.out else ""
    return f"the command that began it, given again, goes on{also}"
