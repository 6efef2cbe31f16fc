"""Packed input: what its first bytes say it is, and its unpacked bytes. Names of files play no part.

Zip files are in `gridmill.formats.archive`, since they hold several files.
"""

import contextlib
import importlib
import zlib
from collections.abc import Callable, Iterator
from itertools import chain
from typing import Any

from gridmill.errors import FormatError
from gridmill.formats.bomb import Balance

inflater: Any = zlib
with contextlib.suppress(ImportError):  # of the extra `isal`: the same, three to five times as fast
    inflater = importlib.import_module("isal.isal_zlib")

BLOCK = 1 << 18  # bytes a read: 3,000 boards, so that what is done once a block is nothing, and still in the cache
ZIP = (b"PK\x03\x04", b"PK\x05\x06")  # of a zip file with members, and of one without

_MAGIC = 264  # bytes that tell every kind below apart; tar's mark is at 257
_GZIP = b"\x1f\x8b"
_GZIP_WBITS = 31  # zlib: the largest window, with the gzip header and its checksum
_XZ = b"\xfd7zXZ\0"
_XZ_MEMORY = 1 << 27  # bytes, 128 MiB: what xz -9 needs (65 MiB), and not the 4 GiB that a file may ask for
_TAR, _TAR_AT = b"ustar", 257
_UNPACK, _EXPORT = "unpack it first ({})", "export the puzzles as CSV or text"
_REFUSED = {  # first bytes: what the file is, what to do
    b"BZh91AY&SY": ("bzip2", _UNPACK.format("bzip2 -dc")),
    b"\x28\xb5\x2f\xfd": ("Zstandard", _UNPACK.format("zstd -dc")),
    b"\x5d\0\0": ("lzma", _UNPACK.format("xz -dc")),
    b"7z\xbc\xaf\x27\x1c": ("7z", _UNPACK.format("7z x")),
    b"Rar!\x1a\x07": ("rar", _UNPACK.format("unrar x")),
    b"SQLite format 3\0": ("SQLite", "export the table as CSV"),
    b"ARROW1\0\0": ("Feather (Arrow)", "save it as Parquet or CSV"),
    b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1": ("Microsoft Office", _EXPORT),
    b"%PDF-": ("PDF", _EXPORT),
    b"\x89PNG\r\n\x1a\n": ("PNG image", _EXPORT),
    b"\xff\xd8\xff": ("JPEG image", _EXPORT),
}


def unpacked(blocks: Iterator[bytes], name: str) -> Iterator[bytes]:
    """The content of ``blocks``, itself or unpacked, in pieces of at most `BLOCK` bytes, none of them empty.

    Raises FormatError naming the file when it is of a kind that is not read, or truncated, or corrupt, or a bomb.
    """
    first, whole = _peeked(blocks)
    if first.startswith(ZIP):
        raise FormatError(f"{name} is a zip file that cannot be read from here; save it to a file of its own")
    _refuse(first, name)
    unpack = next((unpack for magic, unpack in _PACKED.items() if first.startswith(magic)), None)
    if unpack is None:
        return whole
    balance = Balance(name)
    first, content = _peeked(balance.checked(unpack(balance.weighed(whole), name)))
    if first.startswith((*_PACKED, *ZIP)):
        raise FormatError(f"{name} is packed twice; unpack it once")
    _refuse(first, name)
    return content


def _peeked(blocks: Iterator[bytes]) -> tuple[bytes, Iterator[bytes]]:
    """The first bytes, and all of it."""
    taken: list[bytes] = []
    while sum(map(len, taken)) < _MAGIC and (more := next(blocks, b"")):
        taken.append(more)
    return b"".join(taken), chain(taken, blocks)


def _refuse(first: bytes, name: str) -> None:
    for magic, (kind, remedy) in _REFUSED.items():
        if first.startswith(magic):
            raise FormatError(f"{name} is a {kind} file, which Gridmill does not read: {remedy}")
    if first[_TAR_AT:].startswith(_TAR):
        raise FormatError(f"{name} is a tar archive, which Gridmill does not read: unpack it and name its folder")


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
        raise _corrupt(name, "gzip", error) from error
    if not member.eof:
        raise _truncated(name, "gzip")


def _unxz(blocks: Iterator[bytes], name: str) -> Iterator[bytes]:
    """All streams of an xz file, one after the other; zero bytes between and behind them are padding."""
    import lzma  # here: some builds of Python are without it

    stream = lzma.LZMADecompressor(lzma.FORMAT_XZ, _XZ_MEMORY)
    try:
        for block in blocks:
            while block or not (stream.needs_input or stream.eof):
                if stream.eof:
                    block = block.lstrip(b"\0")
                    if not block:
                        break
                    stream = lzma.LZMADecompressor(lzma.FORMAT_XZ, _XZ_MEMORY)
                if content := stream.decompress(block, BLOCK):
                    yield content
                block = stream.unused_data if stream.eof else b""
    except lzma.LZMAError as error:
        raise _corrupt(name, "xz", error) from error
    if not stream.eof:
        raise _truncated(name, "xz")


_PACKED: dict[bytes, Callable[[Iterator[bytes], str], Iterator[bytes]]] = {_GZIP: _gunzip, _XZ: _unxz}


def _corrupt(name: str, kind: str, error: Exception) -> FormatError:
    return FormatError(f"{name} is a corrupt {kind} file ({error}); fetch or pack it again")


def _truncated(name: str, kind: str) -> FormatError:
    return FormatError(f"{name} is a truncated {kind} file: it ends too early; fetch or pack it again")
