"""The digest of what travels."""

from gridmill.digest import BYTES, digest


def test_a_digest_tells_contents_apart() -> None:
    assert digest(b"boards") == digest(bytes(bytearray(b"boards")))
    assert digest(b"boards") != digest(b"board")


def test_parts_are_read_one_behind_the_other() -> None:
    assert digest(b"bo", b"", b"ards") == digest(b"boards")


def test_a_digest_is_the_same_on_every_machine() -> None:
    # The published test vector of BLAKE3 for one zero byte.
    assert digest(b"\0").hex() == "2d3adedff11b61f14c886e35afa036736dcd87a74d27b5c1510225d0f592e213"[: 2 * BYTES]
