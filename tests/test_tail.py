"""The end of a file that grows: its bytes are the same, whatever of them goes past the page cache."""

import errno
import fcntl
import os
import random
import resource
import shutil
import struct
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import pytest

from collector.tail import PAGE, Tail
from gridmill import kernel
from gridmill.board import PACKED, pack
from gridmill.chunk import Side
from gridmill.column import Column
from gridmill.errors import WireError
from gridmill.formats.output import writer
from gridmill.formats.press import Pressed
from gridmill.formats.sheet import Sheet
from gridmill.generate import generate
from gridmill.reply import Reply

ROOM = 64 * PAGE
DIRECT: int = getattr(os, "O_DIRECT", 0)
DATA = random.Random(5).randbytes(3 * ROOM)
LIMIT_SECONDS = 60.0

Begin = Callable[[int], Tail]

needs_kernel = pytest.mark.skipif(
    not kernel.native and "GRIDMILL_CI" not in os.environ, reason="this installation has no native kernel"
)

# Such a file system refuses the flag. It is mounted where nobody else sees it, and is gone with the process.
ELSEWHERE = """
import fcntl, os, subprocess, sys
from collector.tail import ROOM, Tail
folder, data = sys.argv[1], bytes(range(251)) * (ROOM // 100)
subprocess.run(["mount", "-t", "ramfs", "none", folder], check=True)
made = os.open(f"{folder}/out", os.O_RDWR | os.O_CREAT)
try:
    fcntl.fcntl(made, fcntl.F_SETFL, os.O_DIRECT)
except OSError:
    tail = Tail(made, 0)
    tail.write([data])
    tail.hand_over().result()
    print(open(f"{folder}/out", "rb").read() == data)
"""


class Put(NamedTuple):
    """One write: its place in the file, what it took, and whether that went past the page cache."""

    offset: int
    size: int
    is_direct: bool


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "out"


@pytest.fixture
def descriptor(path: Path) -> Iterator[int]:
    made = os.open(path, os.O_RDWR | os.O_CREAT)
    yield made
    os.close(made)


@pytest.fixture
def begin(descriptor: int, monkeypatch: pytest.MonkeyPatch) -> Iterator[Begin]:
    """A tail behind so many bytes, with little room."""
    monkeypatch.setattr("collector.tail.ROOM", ROOM)
    made: list[Tail] = []

    def begin(offset: int) -> Tail:
        made.append(Tail(descriptor, offset))
        return made[-1]

    yield begin
    for tail in made:
        tail.close()


@pytest.fixture
def direct(descriptor: int) -> None:
    """For tests that need a file system that lets whole pages past the page cache."""
    flags = fcntl.fcntl(descriptor, fcntl.F_GETFL)
    try:
        fcntl.fcntl(descriptor, fcntl.F_SETFL, flags | DIRECT)
    except OSError:
        pytest.skip("this file system does not")
    if fcntl.fcntl(descriptor, fcntl.F_GETFL) == flags:
        pytest.skip("this system has no O_DIRECT")
    fcntl.fcntl(descriptor, fcntl.F_SETFL, flags)


def noting(monkeypatch: pytest.MonkeyPatch, most: Callable[[bool], int] = lambda is_direct: ROOM) -> list[Put]:
    """Note each write, which takes as much as ``most`` says of its kind; the system does it, and may refuse it."""
    puts: list[Put] = []
    real = os.pwrite

    def pwrite(descriptor: int, data: memoryview, offset: int) -> int:
        is_direct = bool(fcntl.fcntl(descriptor, fcntl.F_GETFL) & DIRECT)
        done = real(descriptor, data[: most(is_direct)], offset)
        puts.append(Put(offset, done, is_direct))
        return done

    monkeypatch.setattr(os, "pwrite", pwrite)
    return puts


def refuse_to_set(monkeypatch: pytest.MonkeyPatch) -> None:
    """As a file system does that knows nothing of it."""
    real = fcntl.fcntl

    def refuse(descriptor: int, command: int, argument: int = 0) -> int:
        if command == fcntl.F_SETFL and argument & DIRECT:
            raise OSError(errno.EINVAL, "Invalid argument")
        return real(descriptor, command, argument)

    monkeypatch.setattr(fcntl, "fcntl", refuse)


def refuse_to_write(monkeypatch: pytest.MonkeyPatch) -> None:
    """As one that takes the flag and not the write."""
    real = os.pwrite

    def refuse(descriptor: int, data: memoryview, offset: int) -> int:
        if fcntl.fcntl(descriptor, fcntl.F_GETFL) & DIRECT:
            raise OSError(errno.EINVAL, "Invalid argument")
        return real(descriptor, data, offset)

    monkeypatch.setattr(os, "pwrite", refuse)


def as_on_macos(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("collector.tail._DIRECT", 0)


def nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """As this file system likes."""


def there(tail: Tail) -> int:
    """Wait until all is in the file; how much that is."""
    tail.hand_over().result(LIMIT_SECONDS)
    return tail.offset


def in_pieces(tail: Tail, data: bytes, seed: int) -> None:
    """Write ``data`` in pieces of any size, and hand over now and then."""
    rng = random.Random(seed)
    while data:
        some = rng.choice([1, 100, PAGE - 1, PAGE, PAGE + 1, 2 * PAGE + 7, ROOM // 2 + 3, ROOM, ROOM + 11])
        tail.write([data[:some]])
        data = data[some:]
        if rng.random() < 0.3:
            tail.hand_over()


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("hinder", [nothing, refuse_to_set, refuse_to_write, as_on_macos])
def test_what_is_written_is_there(
    path: Path, begin: Begin, hinder: Callable[[pytest.MonkeyPatch], None], seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    hinder(monkeypatch)
    tail = begin(0)
    in_pieces(tail, DATA, seed)

    assert there(tail) == len(DATA)
    assert path.read_bytes() == DATA


@pytest.mark.parametrize("at", [1, 511, PAGE - 1, PAGE, PAGE + 1, 3 * PAGE + 2000, ROOM - 1, ROOM, ROOM + 5])
@pytest.mark.parametrize("hinder", [nothing, refuse_to_write])
def test_a_file_is_gone_on_with_anywhere(
    path: Path, begin: Begin, hinder: Callable[[pytest.MonkeyPatch], None], at: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    hinder(monkeypatch)
    path.write_bytes(DATA[:at])

    tail = begin(at)
    in_pieces(tail, DATA[at:], at)

    assert there(tail) == len(DATA)
    assert path.read_bytes() == DATA


def test_the_file_never_has_a_byte_that_is_not_to_be_there(path: Path, begin: Begin) -> None:
    tail, rng, at = begin(0), random.Random(6), 0
    while at < len(DATA):
        some = rng.randint(1, 3 * PAGE)
        tail.write([DATA[at : at + some]])
        at = min(at + some, len(DATA))
        if rng.random() < 0.2:
            assert there(tail) == at
            assert path.stat().st_size == at
        found = path.read_bytes()
        assert at - 2 * ROOM < len(found) <= at
        assert DATA.startswith(found)
    there(tail)
    assert path.read_bytes() == DATA


@pytest.mark.usefixtures("direct")
def test_whole_pages_go_past_the_page_cache_and_nothing_else_does(
    path: Path, begin: Begin, monkeypatch: pytest.MonkeyPatch
) -> None:
    path.write_bytes(DATA[:100])
    puts = noting(monkeypatch)
    tail = begin(100)

    tail.write([DATA[100 : ROOM + 2 * PAGE + 7]])
    there(tail)

    assert puts == [
        Put(100, PAGE - 100, False),
        Put(PAGE, ROOM - PAGE, True),
        Put(ROOM, 2 * PAGE, True),
        Put(ROOM + 2 * PAGE, 7, False),
    ]
    assert path.read_bytes() == DATA[: ROOM + 2 * PAGE + 7]


@pytest.mark.usefixtures("direct")
def test_little_is_written_at_once_and_as_usual(path: Path, begin: Begin, monkeypatch: pytest.MonkeyPatch) -> None:
    puts = noting(monkeypatch)
    tail = begin(0)
    for at in range(100):
        tail.write([DATA[at : at + 1]])
    there(tail)

    assert puts == [Put(0, 100, False)]


@pytest.mark.usefixtures("direct")
def test_a_write_that_leaves_an_offset_in_a_page_is_gone_on_with_as_usual(
    path: Path, begin: Begin, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []

    def short(descriptor: int, data: memoryview, offset: int) -> int:
        """The first one past the page cache takes a part that is no page; what the next one takes, the system says."""
        flags = fcntl.fcntl(descriptor, fcntl.F_GETFL)
        asked.append(offset)
        if len(asked) > 1:
            return usual(descriptor, data, offset)
        assert flags & DIRECT
        fcntl.fcntl(descriptor, fcntl.F_SETFL, flags & ~DIRECT)
        done = usual(descriptor, data[: PAGE + 100], offset)
        fcntl.fcntl(descriptor, fcntl.F_SETFL, flags)
        return done

    usual = os.pwrite
    monkeypatch.setattr(os, "pwrite", short)
    tail = begin(0)
    tail.write([DATA])

    assert there(tail) == len(DATA)
    assert path.read_bytes() == DATA
    assert asked[1] == PAGE + 100


@pytest.mark.usefixtures("direct")
def test_a_write_that_takes_some_pages_is_gone_on_with_as_it_was_begun(
    path: Path, begin: Begin, monkeypatch: pytest.MonkeyPatch
) -> None:
    puts = noting(monkeypatch, lambda is_direct: 3 * PAGE if is_direct else 7)
    tail = begin(0)
    tail.write([DATA[: ROOM + 20]])

    assert there(tail) == ROOM + 20
    assert path.read_bytes() == DATA[: ROOM + 20]
    assert {put.is_direct for put in puts if put.offset < ROOM} == {True}
    assert [put.size for put in puts if put.offset >= ROOM] == [7, 7, 6]


@pytest.mark.parametrize("room", [ROOM + 3 * PAGE, ROOM + 3 * PAGE + 700])
def test_a_file_that_may_not_grow_is_said(path: Path, begin: Begin, room: int) -> None:
    """What is before the limit is there."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    tail = begin(0)
    resource.setrlimit(resource.RLIMIT_FSIZE, (room, before[1]))
    try:
        with pytest.raises(OSError, match="File too large"):
            tail.write([DATA])
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)

    assert path.read_bytes() == DATA[:room]


def test_a_disk_that_refuses_is_not_asked_again_in_another_way(begin: Begin, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    def full(_: int, data: memoryview, offset: int) -> int:
        asked.append(offset)
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "pwrite", full)
    with pytest.raises(OSError, match="No space left"):
        begin(0).write([DATA])
    assert asked == [0]


@pytest.mark.skipif(shutil.which("unshare") is None, reason="only Linux has such a file system")
def test_a_file_system_that_refuses_gets_everything_as_usual(tmp_path: Path) -> None:
    alone = ["unshare", "--mount"] if os.geteuid() == 0 else ["unshare", "--mount", "--map-root-user"]
    if subprocess.run([*alone, "mount", "-t", "ramfs", "none", str(tmp_path)], capture_output=True).returncode:
        pytest.skip("this user may not mount anything, not even where nobody sees it")

    command = [*alone, sys.executable, "-P", "-c", ELSEWHERE, str(tmp_path)]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT_SECONDS)

    assert (ended.stdout, ended.stderr) == ("True\n", "")


def pressed(records: int, wide: Sequence[int] = ()) -> tuple[Pressed, bytes]:
    """Rows of ``records`` boards, those of the indices ``wide`` with a text beside them that is larger than a room; and
    what they are."""
    texts = [b"x" * 2 * ROOM if index in wide else b"" for index in range(records)]
    side = Side(1, [(0, 1)], Column(), [Column(b"".join(texts), struct.pack(f"<{records}I", *map(len, texts)))], {})
    boards = b"".join(pack(board) for board, _ in generate(4, seed=2)) * (records // 4 + 1)
    boards = boards[: PACKED * records]
    sheet = Sheet(boards, side, Reply(*kernel.extension.solve(boards, 2, 100, kernel.width)), {})
    made = writer("csv", ["text"])
    rows = made.sheet(sheet)
    assert isinstance(rows, Pressed)
    return rows, b"".join(made.sheet(sheet))


@needs_kernel
@pytest.mark.parametrize("wide", [(), (0,), (300,), (0, 1, 300, 999)], ids=str)
def test_rows_are_pressed_into_the_rooms_as_they_are(path: Path, begin: Begin, wide: Sequence[int]) -> None:
    tail = begin(7)
    tail.write([DATA[:100]])

    rows, wanted = pressed(1000, wide)
    size = tail.write(rows)
    tail.write([b"end"])

    assert (size, there(tail)) == (len(wanted), 7 + 100 + len(wanted) + 3)
    assert path.read_bytes()[7:] == DATA[:100] + wanted + b"end"


@needs_kernel
def test_pressed_rows_go_past_the_page_cache_as_whole_pages_but_for_both_ends(
    begin: Begin, direct: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    puts = noting(monkeypatch)
    tail = begin(7)

    tail.write(pressed(1000)[0])
    there(tail)

    assert [put.is_direct for put in puts] == [False, *[True] * (len(puts) - 2), False]
    assert all(put.offset % PAGE == put.size % PAGE == 0 for put in puts[1:-1])


@needs_kernel
def test_rows_whose_parts_do_not_fit_together_are_an_error_and_those_before_stay(begin: Begin) -> None:
    rows, _ = pressed(1000)
    tail = begin(0)
    tail.write([DATA[:50]])
    side = Side(1, [(0, 1)], Column(), [], {})
    broken = Sheet(pack("." * 81) + b"\xaa" * PACKED, side, Reply(b"\4\4", bytes(8), b"", b""), {})

    with pytest.raises(WireError, match="no board"):
        tail.write(writer("csv", []).sheet(broken))

    assert tail.write(rows) > 0
