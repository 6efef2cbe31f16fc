"""What a worker sends about a piece: its reply, and before that who sends it and what it is about.

u8 × 4   the bytes of each of the next four
…        piece, token, hash of the boards, secret
…        the reply (`gridmill.reply`)
"""

import struct
from typing import NamedTuple, Self

_HEAD = struct.Struct("<4B")
BESIDES = _HEAD.size + 4 * 255  # bytes, at most, beside the reply


class Answered(NamedTuple):
    """``token`` says who sent it, which ``secret`` proves, and ``boards_hash`` what it was about. The reply is not read
    yet."""

    piece: bytes
    token: str
    boards_hash: bytes
    reply: bytes | memoryview
    secret: str = ""

    def encode(self) -> bytes:
        """The bytes that travel. Raises ValueError when a part before the reply has more than 255 bytes."""
        parts = self.piece, self.token.encode(), self.boards_hash, self.secret.encode()
        if max(map(len, parts)) > 255:
            raise ValueError("a part of an answer that is not its reply is too long")
        return b"".join((_HEAD.pack(*map(len, parts)), *parts, self.reply))

    @classmethod
    def decode(cls, data: bytes) -> Self:
        """Read them; of what is too short to be an answer, all parts are empty."""
        sizes = _HEAD.unpack_from(data) if len(data) >= _HEAD.size else ()
        at, parts = _HEAD.size, []
        for size in sizes:
            parts.append(data[at : at + size])
            at += size
        if not sizes or at > len(data):
            return cls(b"", "", b"", b"")
        piece, token, about, secret = parts
        return cls(
            piece, token.decode("utf-8", "replace"), about, memoryview(data)[at:], secret.decode("utf-8", "replace")
        )
