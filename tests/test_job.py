"""A job's id and its spec."""

import msgspec
import pytest

from gridmill.errors import WireError
from gridmill.job import MOST, WIRE, Spec, is_id, new_id

SPEC = Spec(WIRE, "bitmask", 1, False, 1000, 50, "quiz", ("id", "quiz"), ("/a b.csv", "-"))


def test_ids_are_all_different_and_all_ids() -> None:
    made = {new_id() for _ in range(1000)}

    assert len(made) == 1000
    assert all(map(is_id, made))


@pytest.mark.parametrize(
    "text", ["", "234567892", "23456789234", "23456789l2", "2345 78923", "234567892\n", "{}:*?[]23a"]
)
def test_what_must_not_become_part_of_a_key_is_no_id(text: str) -> None:
    assert not is_id(text)


def test_a_spec_survives_the_journey() -> None:
    assert Spec.decode(SPEC.encode()) == SPEC


def test_the_same_spec_has_the_same_bytes() -> None:
    """A job is the same when its stored bytes are."""
    assert msgspec.structs.replace(SPEC).encode() == SPEC.encode()
    assert msgspec.structs.replace(SPEC, budget=1001).encode() != SPEC.encode()


def test_a_spec_of_another_version_is_refused_by_both_numbers() -> None:
    newer = msgspec.structs.replace(SPEC, wire=WIRE + 1).encode()

    with pytest.raises(WireError, match=f"wire version {WIRE + 1}, this is version {WIRE}"):
        Spec.decode(newer)


@pytest.mark.parametrize("data", [b"", b"\xc1", b"\x80", msgspec.msgpack.encode({"wire": "one"})])
def test_what_is_no_spec_is_refused(data: bytes) -> None:
    with pytest.raises(WireError, match="cannot be read"):
        Spec.decode(data)


@pytest.mark.parametrize("number", [0, -1, MOST + 1])
@pytest.mark.parametrize("field", ["budget", "chunk"])
def test_a_spec_that_asks_for_no_number_that_can_be_is_refused(field: str, number: int) -> None:
    asked = msgspec.msgpack.decode(SPEC.encode()) | {field: number}
    with pytest.raises(WireError, match="cannot be read"):
        Spec.decode(msgspec.msgpack.encode(asked))


def test_a_spec_that_is_nested_without_end_is_refused() -> None:
    with pytest.raises(WireError, match="cannot be read"):
        Spec.decode(b"\x81\xa1a" * 5000)
