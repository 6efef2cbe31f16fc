"""Processes that pass megabytes from hand to hand: their C library keeps what they free.

Else glibc gives each large block back to the system and gets it anew, zeroed, page by page: a tenth of what a worker
does with easy boards, and nine tenths of what it takes a collector to read a reply. Other C libraries have other ways,
and are left alone.
"""

from gridmill import kernel

MAPPING = 32 << 20  # bytes that make a block a mapping of its own: glibc's most
SPARE = 64 << 20  # bytes free at the end before any go back: a few chunks

# The environment of a process that is started.
KEPT = {"MALLOC_MMAP_THRESHOLD_": str(MAPPING), "MALLOC_TRIM_THRESHOLD_": str(SPARE)}


def keep() -> None:
    """The same for this process, which runs already; without the kernel nothing is so fast that it would matter."""
    if kernel.native:
        kernel.extension.keep_freed(MAPPING, SPARE)
