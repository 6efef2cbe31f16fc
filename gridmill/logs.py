"""Logs: one form for everything that the process says, on standard error.

What Gridmill, Celery and the libraries log goes through one handler: coloured lines on a terminal, one JSON object a
line elsewhere.

    log = logs.get("collector")
    with logs.about(job=job, piece=str(piece)):     # on every line logged inside, whoever logs it
        log.info("rejected", reason="row 3 has no 7")

Ids, file names and worker names come from outside, so what could steer a terminal or forge a line is made visible. (By
the standard library alone: every process of a run logs, and a library for it takes 0.1 s to import.)
"""

import json
import logging
import os
import re
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TextIO

from gridmill.settings import Settings

# Control characters of both sets but tab and newline, and those that turn the direction of writing around.
_STEERING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
_LOGIN = re.compile(r"(?<=://)[^/@\s]*@")
_LEAST = {  # of loggers that talk about themselves, or say of every piece what our own line says better
    **dict.fromkeys(("amqp", "asyncio", "celery.utils.functional", "kombu"), logging.INFO),
    **dict.fromkeys(("celery.app.trace", "celery.worker.strategy"), logging.WARNING),
}
# Celery warns, each time a connection is lost, that a setting which we set on purpose has the value that we set.
_MEANT = "worker_cancel_long_running_tasks_on_connection_loss"
_COLORS = {"debug": "2", "info": "32", "warning": "33", "error": "31", "critical": "31"}  # as a terminal numbers them

_about: ContextVar[Mapping[str, object]] = ContextVar("about", default={})  # noqa: B039  # never changed in place


class Log:
    """What a part of Gridmill logs through; ``.info("what happened", key=value)``."""

    def __init__(self, name: str) -> None:
        self._logger = logging.getLogger(name)

    def debug(self, event: str, **fields: object) -> None:
        self.log(logging.DEBUG, event, **fields)

    def info(self, event: str, **fields: object) -> None:
        self.log(logging.INFO, event, **fields)

    def warning(self, event: str, **fields: object) -> None:
        self.log(logging.WARNING, event, **fields)

    def error(self, event: str, **fields: object) -> None:
        self.log(logging.ERROR, event, **fields)

    def exception(self, event: str, **fields: object) -> None:
        """An error, with the traceback of the exception that is being handled."""
        self._logger.error(event, extra={"fields": fields}, exc_info=True)

    def log(self, level: int, event: str, **fields: object) -> None:
        self._logger.log(level, event, extra={"fields": fields})


def get(name: str) -> Log:
    """The logger of a part of Gridmill."""
    return Log(f"gridmill.{name}")


@contextmanager
def about(**fields: object) -> Iterator[None]:
    """Put ``fields`` on every line that is logged inside."""
    token = _about.set({**_about.get(), **fields})
    try:
        yield
    finally:
        _about.reset(token)


def visible(text: str) -> str:
    r"""``text`` with steering characters as escapes, continued lines indented, and no password in a URL."""
    escaped = _STEERING.sub(lambda match: match[0].encode("unicode_escape").decode(), text.rstrip())
    return _LOGIN.sub("***@", escaped).replace("\n", "\n    ")


def described(record: logging.LogRecord) -> dict[str, object]:
    """A line as names and values: event, logger and level, the fields, and the exception if there is one."""
    fields = {**_about.get(), **getattr(record, "fields", {})}
    line = {"event": record.getMessage(), **fields, "logger": record.name, "level": record.levelname.lower()}
    if record.exc_info:
        line["exception"] = logging.Formatter().formatException(record.exc_info)
    return {name: _neutral(value) for name, value in line.items()}


def configure(settings: Settings, stream: TextIO | None = None) -> None:
    """Send all logs of this process to ``stream`` (standard error), in the form and from the level that are set."""
    stream = stream or sys.stderr
    terminal = stream.isatty()
    console = settings.log_format == "console" or (settings.log_format == "auto" and terminal)
    colors = terminal and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    handler = logging.StreamHandler(stream)
    handler.setFormatter(_Console(colors=colors) if console else _Json())
    _install(handler, settings)


class _Json(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        return json.dumps({**described(record), "timestamp": _timestamp(record)})


class _Console(logging.Formatter):
    def __init__(self, *, colors: bool) -> None:
        super().__init__()
        self._colors = colors

    def format(self, record: logging.LogRecord) -> str:
        line = described(record)
        event, logger, level, exception = (line.pop(name, "") for name in ("event", "logger", "level", "exception"))
        parts = [
            self._in("2", _timestamp(record)),
            f"[{self._in(_COLORS.get(str(level), '0'), f'{level:<9}')}]",
            self._in("1", f"{event}"),
            f"[{logger}]",
            *(f"{self._in('36', name)}={_word(value)}" for name, value in line.items()),
        ]
        return " ".join(parts) + (f"\n{exception}" if exception else "")

    def _in(self, color: str, text: str) -> str:
        return f"\x1b[{color}m{text}\x1b[0m" if self._colors else text


def _word(value: object) -> str:
    text = str(value)
    return repr(text) if not text or re.search(r"\s", text) else text


def _neutral(value: object) -> object:
    if isinstance(value, (int, float, bool, type(None))):
        return value
    return visible(value if isinstance(value, str) else repr(value))


def _timestamp(record: logging.LogRecord) -> str:
    """ISO 8601, in UTC, to the millisecond."""
    return f"{time.strftime('%Y-%m-%dT%H:%M:%S', time.gmtime(record.created))}.{int(record.msecs):03}Z"


def _install(handler: logging.Handler, settings: Settings) -> None:
    """Make ``handler`` the only one, also of the loggers that a library may have given one of their own."""
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(settings.log_level.upper())
    for name in ("celery", "celery.task", "celery.redirected"):
        logging.getLogger(name).handlers.clear()
    for name, least in _LEAST.items():
        logging.getLogger(name).setLevel(max(root.level, least))
    logging.captureWarnings(True)
    logging.getLogger("py.warnings").addFilter(_not_meant)


def _not_meant(record: logging.LogRecord) -> bool:
    return _MEANT not in record.getMessage()
