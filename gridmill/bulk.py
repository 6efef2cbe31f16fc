"""How redis-py reads what a server sends, with a shorter way for what is long.

redis-py gathers an answer from parts of 64 KiB and copies it three times on the way: of three megabytes of boards or
answers that is half of what their reading costs. Here a long value is read into the memory that it stays in.
"""

import io
from typing import Any

from redis import exceptions
from redis._parsers import _RESP2Parser
from redis._parsers.socket import SERVER_CLOSED_CONNECTION_ERROR, SocketBuffer

LONG = 1 << 17  # bytes of a value, from which it pays


class BulkParser(_RESP2Parser):
    """The ``parser_class`` of a connection with protocol 2."""

    def on_connect(self, connection: Any) -> None:
        """See redis-py."""
        super().on_connect(connection)  # type: ignore[no-untyped-call]  # its types are missing
        self._buffer = _Buffer(connection._sock, self.socket_read_size, connection.socket_timeout)


class _Buffer(SocketBuffer):
    def read(self, length: int, *args: Any, **options: Any) -> bytes:
        """The value of ``length`` bytes that comes next, and the end of its line.

        Raises redis-py's TimeoutError or ConnectionError when it does not come."""
        if length < LONG:
            return super().read(length, *args, **options)
        room = io.BytesIO()
        room.seek(length - 1)
        room.write(b"\0")
        with room.getbuffer() as view:
            self._fill(view)
        super().read(0, *args, **options)
        return room.getvalue()  # no copy: nobody else has the memory

    def _fill(self, view: memoryview) -> None:
        filled = self._buffer.readinto(view)
        try:
            while filled < len(view):
                received = self._sock.recv_into(view[filled:])
                if not received:
                    raise exceptions.ConnectionError(SERVER_CLOSED_CONNECTION_ERROR)
                filled += received
        except TimeoutError as error:
            raise exceptions.TimeoutError("Timeout reading from socket") from error
