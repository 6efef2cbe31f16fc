"""From a function to a command: its options, those of the settings that it heeds, its examples, its exit code."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_origin

import click

from gridmill.ahead import Ahead
from gridmill.cli.examples import epilog
from gridmill.cli.exit import guarded
from gridmill.cli.panels import ADVANCED, WIDTH, Command, Option
from gridmill.errors import BrokerError, SettingsError

if TYPE_CHECKING:
    from pydantic.fields import FieldInfo

    from gridmill.settings import Settings

SERVER = ("broker", "prefix")
LOGS = ("log_level", "log_format")
COLLECTING = ("tick", "lease", "grace", "grace_max", "tries", "lies", "child_memory", "child_seconds", "state_dir")
SOLVING = (*SERVER, "queue", "workers", "in_flight", "beat", *COLLECTING, *LOGS)

COMMON = ("broker", "workers", "log_level")  # the settings that many people need
PANELS = ("Settings (--broker is GRIDMILL_BROKER too, and so on)", f"{ADVANCED} settings")

Function = Callable[..., int | None]


def command(
    *names: str, serverless: str = "", starts_workers: bool = False, **defaults: str
) -> Callable[[Function], Command]:
    """Make a command of a function; the docstring is its help.

    With ``names`` of settings it gets ``settings``, read from the variables and from an option for each of ``names``.
    ``defaults`` are those of this command where they are not Settings' own; ``serverless`` says, for the help, what it
    does without a broker. One that ``starts_workers`` gets the first as ``ahead``. Logs are configured before it runs.
    """

    def made(function: Function) -> Command:
        own = list(reversed(getattr(function, "__click_params__", [])))

        def run(**given: Any) -> int | None:
            with Ahead() if starts_workers else nullcontext() as ahead:
                overrides = {name: given.pop(name) for name in names}
                quiet = {"log_level": "error"} if given.get("quiet") else {}
                first = {"ahead": ahead} if starts_workers else {}
                return function(**given, **first, settings=_load(overrides, defaults | quiet))

        return Command(
            function.__name__,
            params=[*own, *(SettingOption(name, defaults.get(name), serverless) for name in names)],
            callback=guarded(run if names else function),
            help=function.__doc__,
            epilog=epilog(function.__name__),
            context_settings={"max_content_width": WIDTH},
        )

    return made


class SettingOption(Option):
    """The option of a setting. It takes text, since Settings reads it, and says what is wrong with it.

    What Settings know of it is looked up for the help alone: to import them takes 0.1 s.
    """

    def __init__(self, setting: str, default: str | None, serverless: str) -> None:
        super().__init__([f"--{setting.replace('_', '-')}"], panel=PANELS[setting not in COMMON])
        self._setting, self._default, self._serverless = setting, default, serverless

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        """See `click.Option`."""
        from gridmill.settings import Settings

        field = Settings.model_fields[self._setting]
        text = _described(field, self._default or field.default)
        self.help = f"{text} {self._serverless}".strip() if self._setting == "broker" else text
        self.metavar = _metavar(field)
        return super().get_help_record(ctx)


def needs_broker(settings: Settings, command: str) -> None:
    """Raises SettingsError when no server is named."""
    if settings.broker is None:
        raise SettingsError(f"{command} needs a server: give its address with --broker, or set GRIDMILL_BROKER")


def _load(overrides: dict[str, Any], defaults: dict[str, str]) -> Settings:
    from gridmill import logs
    from gridmill.settings import Settings

    settings = Settings.load(**overrides)
    changes = {name: value for name, value in defaults.items() if name not in settings.model_fields_set}
    if settings.log_format == "auto":  # once for all: the workers' own standard error may be a pipe of ours
        changes["log_format"] = "console" if sys.stderr.isatty() else "json"
    settings = settings.model_copy(update=changes)
    _check_address(settings)
    logs.configure(settings)
    return settings


def _check_address(settings: Settings) -> None:
    from gridmill.address import Address

    try:
        Address.parse(settings.broker or "redis:")
    except BrokerError as error:
        raise SettingsError(str(error)) from error


def _metavar(field: FieldInfo) -> str:
    from pydantic import ByteSize

    names: dict[object, str] = {float: "SECONDS", int: "N", ByteSize: "BYTES", Path: "FOLDER", str: "NAME"}
    return names.get(field.annotation, "WORD" if get_origin(field.annotation) is Literal else "URL")


def _described(field: FieldInfo, default: object) -> str:
    from pydantic import ByteSize

    text = f"{field.description}"[:1].upper() + f"{field.description}"[1:] + "."
    if isinstance(default, ByteSize):
        default = default.human_readable(decimal=True, separator=" ")
    if isinstance(default, float):
        default = f"{default:g}"
    return text if default is None or field.default_factory else f"{text} Default: {default}."
