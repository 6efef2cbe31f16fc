"""Where verified rows go: a file that can be resumed, or a stream that cannot.

A file is written as ``OUT.part``. Order of a save: data → fsync → journal; the commit in Redis
comes after that and is the collector's. After any failed write or sync the run stops and never uses that descriptor
again: a second fsync may report success for pages that the first one dropped.
"""

import os
import shlex
import socket
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor
from pathlib import Path
from typing import Protocol, Self

from collector.journal import Head, Journal, State, path_of
from collector.tail import Tail
from gridmill import whole
from gridmill.entry import Place
from gridmill.errors import OutputError, OutputRefused
from gridmill.formats.output import FINISHES


class Manuscript(Protocol):
    """``state`` is what is safe; `write` adds behind it, and says how many bytes; what `saving` returns, once it is
    called, makes safe what was written before: in any thread, one at a time, and what is written meanwhile is left to
    the next.

    When all is written and saved, each step of `finish` is taken, and then `publish` makes it one that can be read.
    ``name`` tells it from every other output, ``way_on`` tells people how to go on after a stop.
    """

    name: str
    is_published: bool

    @property
    def state(self) -> State: ...
    @property
    def way_on(self) -> str: ...
    def write(self, rows: Iterable[bytes]) -> int: ...
    def saving(self, place: Place, counts: dict[str, int], *, done: bool = False) -> Callable[[], None]: ...
    def finish(self) -> Iterator[None]: ...
    def publish(self) -> None: ...
    def close(self) -> None: ...


class FileManuscript:
    """``OUT.part`` and its journal."""

    def __init__(self, out: Path, descriptor: int, journal: Journal, aside: Executor | None = None) -> None:
        self._out, self._part, self._journal = out, part_of(out), journal
        self._made, self._making = out.with_name(out.name + ".made"), FINISHES.get(journal.head.form)
        self._descriptor = descriptor
        self._tail = Tail(descriptor, journal.state.offset, aside)
        self.is_published = False
        self.name = f"{socket.gethostname()}:{out.absolute()}"

    @classmethod
    def open(cls, out: Path, head: Head, *, force: bool = False, aside: Executor | None = None) -> Self:
        """Begin ``out``, or go on with it where its journal says.

        ``force``: overwrite an existing ``out`` and forget an unfinished run. ``aside`` does the writing: one thread,
        unless a test has another. Raises OutputError.
        """
        out = whole.resolved(out)  # a link stays, and what it points to is written
        _refuse_unless_file(out)
        if not force:
            _refuse_foreign_part(out)
        journal = Journal.open(out, head, anew=force)
        try:
            begun = journal.state.offset > 0 or journal.state.done
            if out.exists() and not begun and not force:
                raise OutputRefused(f"{out} exists; give --force to overwrite it, or another name")
            return cls(out, _open_part(out, journal.state), journal, aside)
        except (OSError, OutputError) as error:
            journal.close(remove=journal.state.offset == 0 and not journal.state.done)
            if isinstance(error, OutputError):
                raise
            raise OutputError(f"cannot write {part_of(out)}: {error.strerror}") from error

    @property
    def state(self) -> State:
        """What is on the disk."""
        return self._journal.state

    def write(self, rows: Iterable[bytes]) -> int:
        """Add ``rows`` at the end. Raises OutputError, perhaps for what was written before them."""
        try:
            return self._tail.write(rows)
        except OSError as error:
            raise self._broken(error) from error

    def saving(self, place: Place, counts: dict[str, int], *, done: bool = False) -> Callable[[], None]:
        """What puts everything written by now on the disk, and then has the journal say so.

        Both raise OutputError; that also when what is written no longer has its name: nobody would find it.
        """
        try:
            handed, offset = self._tail.hand_over(), self._tail.offset
        except OSError as error:
            raise self._broken(error) from error

        def save() -> None:
            try:
                handed.result()
                os.fsync(self._descriptor)
                if not self._is_at(self._part):
                    raise self._gone()
            except OSError as error:
                raise self._broken(error) from error
            self._journal.write(place, offset, counts, done=done)

        return save

    def finish(self) -> Iterator[None]:
        """Make the file that gets the name, where that is not the part itself, in steps, as often as a crash wants."""
        if self._making is None or not self._is_at(self._part):
            return
        is_made = False
        try:
            yield from self._making(self._part, self._made)
            whole.sync(self._made)
            is_made = True
        except OSError as error:
            raise self._broken(error) from error
        finally:
            if not is_made:
                self._made.unlink(missing_ok=True)  # perhaps the room that it took is missing elsewhere

    def publish(self) -> None:
        """Give the finished output its name. May be repeated after a crash in between."""
        try:
            if self._is_at(self._part):
                os.rename(self._made if self._making else self._part, self._out)
            elif not self._is_at(self._out):
                raise self._gone()
            whole.sync(self._out.parent)  # also when it was renamed before: by a process that died before its sync
        except OSError as error:
            raise self._broken(error) from error
        self.is_published = True

    @property
    def way_on(self) -> str:
        """How to go on after a stop."""
        if self.is_over:  # nothing will be left
            return "though that is nothing yet: begin anew"
        return f"and gridmill resume {shlex.quote(str(self._out))} goes on"

    @property
    def is_over(self) -> bool:
        """Whether nobody needs to go on: it is published, or holds no record yet."""
        return self.is_published or self.state.place.record == 0

    def close(self) -> None:
        """Give up the descriptors and the lock. When the manuscript is over, the journal and what is left of it go."""
        if self.is_over and self._is_at(self._part):
            self._part.unlink(missing_ok=True)
        self._tail.close()
        os.close(self._descriptor)
        self._journal.close(remove=self.is_over)

    def _is_at(self, path: Path) -> bool:
        """Whether ``path`` is the file being written; one that was unlinked takes writes and syncs as before."""
        try:
            return os.path.samestat(os.fstat(self._descriptor), path.stat())
        except (FileNotFoundError, NotADirectoryError):
            return False

    def _gone(self) -> OutputError:
        again = "begin anew" if self.is_over else f"put it back, {self.way_on}, or give --force to start anew"
        return OutputError(f"{self._part} was removed, moved or replaced while it was written; {again}")

    def _broken(self, error: OSError) -> OutputError:
        return OutputError(
            f"cannot write {self._part}: {error.strerror}; what was saved before stays valid, {self.way_on} when the "
            "cause is removed"
        )


class Fleeting:
    """What is the output as soon as it is written, and is gone with the process: only the place is remembered."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.is_published = False
        self.state = State(0, Place(), 0, {})

    def saving(self, place: Place, counts: dict[str, int], *, done: bool = False) -> Callable[[], None]:
        """What remembers the place in memory."""

        def save() -> None:
            self.state = State(self.state.turn + 1, place, 1, counts, done)

        return save

    def finish(self) -> Iterator[None]:
        """Nothing to do: what was written is the output."""
        return iter(())

    def publish(self) -> None:
        """Nothing else to do: it has been taken already."""
        self.is_published = True


class StreamManuscript(Fleeting):
    """Standard output: rows leave at once and cannot be taken back, so there is nothing to resume from."""

    way_on = "but to standard output nothing can go on: run it again, into a file"

    def __init__(self, descriptor: int) -> None:
        super().__init__(f"a stream of process {os.getpid()} on {socket.gethostname()}")
        self._descriptor = descriptor

    def write(self, rows: Iterable[bytes]) -> int:
        """Write all of ``rows``. Raises OutputError when the reader has gone."""
        return sum(map(self._write, rows))

    def _write(self, data: bytes) -> int:
        view = memoryview(data)
        try:
            while view:
                view = view[os.write(self._descriptor, view) :]
        except OSError as error:
            raise OutputError(f"cannot write to standard output: {error.strerror}") from error
        return len(data)

    def close(self) -> None:
        """Nothing to do: the stream belongs to the process."""


def _refuse_unless_file(out: Path) -> None:
    """The output gets its name by a rename, which would put a file in the place of a device or a pipe."""
    try:
        str(out).encode()
    except UnicodeEncodeError as error:  # Python's stand-ins for bytes that are no text: no server takes them
        raise OutputRefused(f"{str(out)!r}: the output's name is not UTF-8; give it another one") from error
    whole.check_folder(out)
    if out.exists() and not out.is_file():
        raise OutputRefused(f"{out} is no regular file; leave -o out and redirect standard output to it")


def _refuse_foreign_part(out: Path) -> None:
    """A part of ours has a journal, which is made before it and removed after it."""
    if part_of(out).exists() and not path_of(out).exists():
        raise OutputRefused(f"{part_of(out)} exists and has no journal; give --force to overwrite it, or another name")


def part_of(out: Path) -> Path:
    """Where ``out`` is written until it is finished."""
    out = whole.resolved(out)
    return out.with_name(out.name + ".part")


def _open_part(out: Path, state: State) -> int:
    part = part_of(out)
    if state.done and not part.exists():
        return os.open(out, os.O_RDONLY | os.O_CLOEXEC)  # a crash came between the rename and the journal's removal
    descriptor = os.open(part, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    if os.fstat(descriptor).st_size < state.offset:
        os.close(descriptor)
        raise OutputError(f"{part} is shorter than its journal says; it was changed. Give --force to start anew")
    os.ftruncate(descriptor, state.offset)  # only here, at the start and under the lock
    whole.sync(part.parent)  # part and journal have their names, whichever process gave them
    return descriptor
