"""A report about an answers file: one page that holds all of itself, is read without a script and asks nobody anything.

    write(make(Path("answers.csv")), Path("report.html"))

The page is made by the standard library's tree of elements, which escapes every text; a library of templates would be
one more to install for a page with as few shapes as this.
"""

from collections.abc import Sequence
from pathlib import Path

from gridmill import whole
from gridmill.errors import OutputError, SettingsError

FORMS = ("csv", "jsonl", "parquet")  # that have what a report shows

Facts = Sequence[tuple[str, str]]
Sittings = Sequence[Sequence[tuple[float, int]]]


def check(report: Path, *, force: bool) -> None:
    """Raise OutputRefused when ``report`` cannot be written, before anything has been done for it."""
    whole.check(report, force=force)


def check_form(form: str) -> None:
    """Raise SettingsError when answers in ``form`` have not what a report shows."""
    if form.removesuffix(".gz") not in FORMS:
        raise SettingsError(f"there is no report about {form}, which leaves out too much; use {', '.join(FORMS)}")


def make(answers: Path, facts: Facts = (), sittings: Sittings = ()) -> str:
    """The report about ``answers``; ``facts`` and ``sittings`` as in `gridmill.report.page.render`.

    Sittings that ended with another number of records were another file's, and are left out. Raises FormatError.
    """
    from gridmill.report.figures import Figures
    from gridmill.report.page import render

    figures = Figures.of(str(answers))
    is_its = bool(sittings and sittings[-1] and sittings[-1][-1][1] == figures.records)
    return render(answers.name, figures, facts, sittings if is_its else ())


def write(text: str, report: Path) -> None:
    """Put a report into its place at once, when all of it is there. Raises OutputError."""
    try:
        with whole.written(report, force=True) as part:  # `check` has refused what must not be overwritten
            part.write_text(text, "utf-8")
    except OutputError as error:
        raise OutputError(f"the report: {error}; gridmill report makes it anew") from error
