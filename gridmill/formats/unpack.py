"""Packed input: what its first bytes say it is, and its unpacked bytes. Names of files play no part."""

import contextlib
import importlib
import zlib
from collections.abc import Iterator
from itertools import chain
from typing import Any

from gridmill.errors import FormatError

inflater: Any = zlib
with contextlib.suppress(ImportError):  # of the extra `isal`: the same, three to five times as fast
    inflater = importlib.import_module("isal.isal_zlib")

BLOCK = 1 << 18  # bytes a read: 3,000 boards, so that what is done once a block is nothing, and still in the cache

_MAGIC = 16  # bytes that tell every kind below apart
_GZIP = b"\x1f\x8b"
_GZIP_WBITS = 31  # zlib: the largest window, with the gzip header and its checksum
_REFUSED = {  # first bytes: what the file is, what to do
    b"\xfd7zXZ\0": ("xz", "unpack it first (xz -dc)"),
    b"PK\x03\x04": ("zip", "unpack it first (unzip -p)"),
    b"BZh91AY&SY": ("bzip2", "unpack it first (bzip2 -dc)"),
    b"\x28\xb5\x2f\xfd": ("Zstandard", "unpack it first (zstd -dc)"),
    b"PAR1\x15": ("Parquet", "export it as CSV"),
    b"SQLite format 3\0": ("SQLite", "export the table as CSV"),
}


def unpacked(blocks: Iterator[bytes], name: str) -> Iterator[bytes]:
    """The content of ``blocks``, itself or unpacked, in pieces of at most `BLOCK` bytes, none of them empty.

    Raises FormatError naming the file when it is of a kind that is not read, or truncated, or corrupt.
    """
    first = b""
    while len(first) < _MAGIC and (more := next(blocks, b"")):
        first += more
    for magic, (kind, remedy) in _REFUSED.items():
        if first.startswith(magic):
            raise FormatError(f"{name} is a {kind} file, which Gridmill does not read: {remedy}")
    whole = chain((first,), blocks) if first else blocks
    return _gunzip(whole, name) if first.startswith(_GZIP) else whole


def _gunzip(blocks: Iterator[bytes], name: str) -> Iterator[bytes]:
    """All members of a gzip file, one after the other; zero bytes behind the last one are padding."""
    try:
        member = inflater.decompressobj(_GZIP_WBITS)
        for block in blocks:
            while block:
                if member.eof:
                    block = block.lstrip(b"\0")
                    if not block:
                        break
                    member = inflater.decompressobj(_GZIP_WBITS)
                if content := member.decompress(block, BLOCK):
                    yield content
                block = member.unused_data if member.eof else member.unconsumed_tail
    except inflater.error as error:
        raise FormatError(f"{name} is a corrupt gzip file ({error}); fetch or pack it again") from error
    if not member.eof:
        raise FormatError(f"{name} is a truncated gzip file: it ends too early; fetch or pack it again")
