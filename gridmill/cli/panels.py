"""Click's parts with help in panels: options under titles, arguments explained, commands in groups."""

import importlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from difflib import get_close_matches
from typing import Any

import click

from gridmill.cli import interrupt

OPTIONS = "Options"
ADVANCED = "Advanced"
LAST = (OPTIONS, "Settings", ADVANCED)  # how the titles of the panels at the end begin, the last of them last
WIDTH = 100  # columns at most, on a terminal that has more: longer lines are hard to read

Rows = list[tuple[str, str]]


class _Filled(click.Parameter):
    """A parameter that nobody gives an empty text on purpose: it is a variable of the shell that is not set.

    ``wanted`` says what to give.
    """

    wanted = ""

    def process_value(self, ctx: click.Context, value: Any) -> Any:
        """See `click.Parameter`."""
        if "" in (value if isinstance(value, list | tuple) else (value,)):
            empty = f"it is empty; is a variable of the shell not set? {self.wanted}"
            raise click.BadParameter(empty.rstrip(), ctx, self)
        return super().process_value(ctx, value)


class Argument(_Filled, click.Argument):
    """An argument with a line in the help."""

    def __init__(self, declarations: Sequence[str], *, help: str, **settings: Any) -> None:
        super().__init__(declarations, **settings)
        self.wanted = help

    def make_metavar(self, *_: Any) -> str:
        """As it was given: Click would mark it in ways that differ from release to release."""
        return str(self.metavar)

    def get_help_record(self, _: click.Context) -> tuple[str, str]:
        """Name and explanation."""
        return str(self.metavar), self.wanted


class Option(_Filled, click.Option):
    """An option in a panel. ``words``: says for the help what it takes, where that has to be imported first."""

    def __init__(
        self,
        declarations: Sequence[str],
        *,
        panel: str = OPTIONS,
        words: Callable[[], Iterable[str]] | None = None,
        **settings: Any,
    ) -> None:
        super().__init__(declarations, **settings)
        self.panel, self._words = panel, words

    def make_metavar(self, *args: Any, **named: Any) -> str:
        """See `click.Parameter`."""
        return "|".join(self._words()) if self._words else super().make_metavar(*args, **named)


class Command(click.Command):
    """A command whose help shows its parameters in panels."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """See `click.Command`."""
        panels: dict[str, Rows] = {}
        for parameter in self.get_params(ctx):
            if record := parameter.get_help_record(ctx):
                title = "Arguments" if isinstance(parameter, Argument) else getattr(parameter, "panel", OPTIONS)
                panels.setdefault(title, []).append(record)
        for title in sorted(panels, key=_rank):
            _write(formatter, title, panels[title])

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The epilog as it stands; see `click.Command`."""
        formatter.write(f"\n{self.epilog}\n" if self.epilog else "")


class Group(click.Group):
    """Commands in panels. Each is imported when it is asked for, from the module of its name."""

    def __init__(self, package: str, panels: Mapping[str, Sequence[str]], **settings: Any) -> None:
        super().__init__(**settings)
        self._package, self._panels = package, panels

    def list_commands(self, ctx: click.Context | None = None) -> list[str]:
        """See `click.Group`."""
        return [name for names in self._panels.values() for name in names]

    def get_command(self, ctx: click.Context | None, cmd_name: str) -> click.Command | None:
        """See `click.Group`."""
        return self.load(cmd_name) if cmd_name in self.list_commands() else None

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        """See `click.Group`; a word that is nearly a command is told which."""
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            near = get_close_matches(args[0], self.list_commands(), n=1)
            if not near:
                raise
            raise click.UsageError(f"{error.format_message()} Did you mean {near[0]!r}?", ctx) from error

    def load(self, name: str) -> click.Command:
        """The command of that name."""
        with interrupt.later():
            command: click.Command = getattr(importlib.import_module(f"{self._package}.{name}"), name)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """See `click.Group`."""
        for title, names in self._panels.items():
            _write(formatter, title, [(name, self.load(name).get_short_help_str(limit=WIDTH)) for name in names])


def _rank(title: str) -> int:
    """Where a panel stands among those of its command; those of the same rank in the order of their first options."""
    return next((rank for rank, last in enumerate(LAST, 1) if title.startswith(last)), 0)


def _write(formatter: click.HelpFormatter, title: str, rows: Rows) -> None:
    with formatter.section(title):
        formatter.write_dl(rows)


def option(*declarations: str, **settings: Any) -> Callable[[Any], Any]:
    """A decorator that gives a function an `Option`."""
    return click.option(*declarations, cls=Option, **settings)


def argument(*declarations: str, **settings: Any) -> Callable[[Any], Any]:
    """A decorator that gives a function an `Argument`."""
    return click.argument(*declarations, cls=Argument, **settings)
