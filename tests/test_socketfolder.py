"""The folder of the private server's socket: short, closed, and cleared away when its run is dead."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from gridmill.socketfolder import PATH_LIMIT, PREFIX, SocketFolder, let_go, lock, unlock

DIES = """
import os
from gridmill.socketfolder import SocketFolder
print(SocketFolder().path, flush=True)
os._exit(1)
"""

BEGINS = """
from gridmill.socketfolder import SocketFolder
for _ in range(300):
    folder = SocketFolder()
    folder.socket.touch()
    assert sorted(path.name for path in folder.path.iterdir()) == ["lock", "socket"]
    folder.remove()
"""


@pytest.fixture(autouse=True)
def base(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A temporary folder of the test's own, with a short name as /tmp has."""
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        monkeypatch.setattr(tempfile, "tempdir", folder)
        monkeypatch.setenv("TMPDIR", folder)
        yield Path(folder)


def folder_of_a_dead_run() -> Path:
    done = subprocess.run([sys.executable, "-c", DIES], capture_output=True, text=True, timeout=60, check=False)
    return Path(done.stdout.strip())


def test_nobody_else_can_look_inside() -> None:
    folder = SocketFolder()
    assert folder.path.stat().st_mode & 0o777 == 0o700
    folder.remove()


def test_the_folder_is_in_the_temporary_one(base: Path) -> None:
    folder = SocketFolder()
    assert folder.socket.parent.parent == base
    folder.remove()


def test_a_long_temporary_folder_is_passed_over(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    long = tmp_path / ("x" * PATH_LIMIT)
    long.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(long))
    folder = SocketFolder()
    assert len(os.fsencode(folder.socket)) <= PATH_LIMIT
    assert folder.path.parent == Path("/tmp")
    folder.remove()


def test_what_a_dead_run_left_is_removed() -> None:
    left = folder_of_a_dead_run()
    assert left.is_dir()
    SocketFolder().remove()
    assert not left.exists()


def test_the_folder_of_a_run_that_lives_stays() -> None:
    first, second = SocketFolder(), SocketFolder()
    assert first.path.is_dir()
    first.remove()
    second.remove()


def test_what_a_run_left_that_was_killed_before_it_had_a_lock_is_removed(base: Path) -> None:
    left = Path(tempfile.mkdtemp(prefix=PREFIX, dir=base))
    SocketFolder().remove()
    assert not left.exists()


@pytest.mark.parametrize(("name", "mode"), [("notes", 0o700), ("fraction", 0o755)])
def test_a_folder_that_only_has_a_name_like_ours_stays(base: Path, name: str, mode: int) -> None:
    other = base / f"{PREFIX}{name}"
    other.mkdir()
    other.chmod(mode)
    SocketFolder().remove()
    assert other.is_dir()


def test_a_folder_like_ours_with_a_file_of_somebody_stays(base: Path) -> None:
    other = Path(tempfile.mkdtemp(prefix=PREFIX, dir=base))
    (other / "thesis.txt").touch()
    SocketFolder().remove()
    assert os.listdir(other) == ["thesis.txt"]


def test_runs_that_begin_at_the_same_time_leave_each_other_their_folders(base: Path) -> None:
    runs = [subprocess.Popen([sys.executable, "-c", BEGINS]) for _ in range(4)]
    assert [run.wait(60) for run in runs] == [0, 0, 0, 0]
    assert not os.listdir(base)


def test_a_lock_can_be_had_once(tmp_path: Path) -> None:
    held = lock(tmp_path / "lock")
    with pytest.raises(BlockingIOError):
        lock(tmp_path / "lock")
    unlock(held)
    unlock(lock(tmp_path / "lock"))


@pytest.mark.filterwarnings("ignore:.*use of fork:DeprecationWarning")  # the child does nothing that needs a lock
def test_a_forked_child_does_not_keep_a_lock(tmp_path: Path) -> None:
    """A child that outlives the run would keep its folder from ever being removed."""
    held = lock(tmp_path / "lock")
    said, say = os.pipe()
    heard, tell = os.pipe()
    child = os.fork()
    if not child:
        os.write(say, b"here")
        os.read(heard, 1)  # live until the parent has looked
        os._exit(0)
    os.read(said, 4)
    let_go(held)  # as the kernel does when a process dies: without unlocking
    try:
        unlock(lock(tmp_path / "lock"))
    finally:
        os.write(tell, b"x")
        os.waitpid(child, 0)
        for descriptor in (said, say, heard, tell):
            os.close(descriptor)
