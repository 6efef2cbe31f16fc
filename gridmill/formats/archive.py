"""Zip files: each member is a file of its own, read where it lies and never unpacked to the disk."""

import os
import stat
import zipfile
import zlib
from collections.abc import Iterator
from typing import cast

from gridmill.errors import FormatError
from gridmill.formats.bomb import Balance
from gridmill.formats.escape import printable
from gridmill.formats.paths import natural
from gridmill.formats.source import PATH_LIMIT, STDIN, Source
from gridmill.formats.unpack import BLOCK, ZIP

MEMBERS = 100_000  # members a file: what is known of each takes about a kilobyte of memory

DIRECTORY = 1 << 25  # bytes of the directory, 32 MiB: 300 a member, twice what long names take

_END, _END_SIZE = b"PK\x05\x06", 22  # the last record, without its comment of up to `_COMMENT` bytes
_COMMENT = 1 << 16
_SIZE_AT = 12  # in it: the bytes of the directory, u32
_END64, _LOCATOR_SIZE, _END64_SIZE, _SIZE64_AT = b"PK\x06\x07", 20, 56, 40  # large files': before the last, u64

_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)  # the others cannot be unpacked in pieces of a limited size
_ENCRYPTED = 0x1  # a bit of a member's flags
_WORKBOOKS = (  # members that tell a spreadsheet's file: Excel's two kinds, and OpenDocument's
    {"xl/workbook.xml"},
    {"xl/workbook.bin"},
    {"mimetype", "content.xml"},
)
_NOT_MEANT = ("__MACOSX/", ".")  # beginnings of names of what a file manager adds


def is_zip(path: str) -> bool:
    """Whether ``path`` is a file that begins as a zip file does. Not of pipes, which can be read only once."""
    try:
        if path == STDIN or not stat.S_ISREG(os.stat(path).st_mode):
            return False
        with open(path, "rb") as stream:
            return stream.read(4).startswith(ZIP)
    except (OSError, ValueError):
        return False  # opening it in earnest will say what is wrong


def members(path: str) -> list[Source]:
    """The files in the zip file ``path``, by name. Raises FormatError when there is none, or not to be read."""
    archive = _Archive(path)
    infos = sorted(archive.files(), key=lambda info: natural(info.filename))
    if not infos:
        raise FormatError(f"{archive.name} holds no file")
    return [Member(archive, info, is_last=info is infos[-1]) for info in infos]


class _Archive:
    """A zip file, open from when it is needed until its last member is read: each opening reads the whole directory."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.name = printable(path, PATH_LIMIT)
        self._file: zipfile.ZipFile | None = None

    def open(self) -> zipfile.ZipFile:
        """The open file. Raises FormatError."""
        try:
            self._file = self._file or zipfile.ZipFile(self.path)
            return self._file
        except (OSError, zipfile.BadZipFile, ValueError, NotImplementedError) as error:
            raise FormatError(f"{self.name} is a corrupt zip file ({error}); fetch or pack it again") from error

    def close(self) -> None:
        """Close it, until it is opened again."""
        if self._file:
            self._file.close()
        self._file = None

    def files(self) -> list[zipfile.ZipInfo]:
        """What is known of each member that is meant to be read. Raises FormatError."""
        if _directory_size(self.path) > DIRECTORY:
            raise FormatError(f"{self.name} holds too many files; unpack it and name the folder")
        every = self.open().infolist()
        self.close()
        if len(every) > MEMBERS:
            raise FormatError(f"{self.name} holds more than {MEMBERS:,} files; unpack it and name the folder")
        names = {info.filename for info in every}
        if any(marks <= names for marks in _WORKBOOKS):
            raise FormatError(f"{self.name} is a workbook of a spreadsheet; save the table as CSV")
        return [info for info in every if not info.filename.endswith("/") and not _is_extra(info.filename)]


class Member(Source):
    """A file in a zip file. ``position`` and ``size`` are of the packed bytes."""

    def __init__(self, archive: _Archive, info: zipfile.ZipInfo, *, is_last: bool) -> None:
        super().__init__(archive.path)
        self.name = f"{archive.name}/{printable(info.filename, PATH_LIMIT)}"
        self._archive, self._info, self._is_last = archive, info, is_last

    @property
    def size(self) -> int:
        """Packed bytes."""
        return self._info.compress_size

    def _blocks(self) -> Iterator[bytes]:
        if self._info.flag_bits & _ENCRYPTED:
            raise FormatError(f"{self.name} is encrypted; unpack it first (unzip)")
        if self._info.compress_type not in _METHODS:
            raise FormatError(f"{self.name} is packed by an uncommon method; unpack it first (unzip)")
        yield from Balance(self.name, self.size).checked(self._content())

    def _content(self) -> Iterator[bytes]:
        done, whole = 0, max(1, self._info.file_size)
        try:
            with cast(zipfile.ZipExtFile, self._archive.open().open(self._info)) as stream:
                while block := stream.read1(BLOCK):
                    done += len(block)
                    self.position = min(self.size, self.size * done // whole)
                    yield block
        except (OSError, EOFError, zipfile.BadZipFile, zlib.error, ValueError, NotImplementedError) as error:
            raise FormatError(f"{self.name} cannot be unpacked ({error}); fetch or pack the zip file again") from error
        finally:
            if self._is_last:
                self._archive.close()


def _directory_size(path: str) -> int:
    """What the end of a zip file says that its directory takes; 0 where it says nothing. All of it would be read."""
    try:
        with open(path, "rb") as stream:
            stream.seek(max(0, stream.seek(0, os.SEEK_END) - _END_SIZE - _COMMENT - _LOCATOR_SIZE - _END64_SIZE))
            tail = stream.read()
    except OSError:
        return 0  # opening it in earnest will say what is wrong
    end = tail.rfind(_END, 0, len(tail) - _END_SIZE + len(_END))
    if end < 0:
        return 0
    large = end - _LOCATOR_SIZE - _END64_SIZE
    if large >= 0 and tail.startswith(_END64, end - _LOCATOR_SIZE):
        return int.from_bytes(tail[large + _SIZE64_AT :][:8], "little")
    return int.from_bytes(tail[end + _SIZE_AT :][:4], "little")


def _is_extra(name: str) -> bool:
    return name.startswith(_NOT_MEANT) or os.path.basename(name).startswith(".")
