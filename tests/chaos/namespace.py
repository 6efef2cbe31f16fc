"""Hosts that are network namespaces, where those are allowed: one that is cut off gets nothing, and nobody is told.

They are made and kept by ``benchmarks/namespaces.py``, which removes them when this process ends, however it does.
"""

import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "namespaces.py"
LIMIT = 30.0  # seconds for one call of ip, and for the script to remove them: it takes some milliseconds


class Namespace(NamedTuple):
    """``name``, and the ``address`` that this machine has for those inside."""

    name: str
    address: str

    @property
    def enter(self) -> list[str]:
        """The words before a command that is to run inside."""
        return ["ip", "netns", "exec", self.name]

    def cut(self) -> None:
        """Take its cable out."""
        self._link("down")

    def heal(self) -> None:
        """Put it back in."""
        self._link("up")

    def _link(self, state: str) -> None:
        subprocess.run(["ip", "-n", self.name, "link", "set", "out", state], check=True, timeout=LIMIT)


class Namespaces:
    """``number`` of them; none where this user, or this machine, may not have any."""

    def __init__(self, number: int) -> None:
        self._keeper = subprocess.Popen(
            [sys.executable, "-P", str(SCRIPT), str(number)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        assert self._keeper.stdout is not None
        said = [self._keeper.stdout.readline().split() for _ in range(number)]
        self.all = [Namespace(*words) for words in said] if all(said) else []

    def close(self) -> None:
        """Remove them."""
        self._keeper.communicate(timeout=LIMIT)
