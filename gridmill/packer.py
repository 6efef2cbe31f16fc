"""How redis-py writes a command to a server, in fewer moves.

redis-py joins what it has of a command anew with each word: of the steps of a chunk, which have a dozen words each,
that is a fifth of what they cost.
"""

from redis.exceptions import DataError

APART = 1 << 13  # bytes of a word, from which it is sent by itself rather than copied


class Packer:
    """The ``command_packer`` of a connection, or of many. A word may come in parts, as a tuple of bytes."""

    def pack(self, name: str | bytes, *args: bytes | str | float | tuple[bytes, ...]) -> list[bytes]:
        """A command as it is sent: in one part, but for what is long. Raises redis-py's DataError."""
        words = [*name.split(), *args]
        parts: list[bytes] = []
        rest = [b"*%d\r\n" % len(words)]
        for word in words:
            said = [_bytes(part) for part in word] if isinstance(word, tuple) else [_bytes(word)]
            rest.append(b"$%d\r\n" % sum(map(len, said)))
            for part in said:
                if len(part) < APART:
                    rest.append(part)
                else:
                    parts += b"".join(rest), part
                    rest.clear()
            rest.append(b"\r\n")
        return [*parts, b"".join(rest)]


def _bytes(word: object) -> bytes:
    if isinstance(word, bytes):
        return word
    if isinstance(word, str):
        return word.encode()
    if isinstance(word, int | float) and not isinstance(word, bool):
        return repr(word).encode()
    raise DataError(f"a word of a command is bytes, text or a number, not {type(word).__name__}")
