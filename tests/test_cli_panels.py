"""Help in panels, and what is said about words that cannot be used."""

import click
import pytest
from click.testing import CliRunner

from gridmill.cli import app, run
from gridmill.cli.panels import Argument, Command, Option


def help_of(*parameters: click.Parameter) -> str:
    command = Command("do", params=list(parameters), epilog="Examples:\n  do it")
    return CliRunner().invoke(command, ["--help"], terminal_width=80).stdout


def test_options_stand_in_their_panels_and_the_advanced_ones_at_the_end() -> None:
    text = help_of(Option(["--rare"], panel="Advanced"), Option(["--often"], panel="Output", metavar="OUT"))
    assert text.index("Output:") < text.index("--often OUT") < text.index("Options:") < text.index("--help")
    assert text.index("--help") < text.index("Advanced:") < text.index("--rare") < text.index("Examples:\n  do it")


def test_an_argument_is_explained() -> None:
    text = help_of(Argument(["files"], metavar="FILE...", nargs=-1, required=True, help="What to read."))
    assert "Usage: do [OPTIONS] FILE...\n" in text
    assert "Arguments:\n  FILE...  What to read.\n" in text


@pytest.mark.parametrize("name", app.list_commands())
def test_no_help_has_a_type_of_python_s(name: str) -> None:
    text = CliRunner().invoke(app, [name, "--help"]).stdout
    assert [word for word in ("bool", "BOOLEAN", "str", "TEXT", "INTEGER", "<", "list[") if word in text.split()] == []
    assert "<" not in text


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["sovle"], "gridmill: No such command 'sovle'."),
        (["solve"], "gridmill: Missing argument 'FILE...'."),
        (["solve", "x", "--budget", "few"], "'few' is not a valid integer"),
        (["solve", "x", "--budget", "0"], "0 is not from 1 to"),
        (["solve", "x", "--shiny"], "gridmill: No such option"),
        (["generate", "many"], "'many' is not a valid integer"),
    ],
)
def test_words_that_cannot_be_used_are_told_like_any_error(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(words) == 2
    text = capsys.readouterr().err
    assert text.startswith("gridmill: ")
    assert said in text
    assert "--help shows what it takes" in text


def test_the_line_about_each_command_is_whole(capsys: pytest.CaptureFixture[str]) -> None:
    run([])
    assert "..." not in capsys.readouterr().err.partition("On one machine:")[2]


def test_the_command_alone_shows_its_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert run([]) == 2
    assert "On one machine:" in capsys.readouterr().err
