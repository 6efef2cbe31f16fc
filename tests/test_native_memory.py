"""What the native code reads: no byte more than it is given, whoever else has it or changes it meanwhile.

`make sanitize` runs these under the address and undefined-behaviour sanitizers, where any stray read ends the process.
"""

import ctypes
import mmap
import threading
from array import array
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import pytest
from untyped import EASY, SEVENTEEN, SOLVED, WAYS, WIDTHS, Buffer, native, solve

from gridmill.board import HOLE, PACKED
from gridmill.reply import Reply


def _exchanged(byte: int) -> int:
    """A byte of a packed board with the digits 1 and 2 exchanged."""
    high, low = ({1: 2, 2: 1}.get(half, half) for half in divmod(byte, 16))
    return high << 4 | low


@contextmanager
def guarded(data: bytes) -> Iterator[memoryview]:
    """``data`` at the very end of a page behind which nothing may be read: one byte too far ends the process."""
    page = mmap.PAGESIZE
    room = -(-len(data) // page) * page
    with mmap.mmap(-1, room + page) as memory:
        start = ctypes.addressof(ctypes.c_char.from_buffer(memory))
        libc = ctypes.CDLL(None, use_errno=True)
        protect: Callable[..., int] = libc.mprotect
        assert protect(ctypes.c_void_p(start + room), ctypes.c_size_t(page), 0) == 0
        memory[room - len(data) : room] = data
        view = memoryview(memory)[room - len(data) : room]
        yield view
        view.release()
        protect(ctypes.c_void_p(start + room), ctypes.c_size_t(page), mmap.PROT_READ | mmap.PROT_WRITE)


@pytest.mark.parametrize("width", WIDTHS)
def test_a_board_that_another_thread_changes_while_it_is_filled_does_no_harm(width: str) -> None:
    board = [["."] * 9 for _ in range(9)]
    done = threading.Event()

    def scribble() -> None:
        while not done.is_set():
            board[0][:] = ["."] * 9
            board[8].clear()
            board[8][:] = ["."] * 9

    writer = threading.Thread(target=scribble)
    writer.start()
    try:
        ends = {native.fill(board, width) for _ in range(2000)}
    finally:
        done.set()
        writer.join()
    assert ends <= {True, False, None}
    assert len(board) == 9


def test_no_byte_behind_the_one_board_is_read() -> None:
    with guarded(SEVENTEEN) as view:
        assert native.deep(view, 2, 1000) == native.deep(SEVENTEEN, 2, 1000)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("count", [0, 1, 31, 32, 33, 100])
def test_no_byte_behind_the_boards_is_read(width: str, count: int) -> None:
    data = (HOLE + EASY + SEVENTEEN) * count  # a hole would not be read to its end
    with guarded(data) as view:
        reply = solve(view, width=width)
        assert reply == solve(data, width=width)
        verdicts = native.judge(view, reply.codes, reply.solutions, reply.seconds)
    assert verdicts == bytes(3 * count)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("count", [1, 2, 3])
def test_no_byte_behind_solutions_and_seconds_is_read(way: str, count: int) -> None:
    first, second = SOLVED, SOLVED.translate(bytes(_exchanged(byte) for byte in range(256)))
    with guarded(bytes(PACKED * count)) as boards, guarded(first * count) as one, guarded(second * count) as other:
        assert native.judge(boards, b"\2" * count, one, b"", way) == bytes(count)
        assert native.judge(boards, b"\3" * count, one, other, way) == bytes(count)
        assert native.judge(boards, b"\3" * count, one, one, way) == b"\1" * count


@pytest.mark.parametrize(
    "kind", [bytes, bytearray, memoryview, lambda data: array("B", data), lambda data: memoryview(data).toreadonly()]
)
def test_read_only_and_writable_buffers_say_the_same_and_stay_what_they_were(kind: Callable[[bytes], Buffer]) -> None:
    data = (EASY + SEVENTEEN) * 20
    buffer = kind(data)
    assert solve(buffer) == solve(data)
    assert bytes(buffer) == data


def test_a_buffer_cannot_shrink_while_it_is_read() -> None:
    """It is exported for as long as the call lasts, and free again after it, also after one that raised."""
    buffer = bytearray(EASY + b"\xaa" * PACKED)
    with pytest.raises(ValueError, match="slot 1"):
        native.solve(buffer, 2, 1, WIDTHS[0])
    buffer.clear()
    assert len(buffer) == 0


@pytest.mark.parametrize("width", WIDTHS)
def test_threads_that_share_a_buffer_get_the_same_answers(width: str) -> None:
    data = (EASY + SEVENTEEN + SOLVED + HOLE) * 200
    wanted = solve(data, width=width)
    with ThreadPoolExecutor(4) as pool:
        replies = list(pool.map(lambda _: solve(data, width=width), range(16)))
        verdicts = list(pool.map(lambda reply: native.judge(data, reply.codes, reply.solutions, b""), replies))
    assert all(reply == wanted for reply in replies)
    assert {*verdicts} == {bytes(800)}


@pytest.mark.parametrize("width", WIDTHS)
def test_boards_that_another_thread_changes_do_no_harm(width: str) -> None:
    """Answers are then about nobody knows which bytes, but there is one for each board, or an error."""
    data = bytearray(SEVENTEEN * 2000)
    done = threading.Event()

    def scribble() -> None:
        at = 0
        while not done.is_set():
            data[at % len(data)] ^= 0x55
            at += 977  # a prime, so that every byte has its turn

    writer = threading.Thread(target=scribble)
    writer.start()
    try:
        for _ in range(20):
            try:
                reply = solve(data, width=width)
            except ValueError:
                continue
            assert len(reply.codes) == 2000
            Reply.decode(reply.encode(), 2000)
    finally:
        done.set()
        writer.join()
