"""What a running command shows on standard error: a bar on a terminal, a line now and then elsewhere, or nothing.

For programs it is a `gridmill.cli.ticker.Ticker`.
"""

import os
import sys
import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Self

from gridmill.cli import table
from gridmill.cli.exit import complain
from gridmill.cli.meter import NO_COUNTS, Meter, Reading
from gridmill.cli.words import fitted, parts, statuses
from gridmill.progress import Seen, Size
from gridmill.settings import Settings

if TYPE_CHECKING:
    from gridmill.cli.ticker import Ticker

LINE_SECONDS = 5.0  # between two progress lines: a log stays readable, and a person sees that something happens
LINE_WIDTH = 80 - len("gridmill: ")  # columns of a progress line behind who says it
TYPING = "reading from the terminal: one puzzle a line, Ctrl-D ends"


class Screen:
    """Plain text. ``talks`` False: nothing but errors; ``period`` seconds between two progress lines, None: none."""

    tell: Callable[[str], None] | None = None  # for lines of the workers' logs; None: they may write by themselves
    job = ""  # that all is about, once it is known

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

    def out(self, text: str) -> None:
        """Lines for standard output."""
        print(text)

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

    def feed(self, done: int, total: int | None, source: Size | None) -> None:
        """The progress of a producer alone."""
        self.show(done, done, total, source)

    def follow(self, progress: Seen, source: Size | None) -> None:
        """The progress of a job that is collected."""
        self.job = progress.job
        self.show(progress.written, progress.enqueued, progress.total, source, progress.counts)

    def summary(self, rows: table.Rows, totals: Mapping[str, Any]) -> None:
        """The table at the end; ``totals`` are the same for programs."""
        if self._talks:
            table.show(rows, sys.stderr, numbers=(1,))

    def ended(self, state: str, reason: str = "") -> None:
        """How it ended, in a word for programs; ``reason`` is said even where nothing but errors is."""
        if reason:
            complain(reason)

    def _update(self, reading: Reading) -> None:
        if self._talks and self._is_due():
            complain(fitted([*parts(reading), *statuses(reading.counts)], ", ", LINE_WIDTH))

    def _is_due(self) -> bool:
        """Whether it is time for another line, which is then taken for written."""
        now = time.monotonic()
        if self._period is None or now - self._shown < self._period:
            return False
        self._shown = now
        return True


def open_screen(
    settings: Settings, *, quiet: bool, ticker: "Ticker | None" = None, to_stdout: bool = False, typed: bool = False
) -> Screen:
    """The screen that fits; ``ticker``, where a program has asked for one.

    ``to_stdout``: answers go to standard output, and a terminal there is theirs. ``typed``: the input comes from a
    terminal, which is then whose it is who types.
    """
    if ticker is not None:
        return ticker
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
