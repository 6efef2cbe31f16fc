"""Help in panels, and what is said about words that cannot be used."""

import click
import pytest
from click.testing import CliRunner

from gridmill.cli import app, run
from gridmill.cli.panels import Argument, Command, Option


def help_of(*parameters: click.Parameter) -> str:
    command = Command("do", params=list(parameters), epilog="Examples:\n  do it")
    return CliRunner().invoke(command, ["--help"], terminal_width=80).stdout


def test_options_stand_in_their_panels_and_these_in_the_same_order_in_every_command() -> None:
    panels = {"--rare": "Advanced settings", "--server": "Settings", "--own": "Options", "--out": "Output"}
    text = help_of(*(Option([name], panel=panel, metavar="WORD") for name, panel in panels.items()))
    places = ["Output:", "--out WORD", "Options:", "--own WORD", "--help", "Settings:", "--server WORD"]
    places += ["Advanced settings:", "--rare WORD", "Examples:\n  do it"]
    assert [text.index(f" {place}" if place.startswith("--") else f"\n{place}") for place in places] == sorted(
        text.index(f" {place}" if place.startswith("--") else f"\n{place}") for place in places
    )


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
