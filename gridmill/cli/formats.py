"""``gridmill formats``: what is read and written."""

import sys

from gridmill.cli import options, table
from gridmill.cli.command import command
from gridmill.cli.panels import argument

HEAD = ("format", "read", "answers", "puzzles", "what it is")

_SHOWN = 3  # lines of an example: enough to know the format by
_WIDTH = 100  # characters of such a line


@command()
@argument("files", metavar="[FILE...]", nargs=-1, help="Say of these files what they are, and why.")
@options.column
@options.input_format
@options.blank
def formats(files: tuple[str, ...], column: str | None, input_format: str | None, blank: str | None) -> None:
    """List the formats with an example of each, or say of which format files are.

    Others are known by their names too, and refused with what to do instead.
    """
    if not files:
        _list()
        return
    from gridmill.cli.explain import told
    from gridmill.formats.input import Input
    from gridmill.logs import visible

    for line in told(Input(files, column=column, form=input_format, blank=blank)):
        print(visible(line))


def _list() -> None:
    from gridmill.formats.catalogue import FORMATS, REFUSED

    rows = [
        (entry.name, *("yes" if has else "" for has in (entry.read, entry.solved, entry.converted)), entry.summary)
        for entry in FORMATS
    ]
    table.show(rows, sys.stdout, head=HEAD)
    print("\nAll are read inside gzip, xz and zip too, and written packed as .gz, all but parquet. Examples:")
    for entry in FORMATS:
        if entry.example:
            print(f"\n{entry.name}")
            print("\n".join(f"    {line}" for line in _cut(entry.example.splitlines())))
    print(f"\nRefused by name, each with a remedy: {', '.join(REFUSED)}.")


def _cut(lines: list[str]) -> list[str]:
    shown = [line if len(line) <= _WIDTH else line[: _WIDTH - 1] + "…" for line in lines[:_SHOWN]]
    return [*shown, "…"] if len(lines) > _SHOWN else shown
