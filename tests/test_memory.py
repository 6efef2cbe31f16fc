"""The limit on a child's memory."""

import subprocess
import sys

import pytest

LIMIT = 300_000_000  # bytes: what Python and its libraries need, several times over

TRY = """
import resource, sys
from worker.memory import bound
resource.setrlimit(resource.RLIMIT_DATA, ({most}, {most}))
bound({limit})
try:
    bytearray({size})
except MemoryError:
    sys.exit(7)
"""

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux holds a process to this limit")


def run(limit: int, size: int, most: int = -1) -> int:
    """The exit code of a process with ``limit`` that asks for ``size`` bytes: 7 when it does not get them.

    ``most`` is the limit that it may not go beyond, -1 for none.
    """
    code = TRY.format(limit=limit, size=size, most=most)
    return subprocess.run([sys.executable, "-P", "-c", code]).returncode


def test_more_than_the_limit_is_refused() -> None:
    assert run(LIMIT, 2 * LIMIT) == 7


def test_less_is_granted() -> None:
    assert run(LIMIT, LIMIT // 4) == 0


def test_a_lower_limit_of_the_system_is_kept() -> None:
    assert run(10 * LIMIT, 2 * LIMIT, most=LIMIT) == 7
