"""Settings as options."""

import inspect
from typing import Any

import pytest
import typer.main

from gridmill.cli import app
from gridmill.cli.overrides import needs_broker, with_settings
from gridmill.errors import SettingsError
from gridmill.settings import Settings

NAMES = ("lease", "broker", "log_level", "log_format")


def run(**given: Any) -> Settings:
    """The settings that a command gets which takes the options ``NAMES``, when it is given these."""
    got: list[Settings] = []

    @with_settings(*NAMES, log_level="warning")
    def command(quiet: bool = False, *, settings: Settings) -> int:
        got.append(settings)
        return 0

    command(**(dict.fromkeys(NAMES) | given))
    return got[0]


def test_an_option_goes_before_the_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRIDMILL_LEASE", "20")
    assert run(lease="30").lease == 30


def test_the_variable_goes_before_the_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRIDMILL_LEASE", "20")
    assert run().lease == 20


def test_a_command_may_have_a_default_of_its_own() -> None:
    assert run().log_level == "warning"


def test_a_variable_goes_before_a_command_s_own_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRIDMILL_LOG_LEVEL", "info")
    assert run().log_level == "info"


def test_quiet_logs_nothing_but_errors() -> None:
    assert run(quiet=True).log_level == "error"


def test_quiet_leaves_a_level_that_was_asked_for() -> None:
    assert run(quiet=True, log_level="debug").log_level == "debug"


def test_the_form_of_the_log_is_settled_for_all_processes() -> None:
    assert run().log_format == "json"  # standard error of a test is no terminal


def test_a_bad_value_names_the_option() -> None:
    with pytest.raises(SettingsError, match="--lease is 'soon'"):
        run(lease="soon")


def test_an_address_that_is_none_is_a_bad_setting() -> None:
    with pytest.raises(SettingsError, match="is not a broker address"):
        run(broker="http://localhost")


def test_a_command_that_needs_a_server_says_how_to_name_one() -> None:
    with pytest.raises(SettingsError, match=r"submit needs a server.*--broker.*GRIDMILL_BROKER"):
        needs_broker(run(), "submit")


def test_the_options_stand_in_the_command_s_signature() -> None:
    @with_settings("lease")
    def command(job: str, *, settings: Settings) -> int:
        return 0

    assert list(inspect.signature(command).parameters) == ["job", "lease"]


def test_every_setting_is_an_option_of_some_command() -> None:
    commands = typer.main.get_group(app).commands.values()
    options = {name for command in commands for parameter in command.params for name in parameter.opts}
    assert {f"--{name.replace('_', '-')}" for name in Settings.model_fields} - options == set()
