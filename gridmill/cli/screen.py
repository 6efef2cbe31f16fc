"""What a running command shows on standard error: a bar on a terminal, a line now and then elsewhere, or nothing."""

import os
import sys
import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Self

from gridmill.cli import table
from gridmill.cli.exit import complain
from gridmill.cli.meter import NO_COUNTS, Meter, Reading, Size
from gridmill.cli.words import fitted, parts, statuses
from gridmill.settings import Settings

if TYPE_CHECKING:
    from gridmill.track import Seen

LINE_SECONDS = 5.0  # between two progress lines: a log stays readable, and a person sees that something happens
LINE_WIDTH = 80 - len("gridmill: ")  # columns of a progress line behind who says it
TYPING = "reading from the terminal: one puzzle a line, Ctrl-D ends"


class Screen:
    """Plain text. ``talks`` False: nothing but errors; ``period`` seconds between two progress lines, None: none."""

    tell: Callable[[str], None] | None = None  # for lines of the workers' logs; None: they may write by themselves

    def __init__(self, *, talks: bool = True, period: float | None = LINE_SECONDS) -> None:
        self._talks = talks
        self._period = period
        self._meter = Meter()
        self._shown = time.monotonic()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def say(self, text: str) -> None:
        """A message that is no error."""
        if self._talks:
            complain(text)

    def show(
        self,
        done: int,
        enqueued: int,
        total: int | None,
        source: Size | None,
        counts: Mapping[str, int] = NO_COUNTS,
    ) -> None:
        """The progress; the arguments are those of `Meter.read`."""
        self._update(self._meter.read(done, enqueued, total, source, counts))

    def follow(self, progress: "Seen", source: Size | None) -> None:
        """The progress of a collector."""
        self.show(progress.written, progress.enqueued, progress.total, source, progress.counts)

    def summary(self, rows: table.Rows) -> None:
        """The table at the end."""
        if self._talks:
            table.show(rows, sys.stderr, numbers=(1,))

    def _update(self, reading: Reading) -> None:
        now = time.monotonic()
        if self._talks and self._period is not None and now - self._shown >= self._period:
            self._shown = now
            complain(fitted([*parts(reading), *statuses(reading.counts)], ", ", LINE_WIDTH))


def open_screen(settings: Settings, *, quiet: bool, to_stdout: bool = False, typed: bool = False) -> Screen:
    """The screen that fits.

    ``to_stdout``: answers go to standard output, and a terminal there is theirs. ``typed``: the input comes from a
    terminal, which is then whose it is who types.
    """
    if quiet:
        return Screen(talks=False)
    if typed:
        complain(TYPING)
    if typed or (to_stdout and sys.stdout.isatty()):
        return Screen(period=None)
    if sys.stderr.isatty() and os.environ.get("TERM") != "dumb":
        from gridmill.cli.bar import Bar

        return Bar(settings)
    return Screen()
