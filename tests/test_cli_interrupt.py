"""An interrupt in a place where none can be raised is not lost."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

LOST = """
import signal, sys
from gridmill.cli.interrupt import insist

class Closed:
    def __del__(self):
        signal.raise_signal(signal.SIGINT)
        len([])  # the interrupt is raised by now, and nobody can catch it

insist()
Closed()
print("going on", flush=True)
try:
    sys.stdin.buffer.read()
except KeyboardInterrupt:
    print("heard")
"""
RAISED = """
from gridmill.cli.interrupt import insist

class Closed:
    def __del__(self):
        raise ValueError("what others say")

insist()
Closed()
"""
LATER = """
import signal
from gridmill.cli.interrupt import later

try:
    with later():
        signal.raise_signal(signal.SIGINT)
        print("made")
    print("never")
except KeyboardInterrupt:
    print("heard")
print(signal.pthread_sigmask(signal.SIG_BLOCK, ()))
"""

LONG = """
import os, signal, sys, threading
from pathlib import Path
from gridmill.cli import main

out = Path(sys.argv[-1])

def tell():
    while not list(out.parent.glob(f"{out.name}.*.part")):
        pass
    os.kill(os.getpid(), signal.SIGTERM)

threading.Thread(target=tell, daemon=True).start()
main()
"""


@pytest.mark.parametrize(("name", "code"), [("SIGINT", 130), ("SIGTERM", 143)])
def test_whoever_is_told_to_stop_takes_along_what_he_had_begun(tmp_path: Path, name: str, code: int) -> None:
    os.mkfifo(tmp_path / "in.txt")
    told = LONG.replace("SIGTERM", name)
    process = subprocess.Popen(
        [sys.executable, "-P", "-c", told, "convert", tmp_path / "in.txt", tmp_path / "out.csv"],
        stderr=subprocess.PIPE,
        text=True,
    )
    with open(tmp_path / "in.txt", "w"):  # of which nothing ever comes
        _, said = process.communicate(timeout=60)

    assert (process.returncode, said) == (code, "\ngridmill: stopped\n")
    assert os.listdir(tmp_path) == ["in.txt"]


def test_an_interrupt_that_could_not_be_raised_ends_a_wait_for_input() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", LOST], text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout
        assert process.stderr
        assert process.stdout.read() == "going on\nheard\n"  # standard input stays open all the while
        assert (process.wait(20), process.stderr.read()) == (0, "")


def test_what_else_cannot_be_raised_is_said_as_always() -> None:
    ended = subprocess.run([sys.executable, "-c", RAISED], text=True, capture_output=True, timeout=20, check=True)
    assert "ValueError: what others say" in ended.stderr


def test_an_interrupt_in_the_middle_of_an_import_is_heard_after_it() -> None:
    ended = subprocess.run([sys.executable, "-c", LATER], text=True, capture_output=True, timeout=20, check=True)
    assert ended.stdout == "made\nheard\nset()\n"


def test_nothing_that_takes_long_is_imported_before_an_interrupt_is_heard() -> None:
    code = "import sys; before = {*sys.modules}; import gridmill.__main__; print(*sorted({*sys.modules} - before))"
    ended = subprocess.run([sys.executable, "-P", "-c", code], text=True, capture_output=True, timeout=20, check=True)
    assert set(ended.stdout.split()) <= {"__future__", "gridmill", "gridmill.__main__"}
