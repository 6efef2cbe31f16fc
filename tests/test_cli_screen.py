"""What is shown on standard error."""

import io
import sys
from collections.abc import Callable

import pytest

from gridmill.cli.bar import Bar
from gridmill.cli.meter import Reading
from gridmill.cli.screen import Screen, open_screen, parts
from gridmill.settings import Settings


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Callable[[], Terminal]:
    """``terminal()``: make standard error a terminal, from here on (pytest has its own until then)."""

    def make() -> Terminal:
        stream = Terminal()
        monkeypatch.setenv("TERM", "xterm")
        monkeypatch.setattr(sys, "stderr", stream)
        return stream

    return make


def test_a_reading_in_words() -> None:
    reading = Reading(done=1200, total=9600, exact=True, rate=700, in_flight=800)
    assert parts(reading) == ["1,200 of 9,600 records", "700/s", "12 s left", "800 in flight"]


def test_an_estimate_says_that_it_is_one() -> None:
    assert parts(Reading(done=12, total=96, exact=False, rate=7, in_flight=0))[0] == "12 of ~96 records"


def test_what_is_not_known_is_not_said() -> None:
    assert parts(Reading(done=12, total=None, exact=False, rate=7, in_flight=0)) == ["12 records", "7/s"]


def test_elsewhere_a_line_comes_now_and_then(capsys: pytest.CaptureFixture[str]) -> None:
    with Screen(period=0) as screen:
        screen.show(10, 40, 40, None)
    assert capsys.readouterr() == ("", "gridmill: 10 of 40 records, 0/s, 30 in flight\n")


def test_a_short_run_has_no_lines(capsys: pytest.CaptureFixture[str]) -> None:
    with Screen() as screen:
        screen.show(10, 40, 40, None)
    assert capsys.readouterr() == ("", "")


def test_quiet_is_quiet(capsys: pytest.CaptureFixture[str]) -> None:
    with open_screen(Settings.load(), quiet=True) as screen:
        screen.say("hello")
        screen.show(10, 40, 40, None)
        screen.summary([("records read", "40")])
    assert capsys.readouterr() == ("", "")


def test_the_summary_goes_to_standard_error(capsys: pytest.CaptureFixture[str]) -> None:
    Screen().summary([("records read", "40")])
    assert capsys.readouterr() == ("", "records read  40\n")


def test_a_terminal_gets_a_bar(terminal: Callable[[], Terminal]) -> None:
    terminal()
    assert isinstance(open_screen(Settings.load(), quiet=False), Bar)


def test_a_dumb_terminal_gets_none(terminal: Callable[[], Terminal], monkeypatch: pytest.MonkeyPatch) -> None:
    terminal()
    monkeypatch.setenv("TERM", "dumb")
    assert not isinstance(open_screen(Settings.load(), quiet=False), Bar)


def test_answers_on_the_terminal_have_it_to_themselves(
    terminal: Callable[[], Terminal], monkeypatch: pytest.MonkeyPatch
) -> None:
    stream = terminal()
    monkeypatch.setattr(sys, "stdout", Terminal())
    with open_screen(Settings.load(), quiet=False, to_stdout=True) as screen:
        screen.show(10, 40, 40, None)
    assert stream.getvalue() == ""


def test_who_types_has_the_terminal_and_is_told_how_to_end(
    terminal: Callable[[], Terminal], monkeypatch: pytest.MonkeyPatch
) -> None:
    stream = terminal()
    with open_screen(Settings.load(), quiet=False, typed=True) as screen:
        screen.show(10, 40, 40, None)
    assert stream.getvalue() == "gridmill: reading from the terminal: one puzzle a line, Ctrl-D ends\n"
