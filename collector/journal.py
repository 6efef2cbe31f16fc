"""The journal beside an output, ``OUT.gridmill``: the authority on what has been answered.

    offset 0      b"GRIDMIL1", u32 length and u32 CRC of the head, the head (MessagePack)
    A             slot 0: u32 length, u32 CRC, state (MessagePack)         A = the head's end, rounded up to a page
    A + page      slot 1: the same

The slots are written in turn, the first time slot 1, so the last good state survives a torn write. The file is locked
(flock) for as long as a collector has it open; the lock ends with the process. A journal that has nothing whole, and
nothing at all in slot 0, was never finished being made, and nothing was written under it.
"""

import fcntl
import os
import shlex
import struct
import zlib
from pathlib import Path
from typing import Self

import msgspec

from gridmill.entry import Place
from gridmill.errors import OutputError, OutputRefused, WireError
from gridmill.job import Spec
from gridmill.whole import resolved, sync

MAGIC = b"GRIDMIL1"
PAGE = 4096  # bytes of a slot: a page, many times what a state takes
_MARK = struct.Struct("<II")  # length and CRC-32 of what follows
_sync = getattr(os, "fdatasync", os.fsync)  # macOS has only the slower one


class Head(msgspec.Struct, frozen=True):
    """What does not change: the job, its spec, and the form of the output."""

    job: str
    spec: bytes
    form: str


class State(msgspec.Struct, frozen=True):
    """What is written and on the disk: ``offset`` bytes, everything before ``place``, ``counts`` as in `Progress`."""

    turn: int
    place: Place
    offset: int
    counts: dict[str, int]
    done: bool = False


def path_of(out: Path) -> Path:
    """Where the journal of ``out`` is: beside the file itself, when that is a link. Raises OutputRefused."""
    out = resolved(out)
    if not out.name:
        raise OutputRefused(f"{out} can only be a folder; name a file")
    return out.with_name(out.name + ".gridmill")


def peek(out: Path) -> tuple[Head, State] | None:
    """Read the journal of ``out`` without taking it; None when there is none. Raises OutputError when damaged."""
    try:
        data = path_of(out).read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise OutputError(f"cannot read {path_of(out)}: {error.strerror}") from error
    return _parse(data, path_of(out))


class Journal:
    """An open, locked journal."""

    def __init__(self, path: Path, descriptor: int, head: Head, state: State) -> None:
        self._path, self._descriptor = path, descriptor
        self.head, self.state = head, state
        self._slots = _slots_at(len(msgspec.msgpack.encode(head)))

    @classmethod
    def open(cls, out: Path, head: Head, *, anew: bool = False) -> Self:
        """Take the journal of ``out``, making it if there is none; ``anew``: forget what an earlier one says.

        Raises OutputError when another collector has it, or it is damaged; OutputRefused when it is another job's.
        """
        path = path_of(out)
        descriptor = _lock(path)
        try:
            known = None if anew else _parse(os.pread(descriptor, os.fstat(descriptor).st_size, 0), path)
            if known is not None and known[0] != head:
                raise OutputRefused(f"{path} belongs to job {known[0].job}, which {_difference(known[0], head, out)}")
            journal = cls(path, descriptor, *(known or (head, State(0, Place(), 0, {}))))
            if known is None:
                journal._create()
            else:
                journal._keep()
        except BaseException:
            os.close(descriptor)
            raise
        return journal

    def write(self, place: Place, offset: int, counts: dict[str, int], *, done: bool = False) -> None:
        """Put a new state on the disk. Raises OutputError; the descriptor must not be used after that."""
        state = State(self.state.turn + 1, place, offset, counts, done)
        data = msgspec.msgpack.encode(state)
        try:
            _write_all(self._descriptor, _MARK.pack(len(data), zlib.crc32(data)) + data, self._at(state.turn))
            _sync(self._descriptor)
        except OSError as error:
            raise OutputError(f"cannot write {self._path}: {error.strerror}") from error
        self.state = state

    def _keep(self) -> None:
        """Put on the disk what was read: its writer may have died before its sync, and then only this process, and not
        the machine, would know of it."""
        try:
            _sync(self._descriptor)
        except OSError as error:
            raise OutputError(f"cannot write {self._path}: {error.strerror}") from error

    def close(self, *, remove: bool = False) -> None:
        """Give the journal back; ``remove``: it is no longer needed."""
        if remove:
            self._path.unlink(missing_ok=True)
        os.close(self._descriptor)

    def _create(self) -> None:
        data = msgspec.msgpack.encode(self.head)
        try:
            os.ftruncate(self._descriptor, 0)
            head = MAGIC + _MARK.pack(len(data), zlib.crc32(data)) + data
            # Room for both slots is taken now, so that a disk that fills up later does not refuse a state.
            _write_all(self._descriptor, head.ljust(self._slots + 2 * PAGE, b"\0"), 0)
            os.fsync(self._descriptor)
            self.write(self.state.place, 0, {})
            sync(self._path.parent)
        except OSError as error:
            raise OutputError(f"cannot write {self._path}: {error.strerror}") from error

    def _at(self, turn: int) -> int:
        return self._slots + PAGE * (turn % 2)


def _difference(known: Head, wanted: Head, out: Path) -> str:
    """What another journal than the ``wanted`` one was begun with, and what to do."""
    anew = "give --force to start anew"
    if known.spec != wanted.spec:
        try:
            spec, here = Spec.decode(known.spec), Spec.decode(wanted.spec)
        except WireError as error:
            return f"is not finished, and this release cannot go on with it: {error}; use that release, or {anew}"
        if spec.solver == here.solver and spec.version != here.version:
            return (
                f"is not finished, and was begun by another release: its solver {spec.solver} has version "
                f"{spec.version}, this one's {here.version}; use that release, or {anew}"
            )
    return (
        "was begun with another input or other options and is not finished; go on with it "
        f"(gridmill resume {shlex.quote(str(out))}), or {anew}"
    )


def _lock(path: Path) -> int:
    while True:
        try:
            descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        except OSError as error:
            raise OutputError(f"cannot write {path}: {error.strerror}") from error
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            os.close(descriptor)
            raise OutputError(f"another collector is writing this output (it holds {path})") from error
        try:
            if os.path.samestat(os.fstat(descriptor), path.stat()):
                return descriptor
        except FileNotFoundError:
            pass  # its owner finished and removed it between our open and our lock
        os.close(descriptor)


def _slots_at(head: int) -> int:
    return -(-(len(MAGIC) + _MARK.size + head) // PAGE) * PAGE


def _parse(data: bytes, path: Path) -> tuple[Head, State] | None:
    """The head and the newest whole state; None when the file was never finished being made."""
    try:
        head_data = _read(data, len(MAGIC)) if data.startswith(MAGIC) else None
        if head_data is None:
            if _is_begun(data):
                return None
            raise WireError("its head is broken")
        slots = _slots_at(len(head_data))
        found = [_read(data, at) for at in (slots, slots + PAGE)]
        states = [msgspec.msgpack.decode(state, type=State) for state in found if state]
        if not states:
            if any(data[slots : slots + PAGE]):
                raise WireError("neither of its states is whole")
            return None
        return msgspec.msgpack.decode(head_data, type=Head), max(states, key=lambda state: state.turn)
    except (msgspec.MsgspecError, RecursionError, WireError) as error:
        raise OutputError(f"{path} is damaged ({error}); give --force to start anew") from error


def _is_begun(data: bytes) -> bool:
    """Whether a file without a whole head is a journal that a crash left while it was made: empty, or a torn head and
    no state behind it, since the head is on the disk before there is any."""
    torn = MAGIC.startswith(data[: len(MAGIC)].rstrip(b"\0"))
    return torn and all(_read(data, at) is None for at in range(PAGE, len(data), PAGE))


def _read(data: bytes, at: int) -> bytes | None:
    if len(data) < at + _MARK.size:
        return None
    length, crc = _MARK.unpack_from(data, at)
    found = data[at + _MARK.size : at + _MARK.size + length]
    return found if length and len(found) == length and zlib.crc32(found) == crc else None


def _write_all(descriptor: int, data: bytes, at: int) -> None:
    while data:
        done = os.pwrite(descriptor, data, at)
        data, at = data[done:], at + done
