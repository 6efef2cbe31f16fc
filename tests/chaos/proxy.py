"""The way from a host to the server: a socket that passes everything on, until it does not."""

import asyncio
import contextlib
import threading
from pathlib import Path

from chaos.namespace import Namespace

READ = 65536  # bytes at a time


class Proxy:
    """Listens at ``path`` and connects to ``target``, both unix sockets, in a thread of its own.

    For a ``host`` that is a namespace it listens by TCP instead, and the host is what is cut off.
    """

    def __init__(self, path: Path, target: Path, host: Namespace | None = None) -> None:
        self.host, self._target = host, target
        self._path, self._port = path, 0
        self._writers: set[asyncio.StreamWriter] = set()
        self._is_cut = False
        self._ready = threading.Event()
        self._thread = threading.Thread(
            target=lambda: asyncio.run(self._main()), name=f"proxy {path.name}", daemon=True
        )
        self._thread.start()
        self._ready.wait()

    @property
    def url(self) -> str:
        """The server's address by this way."""
        return f"redis://{self.host.address}:{self._port}/0" if self.host else f"unix://{self._path}"

    def cut(self) -> None:
        """Let nothing through, and end every connection, and each new one; a namespace is not told of their end."""
        if self.host:
            self.host.cut()
        else:
            self._loop.call_soon_threadsafe(self._cut)

    def hush(self) -> None:
        """Keep every connection, and let nothing through."""
        self._loop.call_soon_threadsafe(self._flows.clear)

    def heal(self) -> None:
        """Be as at first."""
        if self.host:
            self.host.heal()
        self._loop.call_soon_threadsafe(self._heal)

    def close(self) -> None:
        """Stop."""
        self._loop.call_soon_threadsafe(self._closed.set)
        self._thread.join()

    async def _main(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._flows, self._closed = asyncio.Event(), asyncio.Event()
        self._flows.set()
        if self.host:
            server = await asyncio.start_server(self._serve, self.host.address, 0)
            self._port = server.sockets[0].getsockname()[1]
        else:
            server = await asyncio.start_unix_server(self._serve, self._path)
        self._ready.set()
        await self._closed.wait()

    def _cut(self) -> None:
        self._is_cut = True
        for writer in self._writers:
            writer.transport.abort()

    def _heal(self) -> None:
        self._is_cut = False
        self._flows.set()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError, asyncio.CancelledError):  # cancelled at the end: nobody's failure
            if not self._is_cut:
                await self._pass_on(reader, writer)
        writer.transport.abort()

    async def _pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, back = await asyncio.open_unix_connection(self._target)
        self._writers |= {writer, back}
        pumps = [asyncio.create_task(self._pump(reader, back)), asyncio.create_task(self._pump(there, writer))]
        try:
            await asyncio.wait(pumps, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._writers -= {writer, back}
            back.transport.abort()

    async def _pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            while data := await reader.read(READ):
                await self._flows.wait()
                writer.write(data)
                await writer.drain()
