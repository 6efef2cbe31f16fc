"""Logs: one form for everything that the process says, on standard error.

What Gridmill logs through structlog and what Celery and the libraries log through the standard library go through the
same chain of processors to one handler: coloured lines on a terminal, one JSON object a line elsewhere.

    log = logs.get("collector")
    with logs.about(job=job, piece=str(piece)):     # on every line logged inside, whoever logs it
        log.info("rejected", reason="row 3 has no 7")

Ids, file names and worker names come from outside, so what could steer a terminal or forge a line is made visible.
"""

import logging
import os
import re
import sys
from collections.abc import Callable, MutableMapping
from typing import Any, TextIO

import structlog
from structlog.contextvars import bound_contextvars as about
from structlog.typing import Processor

from gridmill.settings import Settings

__all__ = ["about", "configure", "get", "visible"]

_SHOWN_AS_THEY_ARE = "\t\n"  # of what is no printable sign
_LOGIN = re.compile(r"(?<=://)\S*@")  # as much as may be one: who forgets to write %40 for @ has a password too
_LEAST = {  # of loggers that talk about themselves, or say of every piece what our own line says better
    **dict.fromkeys(("amqp", "asyncio", "celery.utils.functional", "kombu"), logging.INFO),
    **dict.fromkeys(("celery.app.trace", "celery.worker.consumer.consumer", "celery.worker.strategy"), logging.WARNING),
}
# Celery warns, each time a connection is lost, that a setting which we set on purpose has the value that we set.
_MEANT = "worker_cancel_long_running_tasks_on_connection_loss"
_POOL = "multiprocessing"  # billiard's too, Celery's pool: that a child died. It passes nothing on, and has no handler
# What they call an error and the worker mends by itself, by how it begins: another child is started for one that died,
# and a server that is away is asked again.
_MENDED = {
    _POOL: "Process %r pid:%r exited with ",
    "celery.worker.consumer.consumer": "consumer: Cannot connect to ",
}
_LOST = (
    "WorkerLostError"  # of a child that died, with where in the pool that was seen: the worker says whose piece it had
)


def get(name: str) -> Any:
    """The logger of a part of Gridmill; ``.info("what happened", key=value)``."""
    return structlog.stdlib.get_logger(f"gridmill.{name}")


def visible(text: str) -> str:
    r"""``text`` with every sign that is not printable as an escape (what steers a terminal, turns the direction of
    writing, has no width, or was no UTF-8), continued lines indented, and no password in a URL."""
    escaped = "".join(map(_escaped, text.rstrip()))
    return _LOGIN.sub("***@", escaped).replace("\n", "\n    ")


def _escaped(sign: str) -> str:
    return sign if sign.isprintable() or sign in _SHOWN_AS_THEY_ARE else sign.encode("unicode_escape").decode()


def configure(settings: Settings, stream: TextIO | None = None) -> None:
    """Send all logs of this process to ``stream`` (standard error), in the form and from the level that are set."""
    stream = stream or sys.stderr
    terminal = stream.isatty()
    console = settings.log_format == "console" or (settings.log_format == "auto" and terminal)
    colors = terminal and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *_shared(),
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
    )
    _install(_handler(stream, _console(colors) if console else [structlog.processors.JSONRenderer()]), settings)


def as_library() -> None:
    """Send what is logged to the standard library's loggers, ``gridmill`` and below, as is right in another's program;
    one that has configured structlog gets it there."""
    if not structlog.is_configured():
        structlog.configure(
            processors=[
                structlog.stdlib.filter_by_level,
                structlog.contextvars.merge_contextvars,
                structlog.processors.format_exc_info,
                _neutralise,
                structlog.processors.LogfmtRenderer(key_order=["event"]),
            ],
            logger_factory=structlog.stdlib.LoggerFactory(),
            wrapper_class=structlog.stdlib.BoundLogger,
        )


def _shared() -> list[Processor]:
    """What happens to every line before its form is chosen."""
    return [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_logger_name,
        structlog.stdlib.add_log_level,
        structlog.stdlib.PositionalArgumentsFormatter(),
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.format_exc_info,
        _neutralise,
    ]


def _neutralise(_: Any, __: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """A structlog processor: make every text of the line `visible`. Names starting with ``_`` are structlog's own."""
    for key, value in event.items():
        if not key.startswith("_") and not isinstance(value, (int, float, bool, type(None))):
            event[key] = visible(value if isinstance(value, str) else repr(value))
    return event


def _console(colors: bool) -> list[Processor]:
    plain: Callable[..., None] = structlog.dev.plain_traceback
    return [structlog.dev.ConsoleRenderer(colors=colors, pad_event_to=0, exception_formatter=plain)]


def _handler(stream: TextIO, renderer: list[Processor]) -> logging.Handler:
    handler = logging.StreamHandler(stream)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=_shared(),
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *renderer],
        )
    )
    return handler


def _install(handler: logging.Handler, settings: Settings) -> None:
    """Make ``handler`` the only one, also of the loggers that a library may have given one of their own."""
    level = settings.log_level.upper()
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level)
    for name in ("celery", "celery.task", "celery.redirected"):
        logging.getLogger(name).handlers.clear()
    pool = logging.getLogger(_POOL)
    pool.handlers[:], pool.propagate = [handler], False
    for name, least in _LEAST.items():
        logging.getLogger(name).setLevel(max(root.level, least))
    for name in _MENDED:
        logging.getLogger(name).addFilter(_lowered)
    logging.getLogger("celery.worker.request").addFilter(_not_lost)
    logging.captureWarnings(True)
    logging.getLogger("py.warnings").addFilter(_not_meant)


def _not_meant(record: logging.LogRecord) -> bool:
    return _MEANT not in record.getMessage()


def _not_lost(record: logging.LogRecord) -> bool:
    return _LOST not in record.getMessage()


def _lowered(record: logging.LogRecord) -> bool:
    """Make a warning of what is `_MENDED`; whether it is to be logged as that."""
    if str(record.msg).startswith(_MENDED[record.name]):
        record.levelno, record.levelname = logging.WARNING, logging.getLevelName(logging.WARNING)
    return logging.getLogger(record.name).isEnabledFor(record.levelno)
