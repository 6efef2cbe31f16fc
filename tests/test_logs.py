"""Logs: one form for all, nothing in them that could steer a terminal."""

import io
import json
import logging
import subprocess
import sys
import warnings
from collections.abc import Iterator
from typing import Any

import billiard.util
import pytest
import structlog
from billiard.exceptions import WorkerLostError
from celery.worker.consumer.consumer import CONNECTION_ERROR

from gridmill import logs
from gridmill.settings import Settings


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def restored() -> Iterator[None]:
    """Put back what `logs.configure` changes for the whole process."""
    root, pool = logging.getLogger(), logging.getLogger("multiprocessing")
    handlers, level = list(root.handlers), root.level
    own, propagates = list(pool.handlers), pool.propagate
    yield
    root.handlers[:] = handlers
    pool.handlers[:], pool.propagate = own, propagates
    root.setLevel(level)
    logging.captureWarnings(False)
    structlog.reset_defaults()


def configured(stream: io.StringIO, **options: Any) -> io.StringIO:
    logs.configure(Settings.load(**options), stream)
    return stream


def lines(stream: io.StringIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in stream.getvalue().splitlines()]


def test_a_file_gets_one_json_object_a_line() -> None:
    stream = configured(io.StringIO())
    logs.get("collector").info("rejected", reason="clash", records=3)
    (line,) = lines(stream)
    assert (line["event"], line["reason"], line["records"]) == ("rejected", "clash", 3)
    assert (line["logger"], line["level"]) == ("gridmill.collector", "info")


def test_what_the_pool_says_of_a_dead_child_has_the_same_form() -> None:
    # Given the logger of Celery's pool, which passes nothing on to others
    stream = configured(io.StringIO())
    # When it says what it says of a child that was killed
    billiard.util.get_logger().error("Process %r pid:%r exited with %r", "ForkPoolWorker-1", 7, "signal 9 (SIGKILL)")
    # Then it is a warning, for another child is started
    (line,) = lines(stream)
    assert line["event"] == "Process 'ForkPoolWorker-1' pid:7 exited with 'signal 9 (SIGKILL)'"
    assert (line["logger"], line["level"]) == ("multiprocessing", "warning")


def test_a_server_that_is_asked_again_is_a_warning() -> None:
    stream = configured(io.StringIO())
    consumer = logging.getLogger("celery.worker.consumer.consumer")
    consumer.error(CONNECTION_ERROR, "redis://host", "refused", "Trying again")
    consumer.error("Unrecoverable error: %r", ValueError())
    assert [line["level"] for line in lines(stream)] == ["warning", "error"]


def test_where_errors_alone_are_wanted_nobody_hears_of_what_is_mended() -> None:
    # Given
    stream = configured(io.StringIO(), log_level="error")
    # When Celery says, as it does, of a child that was killed and of a server that is away
    billiard.util.get_logger().error("Process %r pid:%r exited with %r", "ForkPoolWorker-1", 7, "signal 9 (SIGKILL)")
    logging.getLogger("celery.worker.request").error("Task handler raised error: %r", WorkerLostError("killed"))
    logging.getLogger("celery.worker.consumer.consumer").error(CONNECTION_ERROR, "redis://host", "refused", "Trying")
    # and of what nobody mends
    logging.getLogger("celery.worker.request").error("Task handler raised error: %r", ValueError("a fault"))
    billiard.util.get_logger().error("Thread %r crashed: %r", "ResultHandler", ValueError())
    # Then
    first, second = lines(stream)
    assert first["event"] == "Task handler raised error: ValueError('a fault')"
    assert second["event"].startswith("Thread 'ResultHandler' crashed")


def test_a_terminal_gets_coloured_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    stream = configured(Terminal())
    logs.get("collector").info("rejected")
    assert "rejected" in stream.getvalue()
    assert "\x1b[" in stream.getvalue()


def test_no_color_is_honoured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("NO_COLOR", "1")
    stream = configured(Terminal())
    logs.get("collector").info("rejected", piece="0:0:9")
    assert "piece=0:0:9" in stream.getvalue()
    assert "\x1b" not in stream.getvalue()


def test_json_can_be_had_on_a_terminal() -> None:
    stream = configured(Terminal(), log_format="json")
    logs.get("collector").info("rejected")
    assert lines(stream)[0]["event"] == "rejected"


def test_text_can_be_had_in_a_file() -> None:
    stream = configured(io.StringIO(), log_format="console")
    logs.get("collector").info("rejected")
    assert "[info     ] rejected" in stream.getvalue()


def test_what_is_below_the_level_is_not_logged() -> None:
    stream = configured(io.StringIO(), log_level="warning")
    logs.get("collector").info("quiet")
    logging.getLogger("celery.worker").info("quiet")
    logs.get("collector").warning("loud")
    assert [line["event"] for line in lines(stream)] == ["loud"]


def test_lines_of_libraries_have_the_same_form() -> None:
    stream = configured(io.StringIO())
    logging.getLogger("celery.worker").warning("lost %s of %d", "one", 3)
    (line,) = lines(stream)
    assert (line["event"], line["logger"], line["level"]) == ("lost one of 3", "celery.worker", "warning")
    assert "timestamp" in line


def test_job_and_piece_are_on_every_line_of_whoever_logs() -> None:
    stream = configured(io.StringIO())
    with logs.about(job="j1", piece="0:0:9"):
        logs.get("worker").info("mine")
        logging.getLogger("celery.worker").info("theirs")
    logs.get("worker").info("after")
    assert [(line.get("job"), line.get("piece")) for line in lines(stream)] == [("j1", "0:0:9")] * 2 + [(None, None)]


def test_configuring_twice_does_not_double_the_lines() -> None:
    configured(io.StringIO())
    stream = configured(io.StringIO())
    logs.get("worker").info("once")
    assert len(lines(stream)) == 1


def test_a_handler_that_a_library_has_of_its_own_is_removed() -> None:
    theirs = io.StringIO()
    logging.getLogger("celery").addHandler(logging.StreamHandler(theirs))
    configured(io.StringIO())
    logging.getLogger("celery").warning("once")
    assert theirs.getvalue() == ""


def test_a_warning_becomes_a_line() -> None:
    stream = configured(io.StringIO())
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        logging.captureWarnings(True)
        warnings.warn("careful", stacklevel=1)
    (line,) = lines(stream)
    assert line["logger"] == "py.warnings"
    assert "careful" in line["event"]


def test_celery_does_not_warn_of_a_setting_that_is_meant() -> None:
    stream = configured(io.StringIO())
    logging.getLogger("py.warnings").warning("worker_cancel_long_running_tasks_on_connection_loss will change")
    assert lines(stream) == []


@pytest.mark.parametrize("name", ["celery.worker.strategy", "celery.app.trace"])
def test_celery_s_two_lines_about_every_message_are_left_out_but_not_its_warnings(name: str) -> None:
    stream = configured(io.StringIO())
    logging.getLogger(name).info("Task gridmill.piece[…] received")
    logging.getLogger(name).warning("something is wrong")
    assert [line["event"] for line in lines(stream)] == ["something is wrong"]


def test_a_value_with_blanks_is_one_word_on_the_console() -> None:
    stream = configured(io.StringIO(), log_format="console")
    logs.get("worker").info("what", reason="row 3 has no 7", empty="", piece="0:0:9")
    assert "reason='row 3 has no 7'" in stream.getvalue()


@pytest.mark.parametrize("form", ["json", "console"])
@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\x1b[2Jb", r"a\x1b[2Jb"),
        ("a\x9b2Jb", r"a\x9b2Jb"),
        ("a\rb", r"a\rb"),
        ("a\x00\x07\x7fb", r"a\x00\x07\x7fb"),
        ("a\u202eb", r"a\u202eb"),
    ],
)
def test_steering_characters_are_shown_and_not_sent(form: str, text: str, shown: str) -> None:
    stream = configured(io.StringIO(), log_format=form)
    logs.get("worker").info("what", name=text)
    logging.getLogger("celery").info(text)
    mine, theirs = stream.getvalue().replace("\\\\", "\\").splitlines()
    assert shown in mine
    assert shown in theirs


def test_a_text_with_a_newline_cannot_pass_for_another_line() -> None:
    stream = configured(io.StringIO(), log_format="console")
    logging.getLogger("celery").info("name\n2026-01-01 [error] forged")
    first, second = stream.getvalue().splitlines()
    assert first.endswith("name")
    assert second.startswith("    2026-01-01")


@pytest.mark.parametrize("form", ["json", "console"])
def test_an_exception_comes_with_its_traceback_and_without_escapes(form: str) -> None:
    stream = configured(io.StringIO(), log_format=form)
    try:
        raise ValueError("\x1b[31mred")
    except ValueError:
        logs.get("worker").exception("failed")
    assert "Traceback" in stream.getvalue()
    assert r"\x1b[31mred" in stream.getvalue().replace("\\\\", "\\")
    assert "\x1b" not in stream.getvalue()


@pytest.mark.parametrize("password", ["secret", "sec@secret", "sec/secret"])
def test_the_password_of_an_address_is_left_out(password: str) -> None:
    stream = configured(io.StringIO())
    logging.getLogger("celery").info(f"Connected to redis://:{password}@host:6379/0")
    assert lines(stream)[0]["event"] == "Connected to redis://***@host:6379/0"


def test_a_value_that_is_not_text_is_shown_as_python_writes_it() -> None:
    stream = configured(io.StringIO())
    logs.get("worker").info("got", reply=b"\x1b", nothing=None, share=0.5)
    (line,) = lines(stream)
    assert (line["reply"], line["nothing"], line["share"]) == (r"b'\x1b'", None, 0.5)


def test_lines_go_to_standard_error(capsys: pytest.CaptureFixture[str]) -> None:
    logs.configure(Settings.load())
    logs.get("worker").info("here")
    captured = capsys.readouterr()
    assert captured.out == ""
    assert json.loads(captured.err)["event"] == "here"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\u200bb", "a\\u200bb"),  # no width
        ("a\u2028b", "a\\u2028b"),  # a line end for some terminals
        ("\ufeffa", "\\ufeffa"),
        ("a\U000e0041", "a\\U000e0041"),  # an invisible letter
        ("a\udcffb", "a\\udcffb"),  # a byte of a file's name that is no UTF-8: no stream could be given it
        ("Zürich 数独", "Zürich 数独"),
    ],
)
def test_what_cannot_be_seen_is_made_visible(text: str, shown: str) -> None:
    assert logs.visible(text) == shown


def printed_by(program: str) -> tuple[str, str]:
    """What a program prints to standard output and standard error."""
    command = [sys.executable, "-P", "-c", program]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=30, check=True)
    return ended.stdout, ended.stderr


def test_in_anothers_program_lines_go_to_the_loggers_of_the_standard_library() -> None:
    log = "logs.get('mill').warning('server lost', job='j', reason='a b')"

    out, err = printed_by(f"from gridmill import logs; logs.as_library(); {log}")

    assert (out, err) == ("", 'event="server lost" job=j reason="a b"\n')


def test_a_program_that_has_configured_structlog_gets_lines_as_it_wants_them() -> None:
    configure = "structlog.configure(processors=[structlog.processors.JSONRenderer()])"

    out, _ = printed_by(
        f"import structlog; from gridmill import logs; {configure}; logs.as_library(); logs.get('mill').warning('lost')"
    )

    assert out == '{"event": "lost"}\n'
