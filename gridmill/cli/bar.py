"""The progress bar on a terminal. Logs, the workers' included, go above it."""

import sys
from typing import Self

from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.progress import BarColumn, Progress, ProgressColumn, Task
from rich.table import Column
from rich.text import Text

from gridmill import logs
from gridmill.cli.meter import Reading
from gridmill.cli.screen import Screen, parts
from gridmill.settings import Settings

REDRAWS = 4  # a second: smooth enough, and a small part of a core even on a slow terminal


class _Line(Progress):
    """Short of the edge, so that the ^C which a terminal shows behind it stays on its line and goes with the next."""

    def get_renderable(self) -> RenderableType:
        """See `Progress`."""
        return _Short(super().get_renderable())


class _Short:
    def __init__(self, whole: RenderableType) -> None:
        self._whole = whole

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield from console.render(self._whole, options.update_width(options.max_width - len("^C") - 1))


class _Words(ProgressColumn):
    """The reading, beside the bar."""

    max_refresh = None

    def render(self, task: Task) -> Text:
        return Text(task.description, no_wrap=True)


class Bar(Screen):
    """One line that is drawn again and again, and stays when it has ended."""

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        self._settings = settings
        self._console = Console(stderr=True, highlight=False)
        self._progress = _Line(
            BarColumn(bar_width=None, table_column=Column(ratio=1)),
            _Words(table_column=Column(no_wrap=True)),
            console=self._console,
            expand=True,
            refresh_per_second=REDRAWS,
            redirect_stdout=False,  # the answers may go there
        )
        self._task = self._progress.add_task("starting", total=None)

    def __enter__(self) -> Self:
        self._progress.start()
        logs.configure(self._settings, sys.stderr)  # which rich has put its own in place of
        return self

    def __exit__(self, *_: object) -> None:
        self._progress.stop()
        logs.configure(self._settings)

    def tell(self, line: str) -> None:
        """A line of a worker's log."""
        self._console.print(Text.from_ansi(line), soft_wrap=True)

    def _update(self, reading: Reading) -> None:
        self._progress.update(
            self._task,
            completed=reading.done,
            total=reading.total,
            description="  ".join(parts(reading)),
        )
