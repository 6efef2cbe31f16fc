"""``gridmill stats``: what a collection of puzzles is like."""

import json
import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from gridmill.answers import Status
from gridmill.cli import exit, options, table
from gridmill.cli.command import LOGS, command
from gridmill.cli.drawing import can_show
from gridmill.cli.panels import option
from gridmill.cli.screen import Screen, open_screen
from gridmill.settings import Settings

if TYPE_CHECKING:
    from gridmill.formats.input import Input
    from gridmill.stats import Stats

BAR = 30  # columns of a bar that is all
ROWS = 16  # of a histogram at most; where there were more, several numbers share one

Counts = Sequence[tuple[str, int]]


@command(*LOGS, log_level="warning")
@options.files
@option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@options.column
@options.input_format
@options.blank
@options.quiet
def stats(
    files: tuple[str, ...],
    as_json: bool,
    column: str | None,
    input_format: str | None,
    blank: str | None,
    quiet: bool,
    settings: Settings,
) -> int:
    """Sum up puzzle files, or what solve wrote of them.

    Statuses, givens, the hardest technique that is needed, nodes, and how many are the same as an earlier one, or are
    it in another dress. Puzzles are solved in this process; answers of gridmill, as CSV, JSON lines or Parquet, are
    taken as they stand.
    """
    from gridmill import kernel
    from gridmill.formats.input import Input

    kernel.require()
    Input(files)  # raises FormatError where standard input is named twice
    sources = [Input((file,), column=column, form=input_format, blank=blank) for file in files]
    with open_screen(settings, quiet=quiet, typed=options.are_typed(files)) as screen:
        found = _summed(sources, files, screen)
    skipped = sum(source.skipped for source in sources)
    if as_json:
        print(json.dumps({"files": list(files), "skipped": skipped, **found.as_dict()}, indent=2))
    else:
        _show(found, skipped)
    return exit.DONE if found.is_decided else exit.INCOMPLETE


class _Whole:
    """The size of several inputs together, and how far they have been read."""

    def __init__(self, sources: Sequence["Input"]) -> None:
        self._sources = sources
        sizes = [source.size for source in sources]
        self.size = None if None in sizes else sum(size or 0 for size in sizes)

    @property
    def position(self) -> int:
        return sum(source.position for source in self._sources)

    @property
    def read(self) -> int:
        return sum(source.read for source in self._sources)


def _summed(sources: Sequence["Input"], files: Sequence[str], screen: Screen) -> "Stats":
    from gridmill.stats import Stats, parts

    found, whole = Stats(), _Whole(sources)
    for source, file in zip(sources, files, strict=True):
        for part in parts(source, file):
            found.add(part)
            screen.show(found.records, found.records, None, whole, found.counts)
    screen.show(found.records, found.records, found.records, None, found.counts)
    return found


def _show(found: "Stats", skipped: int) -> None:
    table.show([(name, text) for name, text in _totals(found, skipped) if text], sys.stdout, numbers=(1,))
    for title, counts in _histograms(found):
        if counts:
            table.part(sys.stdout)
            table.show(list(_shares(counts)), sys.stdout, head=(title, "records", "share", ""), numbers=(1, 2))


def _totals(found: "Stats", skipped: int) -> Iterable[tuple[str, str]]:
    dressed = "without the kernel not known" if found.dressed is None else f"{found.dressed:,}"
    givens = (min(found.givens, default=0), found.givens.median or 0, max(found.givens, default=0))
    yield "records", f"{found.records:,}"
    yield "lines skipped", f"{skipped:,}"
    yield "same as an earlier one", f"{found.repeated:,}"
    yield "  in another dress", dressed
    yield "givens: least, median, most", ", ".join(f"{number:g}" for number in givens) if found.givens else ""
    yield "nodes: mean, most", f"{found.nodes_sum / max(1, found.records):,.2f}, {found.nodes_most:,}"


def _histograms(found: "Stats") -> Iterable[tuple[str, Counts]]:
    from gridmill.stats import span
    from gridmill.technique import Technique

    yield "status", [(status.value, found.counts[status]) for status in Status if found.counts[status]]
    yield "givens", _grouped(found.givens)
    if found.techniques:
        yield "hardest technique", [(str(technique), found.techniques[technique]) for technique in Technique]
    yield "nodes", [(span(bits), found.nodes[bits]) for bits in range(max(found.nodes, default=-1) + 1)]


def _grouped(numbers: "dict[int, int]") -> Counts:
    """Each number from the least to the greatest, or as many of them together as it takes to need few rows."""
    least, most = min(numbers, default=0), max(numbers, default=-1)
    width = -(-(most - least + 1) // ROWS)
    return [
        (str(at) if width == 1 else f"{at}-{at + width - 1}", sum(numbers.get(at + n, 0) for n in range(width)))
        for at in range(least, most + 1, max(1, width))
    ]


def _shares(counts: Counts) -> Iterable[tuple[str, str, str, str]]:
    whole, block = sum(number for _, number in counts), "█" if can_show("█") else "#"
    for name, number in counts:
        share = number / max(1, whole)
        text = "<0.1%" if 0 < share < 0.001 else f"{share:.1%}"
        yield name, f"{number:,}", text, block * (round(BAR * share) or bool(number))
