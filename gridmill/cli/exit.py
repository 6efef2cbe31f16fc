"""Exit codes, and how a command's end becomes one. No error of Gridmill's own ever shows a traceback."""

import functools
import logging
import os
import signal
import sys
import traceback
from collections.abc import Callable

import click

from gridmill import errors

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


def guarded(command: Callable[..., int | None]) -> Callable[..., None]:
    """Run ``command`` and exit with the code that it returns, or that its error stands for."""

    @functools.wraps(command)
    def run(*args: object, **kwargs: object) -> None:
        try:
            code = command(*args, **kwargs) or DONE
            sys.stdout.flush()  # here, where it can still be said that nobody reads it
        except errors.GridmillError as error:
            code = _explained(error)
        except BrokenPipeError:
            code = _unread()
        except OSError as error:  # a full disk, a folder that is closed to us: no fault of Gridmill's
            code = _refused(error)
        except KeyboardInterrupt:  # before or after the time in which a run listens for it
            print(file=sys.stderr)  # behind the ^C that a terminal shows
            complain("stopped")
            code = SIGNALLED + signal.SIGINT
        except Exception:
            traceback.print_exc()
            complain("this is a fault in Gridmill; what was written stays valid")
            code = INCOMPLETE
        raise click.exceptions.Exit(code)

    return run


def _explained(error: errors.GridmillError) -> int:
    code = code_of(error)
    if code == SIGNALLED + signal.SIGPIPE:
        return _unread()
    if logging.getLogger().isEnabledFor(logging.DEBUG):
        traceback.print_exception(error)
    complain(error)
    return code


def _refused(error: OSError) -> int:
    """What the system refused, in one line, since no traceback would help whoever reads it."""
    if logging.getLogger().isEnabledFor(logging.DEBUG):
        traceback.print_exception(error)
    where = f" {error.filename!r}" if error.filename else ""
    complain(f"the system refused{where}: {error.strerror or error}")
    _discard()
    return INCOMPLETE


def _discard() -> None:
    """Let standard output take, to no effect, what is still in its buffer."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _unread() -> int:
    """Nobody reads standard output any more, as in ``gridmill … | head``: that is no fault, so say nothing."""
    _discard()
    return SIGNALLED + signal.SIGPIPE
