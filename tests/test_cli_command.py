"""From a function to a command: settings as options."""

from typing import Any

import click
import pytest
from click.testing import CliRunner

from gridmill.cli import app
from gridmill.cli.command import command, needs_broker
from gridmill.cli.panels import option
from gridmill.errors import SettingsError
from gridmill.settings import Settings

NAMES = ("lease", "broker", "workers", "log_level", "log_format")


def make(got: list[Settings], **options: Any) -> click.Command:
    """A command that takes the settings ``NAMES`` and an option ``--quiet``, and puts its settings into ``got``."""

    @command(*NAMES, log_level="warning", **options)
    @option("--quiet", is_flag=True)
    def clean(quiet: bool, settings: Settings) -> int:
        """What it does."""
        got.append(settings)
        return 0

    return clean


def run(*words: str) -> Settings:
    """The settings that such a command gets."""
    got: list[Settings] = []
    assert CliRunner().invoke(make(got), words).exit_code == 0
    return got[0]


def refused(*words: str) -> str:
    """What it says about words that it does not take."""
    ended = CliRunner().invoke(make([]), words)
    assert ended.exit_code == 2
    return ended.stderr


def help_of(**options: Any) -> str:
    return CliRunner().invoke(make([], **options), ["--help"], terminal_width=100).stdout


def test_an_option_goes_before_the_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRIDMILL_LEASE", "20")
    assert run("--lease", "30").lease == 30


def test_the_variable_goes_before_the_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRIDMILL_LEASE", "20")
    assert run().lease == 20


def test_a_command_may_have_a_default_of_its_own() -> None:
    assert run().log_level == "warning"


def test_a_variable_goes_before_a_command_s_own_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRIDMILL_LOG_LEVEL", "info")
    assert run().log_level == "info"


def test_quiet_logs_nothing_but_errors() -> None:
    assert run("--quiet").log_level == "error"


def test_quiet_leaves_a_level_that_was_asked_for() -> None:
    assert run("--quiet", "--log-level", "debug").log_level == "debug"


def test_the_form_of_the_log_is_settled_for_all_processes() -> None:
    assert run().log_format == "json"  # standard error of a test is no terminal


def test_a_bad_value_names_the_option() -> None:
    assert "--lease is 'soon'" in refused("--lease", "soon")


def test_an_address_that_is_none_is_a_bad_setting() -> None:
    assert "is not a server's address" in refused("--broker", "http://localhost")


def test_a_command_that_needs_a_server_says_how_to_name_one() -> None:
    with pytest.raises(SettingsError, match=r"submit needs a server.*--broker.*GRIDMILL_BROKER"):
        needs_broker(run(), "submit")


def test_what_few_people_need_stands_at_the_end() -> None:
    common, _, advanced = help_of().partition("Advanced settings:")
    assert "--broker" in common
    assert "--workers" in common
    assert "--lease" in advanced


def test_the_default_that_is_the_command_s_own_is_in_the_help() -> None:
    assert "Least level that is logged: debug, info, warning or error. Default: warning." in help_of()


def test_a_default_is_in_the_help_as_people_write_it_also_where_it_is_found_out() -> None:
    text = " ".join(CliRunner().invoke(app, ["solve", "--help"], terminal_width=100).stdout.split())
    assert "Number of solving processes. Default: one a core." in text
    assert "e.g. 96MB. Default: 96 MB." in text
    assert "private server's data. Default: $XDG_STATE_HOME/gridmill." in text


def test_only_a_command_that_starts_a_server_says_so() -> None:
    assert "a private server is started" not in help_of()
    assert "a private server is started" in help_of(serverless="Without one, a private server is started.")


@pytest.mark.parametrize("name", ["submit", "work", "collect", "status", "cancel", "clean"])
def test_what_never_starts_a_server_does_not_promise_one(name: str) -> None:
    assert "private server is started" not in CliRunner().invoke(app, [name, "--help"], terminal_width=100).stdout


@pytest.mark.parametrize("name", ["solve", "resume"])
def test_what_starts_a_server_says_so(name: str) -> None:
    assert "private server is started" in CliRunner().invoke(app, [name, "--help"], terminal_width=100).stdout


def test_every_setting_is_an_option_of_some_command() -> None:
    commands = [app.load(name) for name in app.list_commands()]
    options = {name for command in commands for parameter in command.params for name in parameter.opts}
    assert {f"--{name.replace('_', '-')}" for name in Settings.model_fields} - options == set()
