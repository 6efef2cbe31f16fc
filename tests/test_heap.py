"""What is freed stays with the process."""

import platform
import subprocess
import sys

import pytest

from gridmill import heap, kernel

PROGRAM = """
import resource, sys
from gridmill import heap
if "keep" in sys.argv:
    heap.keep()

def round():
    blocks = [b"x" * 6_000_000 for _ in range(3)]

for _ in range(3):
    round()
before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
for _ in range(5):
    round()
print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
"""
PAGES = 5 * 3 * 6_000_000 // 4096  # that the five rounds fill


def faults(*args: str, **env: str) -> int:
    done = subprocess.run(
        [sys.executable, "-P", "-c", PROGRAM, *args], capture_output=True, text=True, timeout=60, check=True, env=env
    )
    return int(done.stdout)


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="other C libraries have other ways")
@pytest.mark.skipif(not kernel.native, reason="without the kernel nothing is so fast that it would matter")
def test_blocks_that_are_freed_and_taken_again_cost_no_faults() -> None:
    assert faults() > PAGES / 2
    assert faults("keep") < PAGES / 10
    assert faults(**heap.KEPT) < PAGES / 10
