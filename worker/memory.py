"""The memory of a worker's child: no board may eat the host."""

import contextlib
import resource


def bound(size: int) -> None:
    """Let this process have ``size`` bytes of memory of its own; beyond them it gets a MemoryError.

    What is only mapped to be read does not count, as libraries are. (macOS does not hold processes to the limit.)
    """
    _, most = resource.getrlimit(resource.RLIMIT_DATA)
    if most != resource.RLIM_INFINITY:
        size = min(size, most)
    with contextlib.suppress(ValueError):
        resource.setrlimit(resource.RLIMIT_DATA, (size, most))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
