"""The nursery: how a worker's main process comes to be.

As a new interpreter, which takes as long to start as all else of a short run. So a command that does nothing else can
have its first worker forked ahead: while it looks at its input and starts its server, the worker imports what it needs
besides, and then waits for its settings. Each later one is a new interpreter.
"""

import contextlib
import gc
import json
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import IO, NamedTuple

from gridmill import fork, heap
from gridmill.fork import Process
from gridmill.lean import NEEDLESS, without
from worker import leash

MAIN = Path(__file__).with_name("__main__.py")
PROGRAM = (sys.executable, "-P", "-m", "worker")  # and the descriptor for its signs of life


@dataclass
class Worker:
    """A worker's main ``process``, which leads a session of its own, with our ends of its pipes.

    It ends when ``leash`` is closed, as it is when this process is gone, however that came about. Its processes give
    signs of life on ``signs``, which does not block. ``said`` is what they log, where it does not go to standard error.
    """

    process: Process
    leash: int
    signs: int
    said: IO[bytes] | None

    def close(self) -> None:
        """Close leash and signs; what is said may go on until the last process has ended."""
        os.close(self.leash)
        os.close(self.signs)


class Nursery:
    """``ahead``: fork the first worker now, where that is possible. Close it when no worker is wanted any more."""

    def __init__(self, *, ahead: bool = False) -> None:
        self._waiting = _Waiting() if ahead and fork.is_possible() else None

    def bear(self, env: Mapping[str, str], *, told: bool) -> Worker:
        """A worker with the environment ``env``; ``told``: what it says is to be had."""
        waiting, self._waiting = self._waiting, None
        return waiting.begin(env, told=told) if waiting else _program(env, told=told)

    def close(self) -> None:
        """End what was forked and never wanted."""
        waiting, self._waiting = self._waiting, None
        if waiting:
            waiting.end()


class _Ends(NamedTuple):
    """Of a worker's pipes, ours or theirs."""

    leash: int
    signs: int
    said: int

    def close(self) -> None:
        for end in self:
            os.close(end)


def _pipes() -> tuple[_Ends, _Ends]:
    """Our ends and theirs."""
    (leash_out, leash_in), (signs_out, signs_in), (said_out, said_in) = os.pipe(), os.pipe(), os.pipe()
    for end in (signs_out, signs_in):
        os.set_blocking(end, False)  # nobody waits here, whoever is stopped
    return _Ends(leash_in, signs_out, said_out), _Ends(leash_out, signs_in, said_in)


def _born(process: Process, ours: _Ends, *, told: bool) -> Worker:
    said = os.fdopen(ours.said, "rb")
    if not told:
        said.close()
    return Worker(process, ours.leash, ours.signs, said if told else None)


def _program(env: Mapping[str, str], *, told: bool) -> Worker:
    ours, theirs = _pipes()
    try:
        process = subprocess.Popen(
            [*PROGRAM, str(theirs.signs)],
            env=env,
            stdin=theirs.leash,
            stdout=subprocess.DEVNULL,  # Celery prints "Warm shutdown" and the like among the lines of the log
            stderr=theirs.said if told else None,
            pass_fds=(theirs.signs,),
            start_new_session=True,
        )
    except BaseException:
        ours.close()
        raise
    finally:
        theirs.close()
    return _born(process, ours, told=told)


class _Waiting:
    """A worker that has no settings yet."""

    def __init__(self) -> None:
        import_module("gridmill.ledger")  # what the worker needs, and whoever forks it needs too
        self._ours, theirs = _pipes()
        letter, self._letter = os.pipe()
        null = os.open(os.devnull, os.O_WRONLY)
        try:
            self._process = fork.Fork(
                lambda: _wait(letter, theirs.signs, theirs.said),
                stdin=theirs.leash,
                stdout=null,
                kept=(letter, theirs.signs, theirs.said),
            )
        finally:
            theirs.close()
            os.close(letter)
            os.close(null)

    def begin(self, env: Mapping[str, str], *, told: bool) -> Worker:
        """Let it begin."""
        with contextlib.suppress(BrokenPipeError), open(self._letter, "w") as letter:  # it was killed: as later
            json.dump([dict(env), told], letter)
        return _born(self._process, self._ours, told=told)

    def end(self) -> None:
        """It is not wanted."""
        self._ours.close()  # the leash
        os.close(self._letter)
        self._process.wait()


def _wait(letter: int, signs: int, said: int) -> int:
    """What a worker does that was forked ahead."""
    leash.attach()
    gc.disable()  # as in a new interpreter, see `worker.__main__`
    with without(*NEEDLESS):
        from worker import life

        life.load()
    with open(letter) as stream:
        text = stream.read()
    if not text:
        return 0
    env, told = json.loads(text)
    os.environ.update(env)
    if told:
        os.dup2(said, 2)
    os.close(said)
    heap.keep()  # what the environment does for an interpreter that is started
    sys.argv = [str(MAIN), str(signs)]  # Celery starts that again where it is told to
    return life.run(signs)
