"""Every end of a command has its exit code."""

import logging
import os
import resource
import threading
from collections.abc import Callable

import click
import pytest

from gridmill import errors
from gridmill.cli.exit import code_of, complain, guarded


def ended(command: Callable[..., int | None]) -> int:
    with pytest.raises(click.exceptions.Exit) as caught:
        guarded(command)()
    return caught.value.exit_code


def raising(error: BaseException) -> Callable[..., int]:
    def command() -> int:
        raise error

    return command


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (errors.SettingsError("-"), 2),
        (errors.FormatError("-"), 2),
        (errors.BoardError("-"), 2),
        (errors.KernelError("-"), 2),
        (errors.UnknownJob("-"), 2),
        (errors.JobEnded("-"), 2),
        (errors.InputChanged("-"), 2),
        (errors.OutputRefused("-"), 2),
        (errors.Incomplete("-"), 3),
        (errors.Fenced("-"), 3),
        (errors.JobError("-"), 3),
        (errors.OutputError("-"), 3),
        (errors.BrokerError("-"), 3),
        (errors.BrokerLost("-"), 3),
        (errors.WireError("-"), 3),
        (errors.Stopped("-", signal=2), 130),
        (errors.Stopped("-", signal=15), 143),
    ],
)
def test_each_error_has_its_code(error: errors.GridmillError, code: int) -> None:
    assert code_of(error) == code


def test_an_output_that_nobody_reads_is_a_broken_pipe_and_not_a_fault(capfd: pytest.CaptureFixture[str]) -> None:
    error = errors.OutputError("cannot write")
    error.__cause__ = BrokenPipeError()
    assert code_of(error) == 141


def test_what_a_command_returns_is_the_code() -> None:
    assert ended(lambda: 1) == 1


def test_a_command_that_returns_nothing_is_done() -> None:
    assert ended(lambda: None) == 0


def test_an_error_is_one_line_and_no_traceback(capsys: pytest.CaptureFixture[str]) -> None:
    ended(raising(errors.SettingsError("there is no such thing")))
    assert capsys.readouterr() == ("", "gridmill: there is no such thing\n")


def test_debug_logs_add_the_traceback(capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        ended(raising(errors.SettingsError("there is no such thing")))
    said = capsys.readouterr().err
    assert said.startswith("Traceback")
    assert said.endswith("gridmill: there is no such thing\n")


def test_a_fault_of_ours_shows_the_traceback_and_is_incomplete(capsys: pytest.CaptureFixture[str]) -> None:
    assert ended(raising(KeyError("oops"))) == 3
    said = capsys.readouterr().err
    assert "KeyError: 'oops'" in said
    assert "a fault in Gridmill" in said


def test_ctrl_c_outside_of_a_run_says_a_word(capsys: pytest.CaptureFixture[str]) -> None:
    assert ended(raising(KeyboardInterrupt())) == 130
    assert capsys.readouterr() == ("", "\ngridmill: stopped\n")


def test_a_file_name_cannot_steer_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    complain("no file \x1b[2J")
    assert capsys.readouterr().err == "gridmill: no file \\x1b[2J\n"


def test_what_the_system_refuses_is_said_in_a_line_without_a_traceback(capfd: pytest.CaptureFixture[str]) -> None:
    assert ended(raising(OSError(28, "No space left on device", "there"))) == 3
    assert capfd.readouterr().err == "gridmill: the system refused 'there': No space left on device\n"


def test_a_file_too_many_is_refused_with_what_to_raise(capfd: pytest.CaptureFixture[str]) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)

    def open_one() -> None:
        resource.setrlimit(resource.RLIMIT_NOFILE, (0, hard))
        try:
            os.open(os.devnull, os.O_RDONLY)
        finally:
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))

    assert ended(open_one) == 3
    said = "Too many open files; raise the limit of them (ulimit -n)"
    assert capfd.readouterr().err == f"gridmill: the system refused '{os.devnull}': {said}\n"


def test_a_thread_that_the_system_refuses_is_no_fault(capfd: pytest.CaptureFixture[str]) -> None:
    previous = threading.stack_size(1 << 47)  # bytes: no machine has so many addresses
    try:
        code = ended(lambda: threading.Thread(target=int).start())
    finally:
        threading.stack_size(previous)
    assert code == 3
    assert capfd.readouterr().err.startswith("gridmill: the system refused: a thread; raise the limit")
