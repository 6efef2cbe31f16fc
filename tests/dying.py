"""Runs that die: processes that have noted how far they are, and say no more."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import msgspec

from gridmill.track import Track, Tracks

_PROGRAM = """
import sys
from pathlib import Path
import msgspec
from gridmill.track import Track, Tracks
Tracks(Path(sys.argv[1])).save(msgspec.json.decode(sys.argv[2], type=Track))
print("saved", flush=True)
sys.stdin.read()
"""


@contextmanager
def dying_with(tracks: Tracks, track: Track) -> Iterator["subprocess.Popen[str]"]:
    """A process that has saved ``track``, and lives until it is killed or the context ends."""
    words = [sys.executable, "-c", _PROGRAM, str(tracks.state_dir), msgspec.json.encode(track).decode()]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        assert process.stdout.readline() == "saved\n"
        yield process


def died_with(tracks: Tracks, track: Track) -> None:
    """A run whose process died when it had saved ``track``."""
    with dying_with(tracks, track) as process:
        process.kill()
