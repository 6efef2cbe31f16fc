"""Writing answers to a file, as the command does."""

from collections.abc import Iterable, Iterator
from itertools import chain
from os import PathLike
from pathlib import Path

from gridmill.api.answers import Answers
from gridmill.formats.gzipped import ENDING
from gridmill.formats.output import FINISHES, choose_format, writer
from gridmill.whole import written


def write(path: str | PathLike[str], answers: Answers | Iterable[Answers], form: str | None, *, force: bool) -> None:
    """See `gridmill.write`."""
    out = Path(path)
    form = choose_format(form, str(out))
    with written(out, force=force) as part:
        made = FINISHES.get(form.removesuffix(ENDING))
        rows = part.with_name(part.name + ".rows") if made else part
        try:
            with rows.open("wb") as file:
                file.writelines(_blocks(answers, form))
            for _ in made(rows, part) if made else ():
                pass
        finally:
            if made:
                rows.unlink(missing_ok=True)


def _blocks(answers: Answers | Iterable[Answers], form: str) -> Iterator[bytes]:
    parts = iter([answers] if isinstance(answers, Answers) else answers)
    first = next(parts, Answers(()))
    rows = writer(form, first.columns, first.asked)
    yield rows.header()
    for part in chain([first], parts):
        for sheet in part.sheets:
            yield from rows.sheet(sheet)
