"""The progress bar on a terminal. Logs, the workers' included, go above it."""

import sys
from typing import Self

from rich.console import Console, ConsoleOptions, RenderResult
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from gridmill import logs
from gridmill.cli.meter import Reading
from gridmill.cli.screen import Screen
from gridmill.cli.words import fitted, parts, statuses
from gridmill.settings import Settings

REDRAWS = 4  # a second: smooth enough, and a small part of a core even on a slow terminal
BAR_LEAST = 8  # columns, below which a bar shows nothing: words are left out before it gets less
BETWEEN = "  "


class _Drawing:
    """The bar with its words beside it, and what the answers are so far below."""

    reading: Reading | None = None

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        # Short of the edge, so that the ^C which a terminal shows behind it stays on its line and goes with the next.
        width = options.max_width - len("^C") - 1
        reading = self.reading
        texts = parts(reading) if reading else ["starting"]
        words = fitted(texts, BETWEEN, width - BAR_LEAST - len(BETWEEN))
        line = Table.grid(padding=(0, len(BETWEEN)))
        line.add_row(_bar(reading, max(0, width - len(words) - len(BETWEEN))), _one_line(words))
        yield from console.render(line, options.update_width(width))
        if reading and (answers := statuses(reading.counts)):
            yield from console.render(_one_line(fitted(answers, BETWEEN, width)), options.update_width(width))


def _bar(reading: Reading | None, width: int) -> ProgressBar:
    if reading is None or reading.total is None:
        return ProgressBar(width=width, pulse=True)
    return ProgressBar(max(1, reading.total), reading.done, width=width)


def _one_line(text: str) -> Text:
    return Text(text, no_wrap=True, overflow="ellipsis")


class Bar(Screen):
    """Two lines that are drawn again and again, and stay when it has ended, if there was anything to be seen."""

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        self._settings = settings
        self._console = Console(stderr=True, highlight=False)
        self._drawing = _Drawing()
        self._live = Live(
            self._drawing,
            console=self._console,
            refresh_per_second=REDRAWS,
            redirect_stdout=False,  # the answers may go there
        )

    def __enter__(self) -> Self:
        self._live.start()
        logs.configure(self._settings, sys.stderr)  # which rich has put its own in place of
        return self

    def __exit__(self, *_: object) -> None:
        self._live.transient = self._drawing.reading is None
        self._live.stop()
        logs.configure(self._settings)

    def tell(self, line: str) -> None:
        """A line of a worker's log."""
        self._console.print(Text.from_ansi(line), soft_wrap=True)

    def out(self, text: str) -> None:
        """Lines for standard output: above the bar, where both are on a terminal."""
        if sys.stdout.isatty():
            self._console.print(Text(text), soft_wrap=True)
        else:
            super().out(text)

    def _update(self, reading: Reading) -> None:
        self._drawing.reading = reading
