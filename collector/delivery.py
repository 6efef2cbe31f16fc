"""Where verified answers go that a program takes: sheets in memory, in order, a few at a time.

To the collector it is both writer and manuscript. What it has handed over is safe, as far as anything in memory can be:
the server forgets it, so a program that ends takes its job along.
"""

import os
import socket
from collections import deque
from collections.abc import Iterable, Iterator
from threading import Condition

from collector.manuscript import Fleeting
from gridmill.formats.sheet import Sheet


class Delivery(Fleeting):
    """Holds up to ``room`` sheets; the collector waits while nobody takes them."""

    way_on = "but what a program takes cannot be gone on with: submit it again"

    def __init__(self, room: int) -> None:
        super().__init__(f"the memory of process {os.getpid()} on {socket.gethostname()}")
        self._room = room
        self._sheets: deque[Sheet] = deque()
        self._changed = Condition()
        self._is_closed = False
        self.has_dropped = False  # whether a sheet came when nothing was taken any more

    @property
    def is_over(self) -> bool:
        """Whether nothing is there and nothing comes."""
        return self._is_closed and not self._sheets

    def wait(self, seconds: float) -> None:
        """Wait until something is there or all is over, ``seconds`` at most."""
        with self._changed:
            self._changed.wait_for(lambda: self._sheets or self._is_closed, seconds)

    def take(self) -> Sheet | None:
        """The next sheet, if one is there."""
        with self._changed:
            if not self._sheets:
                return None
            self._changed.notify_all()
            return self._sheets.popleft()

    def header(self) -> bytes:
        """Nothing stands before the answers."""
        return b""

    def sheet(self, sheet: Sheet) -> Iterator[bytes]:
        """Hand ``sheet`` over, when there is room; what is given back is for the collector to see how much it was."""
        with self._changed:
            self._changed.wait_for(lambda: len(self._sheets) < self._room or self._is_closed)
            if self._is_closed:
                self.has_dropped = True
            else:
                self._sheets.append(sheet)
                self._changed.notify_all()
        yield sheet.boards

    def write(self, rows: Iterable[bytes]) -> int:
        """How much it was: by the time that is known, the sheet has been handed over."""
        return sum(map(len, rows))

    def close(self) -> None:
        """Take nothing any more; what is there can still be taken."""
        with self._changed:
            self._is_closed = True
            self._changed.notify_all()
