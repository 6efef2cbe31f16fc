"""A process that is forked from this one, and has nothing of it but what it has imported."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from gridmill import fork
from gridmill.socketfolder import let_go, lock

if sys.platform != "linux":
    pytest.skip("only Linux has what is needed", allow_module_level=True)

# Each test forks from an interpreter of its own, since pytest's has threads now and then.
PROGRAM = """
import os, signal, subprocess, sys, threading
from gridmill import fork

def started(run, **more):
    read, write = os.pipe()
    process = fork.Fork(run, stdin=os.open(os.devnull, os.O_RDONLY), stdout=write, **more)
    os.close(write)
    return process, open(read)

"""


def ran(code: str) -> list[str]:
    """What a program prints that has `fork` and ``started``, which gives a process and a file with what that prints."""
    ended = subprocess.run([sys.executable, "-P", "-c", PROGRAM + code], capture_output=True, text=True, timeout=60)
    assert ended.returncode == 0, ended.stderr
    return ended.stdout.splitlines() + ended.stderr.splitlines()


def test_its_exit_code_is_what_it_returns() -> None:
    assert ran("print(started(lambda: 7)[0].wait())") == ["7"]


def test_it_exits_with_the_code_that_it_asks_for() -> None:
    assert ran("print(started(lambda: sys.exit(3))[0].wait())") == ["3"]


def test_an_error_in_it_is_shown_and_is_no_error_here() -> None:
    code, *shown = ran("print(started(lambda: 1 // 0)[0].wait())")
    assert code == "1"
    assert shown[-1].startswith("ZeroDivisionError")


def test_it_never_goes_on_with_what_its_caller_does() -> None:
    assert ran("try:\n    process, _ = started(lambda: 0)\nfinally:\n    print('once')\nprocess.wait()") == ["once"]


def test_what_is_not_written_yet_is_written_once() -> None:
    assert ran("print('once')\nprocess, _ = started(lambda: sys.stdout.flush() or 0)\nprocess.wait()") == ["once"]


def test_it_leads_a_session_of_its_own() -> None:
    code = "process, out = started(lambda: print(os.getsid(0), os.getpgrp(), flush=True) or 0)"
    code += "\nprint(process.pid, out.read())"
    pid, session, group = ran(code)[0].split()
    assert pid == session == group


def test_it_has_no_descriptor_but_those_that_it_is_to_keep(tmp_path: Path) -> None:
    code = f"""
file, kept = os.open({str(tmp_path / "lock")!r}, os.O_CREAT | os.O_RDWR), os.dup(0)
os.set_inheritable(file, True)
process, out = started(lambda: print(*os.listdir("/proc/self/fd"), flush=True) or 0, kept=(kept,))
print(kept, out.read())
"""
    kept, *found = ran(code)[0].split()
    assert {"0", "1", "2", kept} < set(found)
    assert len(found) == 5  # the last is that of the folder which it reads


def test_it_needs_no_descriptor_that_is_free() -> None:
    program = """
import resource
null = os.open(os.devnull, os.O_RDONLY)
output = os.open(os.devnull, os.O_WRONLY)
resource.setrlimit(resource.RLIMIT_NOFILE, (output + 1, output + 1))
print(fork.Fork(lambda: 7, stdin=null, stdout=output).wait())
"""
    assert ran(program) == ["7"]


def test_a_lock_is_free_when_this_process_is_killed(tmp_path: Path) -> None:
    """A lock lasts as long as any process has the descriptor, so the forked one must not."""
    code = f"""
import fcntl
held = os.open({str(tmp_path / "lock")!r}, os.O_CREAT | os.O_RDWR)
fcntl.flock(held, fcntl.LOCK_EX)
process, out = started(lambda: print("begun", flush=True) or signal.pause())
out.readline()
print(process.pid, flush=True)
signal.pause()
"""
    with subprocess.Popen([sys.executable, "-P", "-c", PROGRAM + code], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        pid = int(process.stdout.readline())
        process.kill()
    try:
        let_go(lock(tmp_path / "lock"))
    finally:
        os.kill(pid, signal.SIGKILL)


def test_its_signal_handlers_are_pythons_own_and_what_is_ignored_stays_so() -> None:
    code = """
signal.signal(signal.SIGTERM, print)
signal.signal(signal.SIGINT, signal.SIG_IGN)
def run():
    print(signal.getsignal(signal.SIGTERM) is signal.SIG_DFL, signal.getsignal(signal.SIGINT) is signal.SIG_IGN,
          signal.pthread_sigmask(signal.SIG_BLOCK, []), flush=True)
    return 0
process, out = started(run)
print(out.read(), signal.pthread_sigmask(signal.SIG_BLOCK, []))
"""
    assert ran(code) == ["True True set()", " set()"]


def test_it_can_be_told_to_end_and_waited_for() -> None:
    code = """
process, out = started(lambda: print("begun", flush=True) or signal.pause())
out.readline()
print(process.poll())
try:
    process.wait(0.01)
except subprocess.TimeoutExpired:
    print("still there")
process.terminate()
print(process.wait(60), process.poll())
process.terminate()
"""
    assert ran(code) == ["None", "still there", "-15 -15"]


def test_one_thread_can_kill_it_while_another_waits_for_it() -> None:
    code = """
process, _ = started(signal.pause)
codes = []
waiting = [threading.Thread(target=lambda: codes.append(process.wait())) for _ in range(9)]
for thread in waiting:
    thread.start()
process.kill()
for thread in waiting:
    thread.join(60)
process.kill()
print(process.poll(), codes == [-9] * 9)
"""
    assert ran(code) == ["-9 True"]


def test_it_is_possible_with_this_thread_alone() -> None:
    code = """
print(fork.is_possible())
done = threading.Event()
thread = threading.Thread(target=done.wait)
thread.start()
print(fork.is_possible())
done.set()
"""
    assert ran(code) == ["True", "False"]


def test_it_is_not_possible_where_threads_cannot_be_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(path: str) -> list[str]:
        raise FileNotFoundError(path)

    monkeypatch.setattr(os, "listdir", missing)
    assert not fork.is_possible()
