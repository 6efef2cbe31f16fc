"""A disk that keeps what was synced, and of the rest what it likes."""

import os
from pathlib import Path
from typing import Any

import pytest

from collector import journal, tail

from .world import Killed, World


class Disk:
    """The folder of the output, on a disk that may keep what was written since the last sync, or a part of it."""

    def __init__(self, world: World, folder: Path, expected: bytes, patch: pytest.MonkeyPatch) -> None:
        self.world, self.folder, self.expected = world, folder, expected
        self.open: dict[int, Path] = {}
        self.synced: dict[Path, bytes] = {}
        self.renamed: tuple[Path, Path] | None = None
        self.real = {name: getattr(os, name) for name in ("open", "close", "pwrite", "fsync", "rename", "unlink")}
        for name in self.real:
            patch.setattr(os, name, getattr(self, f"_{name}"))
        patch.setattr(journal, "_sync", self._fsync)
        patch.setattr(tail, "PAGE", 512)  # a sector, so that there are whole ones in outputs as small as these
        patch.setattr(tail, "ROOM", 2048)

    def moment(self) -> None:
        """One in which the process may die: each of the few around a save matters."""
        self.world.pause()
        if self.world.odds(3):
            raise Killed

    def _open(self, path: Any, flags: int, *args: Any, **options: Any) -> int:
        descriptor: int = self.real["open"](path, flags, *args, **options)
        if self.folder in (Path(path), Path(path).parent):
            self.open[descriptor] = Path(path)
        return descriptor

    def _close(self, descriptor: int) -> None:
        self.open.pop(descriptor, None)
        self.real["close"](descriptor)

    def _pwrite(self, descriptor: int, data: bytes, offset: int) -> int:
        self.moment()
        if self.world.odds():
            self.real["pwrite"](descriptor, data[: len(data) // 2], offset)
            raise OSError(28, "No space left on device")
        some = self.world.rng.randint(1, len(data)) if self.world.odds(10) else len(data)
        written: int = self.real["pwrite"](descriptor, data[:some], offset)
        return written

    def _fsync(self, descriptor: int) -> None:
        path = self.open[descriptor]
        self.moment()
        if path == self.folder:
            self.renamed = None
        else:
            self.synced[path] = path.read_bytes()
        if path.suffix == ".part":
            assert self.expected.startswith(self.synced[path]), "what was saved is not the beginning of the answers"
        self.moment()

    def _rename(self, old: Path, new: Path) -> None:
        self.moment()
        self.real["rename"](old, new)
        self.renamed = (old, new)
        self.synced[new] = self.synced.pop(old)
        self.moment()

    def _unlink(self, path: Path) -> None:
        self.real["unlink"](path)
        self.synced.pop(Path(path), None)

    def crash(self, *, power: bool) -> None:
        """The process that had the files is gone, with ``power`` the machine too."""
        for descriptor in list(self.open):
            self._close(descriptor)
        if power and self.renamed and self.world.rng.random() < 0.5:
            old, new = self.renamed
            self.real["rename"](new, old)
            self.synced[old] = self.synced.pop(new)
        self.renamed = None if power else self.renamed
        for path in self.folder.iterdir() if power else ():
            path.write_bytes(self._torn(self.synced.get(path, b""), path.read_bytes()))

    def _torn(self, before: bytes, now: bytes) -> bytes:
        """Each sector is as it was synced, or as it was written last."""
        size = self.world.rng.choice([max(len(before), 0), len(now)])
        old, new = before.ljust(size, b"\0")[:size], now.ljust(size, b"\0")[:size]
        sectors = range(0, size, 512)
        return b"".join(self.world.rng.choice((old, new))[at : at + 512] for at in sectors)
