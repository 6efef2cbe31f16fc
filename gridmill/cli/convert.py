"""``gridmill convert``: a file of puzzles in another format."""

import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING

from gridmill.cli import exit, options
from gridmill.cli.command import command
from gridmill.cli.panels import argument, option

if TYPE_CHECKING:
    from gridmill.chunk import Record

_SHOWN = 20  # records that are no puzzles and are told one by one: enough to see what is wrong with a file


@command()
@options.files
@argument("out", metavar="OUT", help="A new file; - is standard output.")
@options.column
@options.input_format
@options.blank
@options.explain
@option(
    "--format",
    "form",
    words=lambda: _formats(),
    panel=options.OUTPUT,
    help="The form of the puzzles; .gz behind it packs them. Default: by the ending of OUT, else csv.",
)
@option("--force", is_flag=True, panel=options.OUTPUT, help="Overwrite OUT.")
@options.quiet
def convert(
    files: tuple[str, ...],
    out: str,
    form: str | None,
    force: bool,
    column: str | None,
    input_format: str | None,
    blank: str | None,
    explain: bool,
    quiet: bool,
) -> int:
    """Write the puzzles of files in another format, without solving them.

    Ids and other columns go along where the format has room for them. A record that is no puzzle keeps its place, and
    is told on standard error; then the exit code is 1.
    """
    from gridmill.cli.explain import Explanation
    from gridmill.convert import convert
    from gridmill.formats.input import Input
    from gridmill.formats.puzzles import choose_puzzle_format

    form = choose_puzzle_format(form, out)
    source = Input(files, column=column, form=input_format, blank=blank)
    Explanation(exit.complain, wanted=explain).seen(source)
    faults = _Faults(quiet=quiet)
    count = convert(source, options.path_of(out) or sys.stdout.buffer, form, faults.tell, force=force)
    if not quiet:
        counts = f"malformed: {count.malformed:,}, lines skipped: {source.skipped:,}"
        exit.complain(f"records written as {form}: {count.records:,}, {counts}")
    return exit.FOUND if count.malformed else exit.DONE


def _formats() -> Iterable[str]:
    from gridmill.formats.puzzles import NAMES

    return NAMES


class _Faults:
    """Tells the first faults."""

    def __init__(self, *, quiet: bool) -> None:
        self._left = 0 if quiet else _SHOWN

    def tell(self, file: str, record: "Record") -> None:
        if self._left and record.fault:
            self._left -= 1
            place = f", column {record.fault.column}" if record.fault.column else ""
            exit.complain(f"{file}:{record.line}{place}: {record.fault.reason}")
