"""What of the queue's content reaches Celery: a piece or a board, and nothing that a message could do besides."""

import base64
import json
from typing import Any

import pytest

from gridmill.errors import WireError
from gridmill.message import BOARD_TASK, PIECE_TASK, cleaned

from .messages import BOARD, NO_MESSAGES, PIECE, message


def taken(data: bytes) -> tuple[str, list[Any]]:
    """The task and the arguments of what Celery is to see."""
    said = json.loads(cleaned(data))
    args, kwargs, embed = json.loads(base64.b64decode(said["body"]))
    assert (kwargs, set(embed.values())) == ({}, {None})
    return said["headers"]["task"], args


def test_a_piece_passes() -> None:
    assert taken(message()) == (PIECE_TASK, PIECE)


@pytest.mark.parametrize(("args", "kwargs"), [([BOARD], {}), ([], {"puzzle": BOARD})])
def test_a_board_passes_with_or_without_its_name(args: list[str], kwargs: dict[str, str]) -> None:
    assert taken(message(args, kwargs, task=BOARD_TASK)) == (BOARD_TASK, [BOARD])


@pytest.mark.parametrize(
    "puzzle", [None, 5, 1.5, True, [BOARD] * 9, {"__type__": "decimal", "__value__": "1e999999999"}]
)
def test_of_what_is_no_text_the_type_alone_passes(puzzle: Any) -> None:
    """It is answered by its type's name; whatever Celery would make of its content is not made."""
    _, (found,) = taken(message([puzzle], task=BOARD_TASK))
    assert type(found) is type(puzzle)
    assert not found


def test_nothing_passes_but_what_the_task_needs() -> None:
    said = json.loads(
        cleaned(message(expires="2999-01-01", retries=10**9, reply_to="x", group="g", stamps={"a": 1}, origin=[1]))
    )
    assert set(said["headers"]) == {
        "lang",
        "task",
        "id",
        "root_id",
        "parent_id",
        "argsrepr",
        "kwargsrepr",
        "ignore_result",
    }
    assert set(said["properties"]) == {"body_encoding", "correlation_id", "delivery_tag", "delivery_info"}


def test_no_two_messages_have_the_same_tag() -> None:
    """Celery settles messages by it."""
    tags = {json.loads(cleaned(message(delivery_tag="same")))["properties"]["delivery_tag"] for _ in range(3)}
    assert len(tags) == 3


@pytest.mark.parametrize("data", NO_MESSAGES.values(), ids=NO_MESSAGES)
def test_what_nobody_sends_who_keeps_to_the_protocol_is_refused(data: bytes) -> None:
    with pytest.raises(WireError) as caught:
        cleaned(data)
    assert 0 < len(str(caught.value)) <= 200
