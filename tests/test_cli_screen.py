"""What is shown on standard error."""

import io
import sys
from collections.abc import Callable

import pytest

from gridmill.cli.bar import Bar
from gridmill.cli.screen import Screen, open_screen
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


def test_elsewhere_a_line_comes_now_and_then(capsys: pytest.CaptureFixture[str]) -> None:
    with Screen(period=0) as screen:
        screen.show(10, 40, 40, None)
    assert capsys.readouterr() == ("", "gridmill: 10 of 40 records, 0/s, 30 in flight\n")


def test_a_line_has_the_statuses_so_far_and_fits_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    counts = {"unique": 1_234_000, "multiple": 560, "failed": 7}
    with Screen(period=0) as screen:
        screen.show(1_234_567, 1_300_000, 12_345_678, None, counts)
    line = capsys.readouterr().err
    assert line == "gridmill: 1,234,567 of 12,345,678 records, 0/s, 65.4k in flight, 7 failed\n"
    assert len(line) <= 80


def test_a_short_run_has_no_lines(capsys: pytest.CaptureFixture[str]) -> None:
    with Screen() as screen:
        screen.show(10, 40, 40, None)
    assert capsys.readouterr() == ("", "")


def test_quiet_is_quiet(capsys: pytest.CaptureFixture[str]) -> None:
    with open_screen(Settings.load(), quiet=True) as screen:
        screen.say("hello")
        screen.show(10, 40, 40, None)
        screen.summary([("records read", "40")], {})
    assert capsys.readouterr() == ("", "")


def test_the_summary_goes_to_standard_error(capsys: pytest.CaptureFixture[str]) -> None:
    Screen().summary([("records read", "40")], {})
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
