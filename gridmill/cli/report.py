"""``gridmill report``, and what ``--report`` does: a page about an answers file."""

from pathlib import Path

from gridmill.answers import Status
from gridmill.cli import options
from gridmill.cli.command import LOGS, command
from gridmill.cli.meter import duration
from gridmill.cli.panels import argument, option
from gridmill.cli.summary import rows
from gridmill.errors import SettingsError
from gridmill.settings import Settings
from gridmill.sitting import Summary

_STATUSES = frozenset(status.value for status in Status)


@command("state_dir", *LOGS, log_level="warning")
@argument("answers", metavar="ANSWERS", help="What solve or collect wrote, as CSV, JSON lines or Parquet.")
@option("--output", "-o", metavar="PAGE", default=options.STDOUT, help="A new file. Default: -, standard output.")
@option("--force", is_flag=True, help="Overwrite PAGE.")
def report(answers: str, output: str, force: bool, settings: Settings) -> None:
    """Make a page about an answers file, to open in a browser.

    Totals, difficulty, the hardest puzzles, drawn boards, and every kind of bad record with its line and reason. How
    fast the run was is known where it ran. The page holds all of itself, and needs no network and no script.
    """
    from gridmill.report import check, make, write
    from gridmill.track import Tracks

    page = options.path_of(output)
    if page is not None:
        check(page, force=force)
    track = Tracks(settings.state_dir).of_output(Path(answers))
    sittings = track.sittings if track else ()
    seconds = sum(sitting[-1][0] for sitting in sittings if sitting)
    facts = [("job", track.job), ("time", duration(seconds))] if track and sittings else []
    text = make(Path(answers), facts, sittings)
    if page is None:
        print(text, end="")
    else:
        write(text, page)


def asked(page: str | None, out: Path | None, form: str | None, *, force: bool) -> Path | None:
    """The file for the report that ``--report`` asks for about ``out``, in ``form`` (None: nothing was begun there).

    Raises SettingsError or OutputRefused when there cannot be one, before anything is done.
    """
    from gridmill.report import check, check_form

    if page is None:
        return None
    if out is None:
        raise SettingsError("--report reads the answers again, so they have to go to a file: say -o OUT")
    if form is not None:
        check_form(form)
    if Path(page).absolute() == out.absolute():
        raise SettingsError(f"{page} is where the answers go; name another file for the report")
    check(Path(page), force=force)
    return Path(page)


def add(page: Path | None, summary: Summary, out: Path | None) -> None:
    """Write the report that was `asked` for, if the run is finished."""
    from gridmill.report import make, write

    if page is None or out is None or not summary.finished:
        return
    of_run = [(name.strip(), value) for name, value in rows(summary, out) if name not in (*_STATUSES, "answers")]
    write(make(out, [("job", summary.job), *of_run], summary.sittings), page)
