"""The bar, on a terminal that is none but for its name."""

import io
import re
import sys
from collections.abc import Callable

import pytest

from gridmill import logs
from gridmill.answers import Status
from gridmill.cli.bar import Bar
from gridmill.settings import Settings


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True

    @property
    def lines(self) -> list[str]:
        """What was written, without the codes that move the cursor or colour the text."""
        return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", self.getvalue()).replace("\r", "\n").split("\n")


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Callable[[], Terminal]:
    """``terminal()``: make standard error a terminal of 80 columns, from here on (pytest has its own until then)."""

    def make() -> Terminal:
        stream = Terminal()
        monkeypatch.setenv("TERM", "xterm")
        monkeypatch.setenv("COLUMNS", "80")
        monkeypatch.setattr(sys, "stderr", stream)
        return stream

    return make


@pytest.fixture
def settings() -> Settings:
    return Settings.load(log_format="console", log_level="warning")


def test_the_bar_shows_the_reading(terminal: Callable[[], Terminal], settings: Settings) -> None:
    stream = terminal()
    with Bar(settings) as bar:
        bar.show(1_234_567, 1_300_000, 12_345_678, None)
    last = [line for line in stream.lines if line.strip()][-1]
    assert "1,234,567 of 12,345,678 records  0/s  65.4k in flight" in last
    assert last.startswith("━━╺━")
    assert len(last.rstrip()) <= 80 - len("^C") - 1


def test_below_the_bar_is_what_the_answers_are_so_far(terminal: Callable[[], Terminal], settings: Settings) -> None:
    stream = terminal()
    with Bar(settings) as bar:
        bar.show(40, 40, 40, None, {"unique": 30, "clash": 6, "none": 4})
    *_, line, below = [line.rstrip() for line in stream.lines if line.strip()]
    assert line.endswith("40 of 40 records  0/s")
    assert below == "6 clash  4 none  30 unique"


def test_a_narrow_terminal_loses_words_before_the_bar(
    terminal: Callable[[], Terminal], settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    stream = terminal()
    monkeypatch.setenv("COLUMNS", "50")
    counts = {status.value: 1234 for status in Status}
    with Bar(settings) as bar:
        bar.show(1_234_567, 1_300_000, 12_345_678, None, counts)
    *_, line, below = [line.rstrip() for line in stream.lines if line.strip()]
    assert line[0] in "╸━"
    assert line.endswith("1,234,567 of 12,345,678 records  0/s")
    assert below == "1,234 failed  1,234 malformed  1,234 undecided"
    assert max(map(len, stream.lines)) <= 50 - len("^C") - 1


def test_a_log_line_stands_above_the_bar(terminal: Callable[[], Terminal], settings: Settings) -> None:
    stream = terminal()
    with Bar(settings) as bar:
        bar.show(10, 40, 40, None)
        logs.get("test").warning("something happened", piece="3:0:50")
    assert [line for line in stream.lines if "something happened" in line and "━" not in line]


def test_a_worker_s_log_line_stands_above_the_bar(terminal: Callable[[], Terminal], settings: Settings) -> None:
    stream = terminal()
    with Bar(settings) as bar:
        bar.show(10, 40, 40, None)
        bar.tell("a worker said [this]")
    assert "a worker said [this]" in stream.lines


def test_no_color_means_none(
    terminal: Callable[[], Terminal], settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    stream = terminal()
    with Bar(settings) as bar:
        bar.show(10, 40, 40, None)
        logs.get("test").warning("something happened")
    assert re.findall(r"\x1b\[[0-9;]*(?:3|4|9|10)[0-7][0-9;]*m", stream.getvalue()) == []


def test_colours_are_there_otherwise(terminal: Callable[[], Terminal], settings: Settings) -> None:
    stream = terminal()
    with Bar(settings) as bar:
        bar.show(10, 40, 40, None)
    assert re.search(r"\x1b\[[0-9;]*m", stream.getvalue())


def test_what_ctrl_c_leaves_behind_the_bar_stays_on_its_line(
    terminal: Callable[[], Terminal], settings: Settings
) -> None:
    stream = terminal()
    with Bar(settings) as bar:
        bar.show(10, 40, 40, None)
    assert max(len(line) for line in stream.lines) <= 80 - len("^C") - 1


@pytest.mark.parametrize("is_begun", [False, True])
def test_it_stays_at_the_end_if_it_has_shown_anything(
    terminal: Callable[[], Terminal], settings: Settings, is_begun: bool
) -> None:
    erased = "\x1b[2K"
    stream = terminal()
    with Bar(settings) as bar:
        if is_begun:
            bar.show(10, 40, 40, None)
    shown, found = ("10 of 40" if is_begun else "starting"), stream.getvalue()
    assert (found.rindex(shown) > found.rfind(erased)) == is_begun


def test_lines_for_standard_output_go_above_the_bar_on_a_terminal_and_nowhere_else(
    terminal: Callable[[], Terminal], settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    stream = terminal()
    for out, shown in ((stream, 1), (io.StringIO(), 0)):
        monkeypatch.setattr(sys, "stdout", out)
        before = stream.lines.count("a.csv:3: [bold] is as it is")
        with Bar(settings) as bar:
            bar.show(40, 40, 40, None)
            bar.out("a.csv:3: [bold] is as it is")
        assert stream.lines.count("a.csv:3: [bold] is as it is") - before == shown
    assert out.getvalue() == "a.csv:3: [bold] is as it is\n"
