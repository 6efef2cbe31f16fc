"""How commands are written: as redis-py writes them, in fewer parts."""

from typing import Any

import pytest
import redis

from gridmill.packer import APART, Packer

# redis-py's types are missing.
OWN: Any = redis.Connection
COMMANDS: list[tuple[Any, ...]] = [
    ("MULTI",),
    ("GET", "key"),
    (b"GET", b"key"),
    ("SCRIPT LOAD", "return 1"),
    (b"CONFIG GET", "*"),
    ("SET", "", b""),
    ("SET", "käse", "\U0001f9c0"),
    ("SET", b"\r\n$3\r\n", bytes(range(256))),
    ("INCRBY", "key", -1, 0, 1 << 60, 0.1, 1e300, -0.0),
    *[("SET", "key", b"x" * size, "PX", 5) for size in (APART - 1, APART, APART + 1, 1 << 20)],
    ("MSET", "a", b"x" * APART, "b", "y" * APART, "c", b"z"),
]


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: f"{command[0]} {len(command[-1:])}")
def test_a_command_is_the_same_bytes_as_redis_py_writes(command: tuple[Any, ...]) -> None:
    assert b"".join(Packer().pack(*command)) == b"".join(OWN().pack_command(*command))


def test_what_is_long_is_not_copied() -> None:
    value = b"x" * APART

    parts = Packer().pack("SET", "key", value)

    assert any(part is value for part in parts)


LONG = b"x" * APART
IN_PARTS = [(), (b"",), (b"ab", b"", b"c"), (b"a", LONG, LONG), (LONG, b"b")]


@pytest.mark.parametrize("word", IN_PARTS, ids=range(5))
def test_a_word_may_come_in_parts(word: tuple[bytes, ...]) -> None:
    whole = b"".join(word)

    assert b"".join(Packer().pack("SET", word, "key", word)) == b"".join(Packer().pack("SET", whole, "key", whole))


def test_parts_that_are_long_are_not_copied() -> None:
    assert sum(part is LONG for part in Packer().pack("SET", "key", (b"head", LONG, LONG, b"end"))) == 2


@pytest.mark.parametrize("word", [None, True, ["a"], {}, memoryview(b"x"), ((b"x",),)])
def test_what_is_no_word_is_refused(word: Any) -> None:
    with pytest.raises(redis.DataError, match=type(word).__name__):
        Packer().pack("SET", "key", word)
