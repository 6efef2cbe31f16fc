"""Environment of processes that pass megabytes from hand to hand: their C library keeps what they free.

Else glibc gives each large block back to the system and gets it anew, zeroed, page by page: a tenth of what a worker
does with easy boards. Other C libraries do not read these variables.
"""

KEPT = {
    "MALLOC_MMAP_THRESHOLD_": str(32 << 20),  # bytes that make a block a mapping of its own: glibc's most
    "MALLOC_TRIM_THRESHOLD_": str(64 << 20),  # bytes free at the end before any go back: a few chunks
}
