"""The hash that tells boards, chunks and replies from one another: BLAKE3, cut to 16 bytes.

It is read over every byte that passes, several times on its way, so its speed counts: 4 ns a board, where BLAKE2b takes
29 and SHA-256, with the processor's own instructions, 20 (``benchmarks/README.md``).
"""

from blake3 import blake3

BYTES = 16  # of a digest: nobody finds two contents with the same one by chance, nor by search in any time that matters


def digest(*parts: bytes | memoryview) -> bytes:
    """The digest of ``parts``, one behind the other."""
    hasher = blake3()
    for part in parts:
        hasher.update(part)
    return hasher.digest(length=BYTES)
