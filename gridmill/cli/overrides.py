"""Settings as options: ``--lease 30`` goes before ``GRIDMILL_LEASE=30``. A command names the settings that it heeds."""

import functools
import inspect
import sys
from collections.abc import Callable
from dataclasses import replace
from typing import Annotated, Any

import typer

from gridmill.errors import BrokerError, SettingsError
from gridmill.kinds import BYTES, SECONDS, size
from gridmill.settings import SETTINGS, Setting, Settings

PANEL = "Settings (--lease, for example, is GRIDMILL_LEASE too)"
SERVER = ("broker", "prefix")
LOGS = ("log_level", "log_format")
COLLECTING = ("tick", "lease", "grace", "grace_max", "tries", "lies", "child_memory", "child_seconds", "state_dir")
SOLVING = (*SERVER, "queue", "workers", "in_flight", "beat", *COLLECTING, *LOGS)

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

    settings = Settings.load(defaults, **overrides)
    if settings.log_format == "auto":  # once for all: the workers' own standard error may be a pipe of ours
        settings = replace(settings, log_format="console" if sys.stderr.isatty() else "json")
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
    setting = SETTINGS[name]
    option = typer.Option(
        f"--{name.replace('_', '-')}",
        metavar=setting.kind.metavar,
        help=_described(setting._replace(default=defaults.get(name, setting.default))),
        show_default=False,
        rich_help_panel=PANEL,
    )
    # Text, since Settings reads it, and says what is wrong with it.
    return inspect.Parameter(
        name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=Annotated[str | None, option]
    )


def _described(setting: Setting) -> str:
    text = f"{setting.description[:1].upper()}{setting.description[1:]}."
    if setting.default is None:
        return text
    default = setting.default
    shown = size(default) if setting.kind is BYTES else f"{default:g}" if setting.kind is SECONDS else default
    return f"{text} Default: {shown}."
