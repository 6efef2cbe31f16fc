"""Where verified rows go: a file that can be resumed, or a stream that cannot.

A file is written as ``OUT.part`` at explicit offsets. Order of a save: data → fsync → journal; the commit in Redis
comes after that and is the collector's. After any failed write or sync the run stops and never uses that descriptor
again: a second fsync may report success for pages that the first one dropped.
"""

import os
import socket
from pathlib import Path
from typing import Protocol, Self

from collector.journal import Head, Journal, State, sync_folder
from gridmill.entry import Place
from gridmill.errors import OutputError


class Manuscript(Protocol):
    """``state`` is what is safe; `write` adds behind it, `save` makes all of it safe.

    ``name`` tells it from every other output, ``way_on`` tells people how to go on after a stop.
    """

    name: str
    way_on: str
    is_published: bool

    @property
    def state(self) -> State: ...
    def write(self, data: bytes) -> None: ...
    def save(self, place: Place, counts: dict[str, int], *, done: bool = False) -> None: ...
    def publish(self) -> None: ...
    def close(self) -> None: ...


class FileManuscript:
    """``OUT.part`` and its journal."""

    def __init__(self, out: Path, descriptor: int, journal: Journal) -> None:
        self._out, self._part, self._journal = out, _part(out), journal
        self._descriptor = descriptor
        self._offset = journal.state.offset
        self.is_published = False
        self.name = f"{socket.gethostname()}:{out.absolute()}"
        self.way_on = f"and gridmill resume {out} goes on"

    @classmethod
    def open(cls, out: Path, head: Head, *, force: bool = False) -> Self:
        """Begin ``out``, or go on with it where its journal says.

        ``force``: overwrite an existing ``out`` and forget an unfinished run. Raises OutputError.
        """
        if out.is_dir():
            raise OutputError(f"{out} is a folder; name a file")
        journal = Journal.open(out, head, anew=force)
        try:
            begun = journal.state.offset > 0 or journal.state.done
            if out.exists() and not begun and not force:
                raise OutputError(f"{out} exists; give --force to overwrite it, or another name")
            return cls(out, _open_part(out, journal.state), journal)
        except (OSError, OutputError) as error:
            journal.close(remove=journal.state.offset == 0 and not journal.state.done)
            if isinstance(error, OutputError):
                raise
            raise OutputError(f"cannot write {_part(out)}: {error.strerror}") from error

    @property
    def state(self) -> State:
        """What is on the disk."""
        return self._journal.state

    def write(self, data: bytes) -> None:
        """Add ``data`` at the end."""
        view = memoryview(data)
        try:
            while view:
                done = os.pwrite(self._descriptor, view, self._offset)
                view, self._offset = view[done:], self._offset + done
        except OSError as error:
            raise self._broken(error) from error

    def save(self, place: Place, counts: dict[str, int], *, done: bool = False) -> None:
        """Everything written so far is on the disk, then the journal says so."""
        try:
            os.fsync(self._descriptor)
        except OSError as error:
            raise self._broken(error) from error
        self._journal.write(place, self._offset, counts, done=done)

    def publish(self) -> None:
        """Give the finished output its name. May be repeated after a crash in between."""
        try:
            if self._part.exists():
                os.rename(self._part, self._out)
                sync_folder(self._out.parent)
        except OSError as error:
            raise self._broken(error) from error
        self.is_published = True

    @property
    def is_over(self) -> bool:
        """Whether nobody needs to go on: it is published, or holds no record yet."""
        return self.is_published or self.state.place.record == 0

    def close(self) -> None:
        """Give up the descriptors and the lock. When the manuscript is over, the journal and what is left of it go."""
        os.close(self._descriptor)
        if self.is_over:
            self._part.unlink(missing_ok=True)
        self._journal.close(remove=self.is_over)

    def _broken(self, error: OSError) -> OutputError:
        return OutputError(
            f"cannot write {self._part}: {error.strerror}; what was saved before stays valid, {self.way_on} when the "
            "cause is removed"
        )


class StreamManuscript:
    """Standard output: rows leave at once and cannot be taken back, so there is nothing to resume from."""

    is_published = False
    way_on = "but to standard output nothing can go on: run it again, into a file"

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self.name = f"a stream of process {os.getpid()} on {socket.gethostname()}"
        self.state = State(0, Place(), 0, {})

    def write(self, data: bytes) -> None:
        """Write all of ``data``. Raises OutputError when the reader has gone."""
        view = memoryview(data)
        try:
            while view:
                view = view[os.write(self._descriptor, view) :]
        except OSError as error:
            raise OutputError(f"cannot write to standard output: {error.strerror}") from error

    def save(self, place: Place, counts: dict[str, int], *, done: bool = False) -> None:
        """Remember the place in memory."""
        self.state = State(self.state.turn + 1, place, 1, counts, done)

    def publish(self) -> None:
        """Nothing to do: it has been read already."""

    def close(self) -> None:
        """Nothing to do: the stream belongs to the process."""


def _part(out: Path) -> Path:
    return out.with_name(out.name + ".part")


def _open_part(out: Path, state: State) -> int:
    part = _part(out)
    if state.done and not part.exists():
        return os.open(out, os.O_RDONLY | os.O_CLOEXEC)  # a crash came between the rename and the journal's removal
    descriptor = os.open(part, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    if os.fstat(descriptor).st_size < state.offset:
        os.close(descriptor)
        raise OutputError(f"{part} is shorter than its journal says; it was changed. Give --force to start anew")
    os.ftruncate(descriptor, state.offset)  # only here, at the start and under the lock
    return descriptor
