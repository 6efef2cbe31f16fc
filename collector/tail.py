"""The end of a file that grows. Whole pages of it go to the disk past the page cache, where the system allows that.

In the page cache a row is copied into a page, and a page that nobody used before has to be made first, which can cost
many times the copy; then it goes to the disk all the same. So rows are gathered in two rooms in turn, whose memory is
used again and again: the disk takes whole pages from the one while the other fills. What is no whole page, where the
file was begun or gone on with and where it ends for now, is written as usual. So the file never has a byte that is not
to be there, and no page of it is written in both ways.
"""

import errno
import fcntl
import mmap
import os
from collections.abc import Iterable
from concurrent.futures import Executor, Future, ThreadPoolExecutor

from gridmill.formats.press import Pressed

PAGE = mmap.PAGESIZE  # bytes: as much as any usual disk wants to be given together, and at such an address
ROOM = 1 << 22  # bytes gathered: to hand over costs two wakings, some 0.1 ms of CPU; saves come not much later
_DIRECT: int = getattr(os, "O_DIRECT", 0)  # macOS has none


class Tail:
    """What comes behind the first ``offset`` bytes of the file of ``descriptor``, which is the caller's.

    ``offset`` is then where that ends. ``aside`` does the writing: one thread, unless a test has another. Methods raise
    OSError when it has failed; afterwards the file may have anything behind what was safe.
    """

    def __init__(self, descriptor: int, offset: int, aside: Executor | None = None) -> None:
        self._descriptor, self.offset = descriptor, offset
        self._aside = aside or ThreadPoolExecutor(1, "writing")
        self._room, self._other = _Room(offset), _Room(offset)
        self._flags, self._direct = fcntl.fcntl(descriptor, fcntl.F_GETFL), _DIRECT
        self._handed: Future[None] = Future()
        self._handed.set_result(None)

    def write(self, rows: Iterable[bytes]) -> int:
        """Add ``rows`` at the end; they need not be in the file yet. How many bytes they are."""
        begun = self.offset
        if isinstance(rows, Pressed):
            self._press(rows)
        for block in rows:  # of pressed ones, those from a row on that may be larger than a room
            self._write(block)
        return self.offset - begun

    def _press(self, rows: Pressed) -> None:
        """Have rows written where they go to the disk from, as long as the next one fits into an empty room."""
        while 0 < (most := rows.most) <= ROOM - PAGE:
            if most > self._room.left:
                self._go_on()
            self.offset += self._room.press(rows)

    def _write(self, data: bytes) -> None:
        rest = memoryview(data)
        while rest:
            rest = self._room.fill(rest)
            if not self._room.left:
                self.hand_over()
        self.offset += len(data)

    def _go_on(self) -> None:
        """Hand over the whole pages; what is behind them is the beginning of the other room."""
        rest = self._room.cut()
        self.hand_over()
        self._room.fill(rest)

    def hand_over(self) -> Future[None]:
        """Have everything put into the file, beside what comes next: done when it is there, which is not yet safe."""
        if self._room.begin < self._room.end:
            self._handed.result()  # the other room is free; and nothing is put behind what could not be
            self._handed = self._aside.submit(self._put, self._room)
            self._other.empty(self._room.past)
            self._room, self._other = self._other, self._room
        return self._handed

    def close(self) -> None:
        """Wait for what is being put there; how that ends no longer matters."""
        self._aside.shutdown()

    def _put(self, room: "_Room") -> None:
        first, last = -(-room.begin // PAGE) * PAGE, room.end // PAGE * PAGE
        if first < last and self._direct:
            room.put(self._descriptor, first)
            self._put_directly(room, last)
        room.put(self._descriptor, room.end)

    def _put_directly(self, room: "_Room", end: int) -> None:
        """Put it past the page cache; if that is refused, what is left is put as usual, and so is all that comes.

        Some file systems refuse the flag, others the write; and a write that took a part may end within a page.
        """
        try:
            fcntl.fcntl(self._descriptor, fcntl.F_SETFL, self._flags | self._direct)
            room.put(self._descriptor, end)
        except OSError as error:
            if error.errno != errno.EINVAL:
                raise
            self._direct = 0
        finally:
            fcntl.fcntl(self._descriptor, fcntl.F_SETFL, self._flags)


class _Room:
    """Memory in which bytes lie as they will in their pages, from ``begin`` to ``end``."""

    def __init__(self, offset: int) -> None:
        self._memory = memoryview(mmap.mmap(-1, ROOM))
        self.empty(offset)

    def empty(self, offset: int) -> None:
        """What comes next belongs at ``offset`` of the file."""
        self._page = offset // PAGE * PAGE
        self.begin = self.end = offset % PAGE

    @property
    def left(self) -> int:
        """For how many bytes it has room."""
        return ROOM - self.end

    @property
    def past(self) -> int:
        """Where in the file its bytes end."""
        return self._page + self.end

    def fill(self, data: memoryview) -> memoryview:
        """Take as much of ``data`` as there is room for; the rest."""
        taken = data[: ROOM - self.end]
        self._memory[self.end : self.end + len(taken)] = taken
        self.end += len(taken)
        return data[len(taken) :]

    def press(self, rows: Pressed) -> int:
        """Take as many rows as there is room for; how many bytes they are."""
        begun, self.end = self.end, rows.fill(self._memory, self.end)
        return self.end - begun

    def cut(self) -> memoryview:
        """Give up what is behind the last whole page; the other room may take it while this one stays as it is."""
        end, self.end = self.end, max(self.begin, self.end // PAGE * PAGE)
        return self._memory[self.end : end]

    def put(self, descriptor: int, end: int) -> None:
        """Write it as far as ``end``; what was written is no longer there."""
        while self.begin < end:
            self.begin += os.pwrite(descriptor, self._memory[self.begin : end], self._page + self.begin)
