"""From a function to a command: its options, those of the settings that it heeds, its examples, its exit code."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal, get_origin

import click
from pydantic import ByteSize
from pydantic.fields import FieldInfo

from gridmill.cli.examples import epilog
from gridmill.cli.exit import guarded
from gridmill.cli.panels import ADVANCED, WIDTH, Command, Option
from gridmill.errors import BrokerError, SettingsError
from gridmill.lean import NEEDLESS, without
from gridmill.settings import Settings

SERVER = ("broker", "prefix")
LOGS = ("log_level", "log_format")
JUDGING = ("tick", "lease", "grace", "grace_max", "tries", "lies", "audit", "child_memory", "child_seconds")
COLLECTING = (*JUDGING, "state_dir")
SOLVING = (*SERVER, "queue", "workers", "in_flight", "beat", *COLLECTING, *LOGS)

COMMON = ("broker", "workers", "log_level")  # the settings that many people need
PANELS = ("Settings (--broker is GRIDMILL_BROKER too, and so on)", f"{ADVANCED} settings")

Function = Callable[..., int | None]

_MADE = {"workers": "one a core", "state_dir": "$XDG_STATE_HOME/gridmill"}  # defaults that are found out at the start
_METAVARS: dict[object, str] = {float: "SECONDS", int: "N", ByteSize: "BYTES", Path: "FOLDER", str: "NAME"}


def command(*names: str, serverless: str = "", **defaults: str) -> Callable[[Function], Command]:
    """Make a command of a function; the docstring is its help.

    With ``names`` of settings it gets ``settings``, read from the variables and from an option for each of ``names``.
    ``defaults`` are those of this command where they are not Settings' own; ``serverless`` says, for the help, what it
    does without a broker. Logs are configured before it runs.
    """

    def made(function: Function) -> Command:
        own = list(reversed(getattr(function, "__click_params__", [])))

        def run(**given: Any) -> int | None:
            overrides = {name: given.pop(name) for name in names}
            quiet = {"log_level": "error"} if given.get("quiet") else {}
            if given.get("ticker"):
                if quiet:
                    raise SettingsError("--json-progress says how far it is, and --quiet that nobody says it: give one")
                overrides["log_format"] = "json"  # who reads it reads that too
            return function(**given, settings=_load(overrides, defaults | quiet))

        return Command(
            function.__name__,
            params=[*own, *(_option(name, defaults, serverless) for name in names)],
            callback=guarded(run if names else function),
            help=function.__doc__,
            epilog=epilog(function.__name__),
            context_settings={"max_content_width": WIDTH},
        )

    return made


def needs_broker(settings: Settings, command: str) -> None:
    """Raises SettingsError when no server is named."""
    if settings.broker is None:
        raise SettingsError(f"{command} needs a server: give its address with --broker, or set GRIDMILL_BROKER")


def _load(overrides: dict[str, Any], defaults: dict[str, str]) -> Settings:
    with without(*NEEDLESS):
        from gridmill import logs

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


def _option(name: str, defaults: dict[str, str], serverless: str) -> click.Option:
    field = Settings.model_fields[name]
    text = _described(field, _MADE.get(name, defaults.get(name, field.default)))
    return Option(
        [f"--{name.replace('_', '-')}"],
        # Text, since Settings reads it, and says what is wrong with it.
        metavar=_metavar(name, field),
        help=f"{text} {serverless}".strip() if name == "broker" else text,
        panel=PANELS[name not in COMMON],
    )


def _metavar(name: str, field: FieldInfo) -> str:
    if name == "audit":
        return "SHARE"
    return _METAVARS.get(field.annotation, "WORD" if get_origin(field.annotation) is Literal else "URL")


def _described(field: FieldInfo, default: object) -> str:
    text = f"{field.description}"[:1].upper() + f"{field.description}"[1:] + "."
    if isinstance(default, ByteSize):
        default = default.human_readable(decimal=True, separator=" ").replace(".0 ", " ")
    if isinstance(default, float):
        default = f"{default:g}"
    return text if default is None else f"{text} Default: {default}."
