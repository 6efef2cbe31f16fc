"""A sign of life on the pipe between a worker's processes and their supervisor."""

import struct
from collections.abc import Iterator
from enum import IntEnum
from typing import NamedTuple

_FORM = struct.Struct("<IB")  # process id, state; far below PIPE_BUF, so signs of several processes do not mix
SIZE = _FORM.size  # bytes


class State(IntEnum):
    """Who gives the sign: the main process, or a child between two tasks or at one."""

    MAIN = 0
    IDLE = 1
    BUSY = 2


class Sign(NamedTuple):
    """Process ``pid`` lives and is in ``state``."""

    pid: int
    state: State

    def encode(self) -> bytes:
        """`SIZE` bytes."""
        return _FORM.pack(*self)


def decode(data: bytes) -> Iterator[Sign]:
    """The signs in ``data``, which holds whole ones."""
    return (Sign(pid, State(state)) for pid, state in _FORM.iter_unpack(data))
