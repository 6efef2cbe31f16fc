"""Settings as options: ``--lease 30`` goes before ``GRIDMILL_LEASE=30``. A command names the settings that it heeds."""

import functools
import inspect
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, Literal, get_origin

import typer
from pydantic import ByteSize
from pydantic.fields import FieldInfo

from gridmill.errors import BrokerError, SettingsError
from gridmill.settings import Settings

PANEL = "Settings (--lease, for example, is GRIDMILL_LEASE too)"
SERVER = ("broker", "prefix")
LOGS = ("log_level", "log_format")
COLLECTING = ("tick", "lease", "grace", "grace_max", "tries", "lies", "child_memory", "child_seconds", "state_dir")
SOLVING = (*SERVER, "queue", "workers", "in_flight", "beat", *COLLECTING, *LOGS)

_METAVARS: dict[object, str] = {float: "SECONDS", int: "N", ByteSize: "BYTES", Path: "FOLDER", str: "NAME"}

Command = Callable[..., int]


def with_settings(*names: str, **defaults: str) -> Callable[[Command], Command]:
    """Call the command with ``settings``, read from the variables and from one option for each of ``names``.

    ``defaults`` are those of this command where they are not Settings' own. Logs are configured before it runs.
    """

    def decorate(command: Command) -> Command:
        signature = inspect.signature(command, eval_str=True)
        own = [parameter for parameter in signature.parameters.values() if parameter.name != "settings"]
        parameters = [*own, *(_parameter(name, defaults) for name in names)]

        @functools.wraps(command)
        def run(**given: Any) -> int:
            overrides = {name: given.pop(name) for name in names}
            quiet = {"log_level": "error"} if given.get("quiet") else {}
            return command(**given, settings=_load(overrides, defaults | quiet))

        run.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]  # typer reads it
        run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
        return run

    return decorate


def needs_broker(settings: Settings, command: str) -> None:
    """Raises SettingsError when no server is named."""
    if settings.broker is None:
        raise SettingsError(f"{command} needs a server: give its address with --broker, or set GRIDMILL_BROKER")


def _load(overrides: dict[str, Any], defaults: dict[str, str]) -> Settings:
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


def _parameter(name: str, defaults: dict[str, str]) -> inspect.Parameter:
    field = Settings.model_fields[name]
    text = _described(field, defaults.get(name, field.default))
    option = typer.Option(
        f"--{name.replace('_', '-')}",
        metavar=_METAVARS.get(field.annotation, "WORD" if get_origin(field.annotation) is Literal else "URL"),
        help=text,
        show_default=False,
        rich_help_panel=PANEL,
    )
    # Text, since Settings reads it, and says what is wrong with it.
    return inspect.Parameter(
        name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=Annotated[str | None, option]
    )


def _described(field: FieldInfo, default: object) -> str:
    text = f"{field.description}"[:1].upper() + f"{field.description}"[1:] + "."
    if isinstance(default, ByteSize):
        default = default.human_readable(decimal=True, separator=" ")
    if isinstance(default, float):
        default = f"{default:g}"
    return text if default is None or field.default_factory else f"{text} Default: {default}."
