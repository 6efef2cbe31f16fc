"""Messages, sound ones and all kinds of others."""

import base64
import json
import pickle
from typing import Any

from gridmill.message import BOARD_TASK, LIMIT, PIECE_TASK

BOARD = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
PIECE = ["2345678923", "0:0:2", 7]
SIGNATURE = {"task": BOARD_TASK, "args": [BOARD], "kwargs": {}, "options": {}}
PICKLED = pickle.dumps((PIECE, {}, {}))


def message(args: Any = PIECE, kwargs: Any = None, embed: Any = None, **parts: Any) -> bytes:
    """As Celery's client sends it, with ``parts`` of the envelope, its headers or its properties in place of these."""
    nothing = dict.fromkeys(("callbacks", "errbacks", "chain", "chord"))
    body = base64.b64encode(json.dumps([args, kwargs or {}, nothing | (embed or {})]).encode()).decode()
    properties = {"delivery_tag": "x", "delivery_info": {}, "body_encoding": "base64", "reply_to": "r"}
    headers = {"lang": "py", "task": PIECE_TASK, "id": "an-id", "eta": None, "retries": 0, "timelimit": [None, None]}
    envelope = {"body": body, "content-type": "application/json", "content-encoding": "utf-8"}
    for name, value in parts.items():
        place: dict[str, Any] = properties if name in properties else headers
        if name in ("body", "content_type", "content_encoding"):
            place, name = envelope, name.replace("_", "-")
        place[name] = value
    return json.dumps({**envelope, "headers": headers, "properties": properties}).encode()


def raw(body: bytes, **parts: Any) -> bytes:
    """One with these bytes for its body."""
    return message(**parts, body=base64.b64encode(body).decode())


NO_MESSAGES = {
    "nothing": b"",
    "no JSON": b"garbage",
    "no text": b"\xff\xfe\x00",
    "a list": b"[]",
    "null": b"null",
    "nothing in it": b"{}",
    "no headers": json.dumps({"body": "", "properties": {}}).encode(),
    "headers in a list": json.dumps({"body": "", "headers": [], "properties": {}}).encode(),
    "deep JSON": b"[" * (LIMIT - 1),
    "a deep body": raw(b"[" * (LIMIT // 2)),
    "deep arguments": raw(b"[" * 5000 + b"]" * 5000),
    "giant": message(argsrepr="x" * LIMIT),
    "pickle": raw(PICKLED, content_type="application/x-python-serialize", content_encoding="binary"),
    "YAML": raw(b"!!python/object/apply:os.abort []", content_type="application/x-yaml"),
    "MessagePack": raw(b"\x93", content_type="application/x-msgpack", content_encoding="binary"),
    "pickle that says JSON": raw(PICKLED),
    "no base64": message(body="***"),
    "a body that is a number": message(body=5),
    "a compressed body": message(compression="application/x-gzip"),
    "another way of writing bytes": message(body_encoding="hex"),
    "another character set": message(content_encoding="utf-16"),
    "a null for a body": raw(b"null"),
    "an empty body": raw(b"[]"),
    "an unknown task": message(task="os.system"),
    "a task of Celery's own": message(task="celery.chord_unlock"),
    "a task that is a list": message(task=[1]),
    "no id": message(id=None),
    "an id that is a list": message(id=[1]),
    "an id that steers a terminal": message(id="\x1b[2J"),
    "a time to wait for": message(eta="2999-01-01T00:00:00"),
    "a time limit": message(timelimit=[0.001, 0.001]),
    "a time limit that is none": message(timelimit=["a", "b"]),
    "what is to follow": message([BOARD], embed={"callbacks": [SIGNATURE]}, task=BOARD_TASK),
    "what is to follow a failure": message([BOARD], embed={"errbacks": [SIGNATURE]}, task=BOARD_TASK),
    "a chain": message([BOARD], embed={"chain": [SIGNATURE]}, task=BOARD_TASK),
    "a chord": message([BOARD], embed={"chord": SIGNATURE}, task=BOARD_TASK),
    "few arguments": message(PIECE[:2]),
    "many arguments": message(PIECE * 2),
    "arguments with names": message(kwargs={"x": 1}),
    "a board and one more": message([BOARD, BOARD], task=BOARD_TASK),
    "no board": message([], task=BOARD_TASK),
    "a job that is a type of Celery's": message([{"__type__": "uuid", "__value__": {}}, "0:0:2", 1]),
    "a long job": message(["2" * 1000, "0:0:2", 1]),
    "a number that is true": message(["2345678923", "0:0:2", True]),
    "a number with a point": message(["2345678923", "0:0:2", 1.0]),
    "a number that is none": raw(b'[["2345678923","0:0:2",NaN],{},{}]'),
    "a number below one": message(["2345678923", "0:0:2", 0]),
    "a number of 400 digits": message(["2345678923", "0:0:2", 10**400]),
    "a number beyond Python's": raw(b'[["2345678923","0:0:2",' + b"9" * 5000 + b"],{},{}]"),
    "half a sign": raw(b'[["\\ud800"],{},{}]', task=BOARD_TASK),
}  # fmt: skip
