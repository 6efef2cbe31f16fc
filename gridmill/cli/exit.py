"""Exit codes, and how a command's end becomes one. No error of Gridmill's own ever shows a traceback."""

import contextlib
import errno
import functools
import logging
import os
import signal
import sys
import traceback
from collections.abc import Callable
from typing import Any, Protocol

import click

from gridmill import errors
from gridmill.cli.interrupt import signal_of

DONE = 0  # every record is decided
FOUND = 1  # --strict: a record that is neither unique nor solved; verify: a fault
USAGE = 2  # an option, a setting, a job or an input that cannot be used
INCOMPLETE = 3  # records that are missing, failed or undecided; an output that cannot be written; a broker that is lost
SIGNALLED = 128  # plus the signal's number: 130 Ctrl-C, 143 SIGTERM, 141 when nobody reads the output any more

_USAGE = (
    errors.BoardError,
    errors.FormatError,
    errors.SettingsError,
    errors.KernelError,
    errors.UnknownJob,
    errors.JobEnded,
    errors.InputChanged,
    errors.OutputRefused,
)


def code_of(error: errors.GridmillError) -> int:
    """The exit code that ``error`` ends a command with."""
    if isinstance(error, errors.Stopped):
        return SIGNALLED + error.signal
    if isinstance(error.__cause__, BrokenPipeError) and isinstance(error, errors.OutputError):
        return SIGNALLED + signal.SIGPIPE
    return USAGE if isinstance(error, _USAGE) else INCOMPLETE


def complain(text: object) -> None:
    """One message to whoever started the command, on standard error."""
    from gridmill.logs import visible

    print(f"gridmill: {visible(str(text))}", file=sys.stderr)


class Voice(Protocol):
    """Says how a command ended."""

    def complain(self, text: object) -> None:
        """Why it ended before its end."""

    def interrupted(self) -> None:
        """That Ctrl-C or SIGTERM ended it."""

    def trace(self, error: BaseException) -> None:
        """Where an error came from."""

    def end(self, code: int) -> None:
        """That this was all; ``code`` is the exit code."""


# Python has no type of its own for that the system gave no thread, only these words.
_OF_THREADS = "can't start new thread"
_NO_THREAD = "a thread; raise the limit of processes or of memory (ulimit -a, or the container's)"


class Words:
    """A `Voice` for people."""

    def complain(self, text: object) -> None:
        """See `Voice`."""
        complain(text)

    def interrupted(self) -> None:
        """See `Voice`."""
        print(file=sys.stderr)  # behind the ^C that a terminal shows
        complain("stopped")

    def trace(self, error: BaseException) -> None:
        """See `Voice`."""
        traceback.print_exception(error)

    def end(self, code: int) -> None:
        """See `Voice`; who started the command sees it."""


def guarded(command: Callable[..., int | None]) -> Callable[..., None]:
    """Run ``command`` and exit with the code that it returns, or that its error stands for.

    An argument ``ticker`` of the command's, where there is one, is the `Voice` that says so.
    """

    @functools.wraps(command)
    def run(*args: Any, **kwargs: Any) -> None:
        voice: Voice = kwargs.get("ticker") or Words()
        try:
            code = command(*args, **kwargs) or DONE
            sys.stdout.flush()  # here, where it can still be said that nobody reads it
        except errors.GridmillError as error:
            code = _explained(error, voice)
        except BrokenPipeError:
            code = _unread()
        except OSError as error:  # a full disk, a folder that is closed to us: no fault of Gridmill's
            code = _refused(error, voice)
        except RuntimeError as error:
            code = _refused(OSError(_NO_THREAD), voice) if str(error) == _OF_THREADS else _fault(error, voice)
        except KeyboardInterrupt as stopped:  # before or after the time in which a run listens for it
            voice.interrupted()
            code = SIGNALLED + signal_of(stopped)
        except Exception as error:
            code = _fault(error, voice)
        voice.end(code)
        raise click.exceptions.Exit(code)

    return run


def _explained(error: errors.GridmillError, voice: Voice) -> int:
    code = code_of(error)
    if code == SIGNALLED + signal.SIGPIPE:
        return _unread()
    if logging.getLogger().isEnabledFor(logging.DEBUG):
        voice.trace(error)
    voice.complain(error)
    return code


def _fault(error: Exception, voice: Voice) -> int:
    voice.trace(error)
    voice.complain("this is a fault in Gridmill; what was written stays valid")
    return INCOMPLETE


def _refused(error: OSError, voice: Voice) -> int:
    """What the system refused, in one line, since no traceback would help whoever reads it."""
    if logging.getLogger().isEnabledFor(logging.DEBUG):
        voice.trace(error)
    where = f" {error.filename!r}" if error.filename else ""
    remedy = "; raise the limit of them (ulimit -n)" if error.errno == errno.EMFILE else ""
    voice.complain(f"the system refused{where}: {error.strerror or error}{remedy}")
    _discard()
    return INCOMPLETE


def _discard() -> None:
    """Let standard output take, to no effect, what is still in its buffer."""
    with contextlib.suppress(OSError):  # no descriptor is free: then it is refused once more
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _unread() -> int:
    """Nobody reads standard output any more, as in ``gridmill … | head``: that is no fault, so say nothing."""
    _discard()
    return SIGNALLED + signal.SIGPIPE
