"""A message of the queue: as a worker takes it, read strictly, and made anew with nothing in it that is not needed.

Whoever can write to the queue can put anything there, and Celery heeds much of what a message may say: that it be kept
in memory until the year 2999, that others be sent when it is done, that its process be killed after a millisecond.
What passes here is a piece, or a single board as plain Celery clients send it, and does nothing but its task.

Ours are written here too.
"""

import base64
import itertools
import uuid
from typing import Annotated, Any, Final, Literal

import msgspec

from gridmill.errors import WireError

PIECE_TASK: Final = "gridmill.piece"  # (job, piece, seq): the bulk path, nothing is returned
BOARD_TASK: Final = "gridmill.solve_board"  # (puzzle) -> dict, with a result in the result backend

LIMIT = 16_384  # bytes of a message: ours have 500, those of clients that trace their tasks a few thousand
SHORT = 64  # characters of a job and of a piece: more than either can have
SEQ_MAX = 1 << 53  # Lua counts in doubles; beyond this a number is a forgery
SHOWN = 200  # characters of a reason in the log

_tags = itertools.count(1)  # of messages, in place of their own, which might be the same twice

_Id = Annotated[str, msgspec.Meta(pattern="^[!-~]{1,255}$")]
_Short = Annotated[str, msgspec.Meta(max_length=SHORT)]
_Number = Annotated[int, msgspec.Meta(gt=0, lt=SEQ_MAX)]
_Nothing = Annotated[list[Any], msgspec.Meta(max_length=0)] | None


class _Headers(msgspec.Struct):
    """Those that are heeded, and those that must say nothing."""

    task: Literal["gridmill.piece", "gridmill.solve_board"]
    id: _Id
    ignore_result: bool | None = None  # None: as the task says
    eta: None = None
    compression: None = None
    timelimit: tuple[None, None] | None = None


class _Properties(msgspec.Struct):
    body_encoding: Literal["base64"]


class _Envelope(msgspec.Struct, rename={"encoding": "content-encoding", "type": "content-type"}):
    body: bytes  # base64
    encoding: Literal["utf-8"]
    type: Literal["application/json"]
    headers: _Headers
    properties: _Properties


class _Embed(msgspec.Struct):
    """What else would be sent when the task is done."""

    callbacks: _Nothing = None
    errbacks: _Nothing = None
    chain: _Nothing = None
    chord: None = None


class _Unnamed(msgspec.Struct, forbid_unknown_fields=True):
    """No argument by its name."""


class _Named(msgspec.Struct, forbid_unknown_fields=True):
    puzzle: Any = msgspec.UNSET


_envelope = msgspec.json.Decoder(_Envelope)
_piece = msgspec.json.Decoder(tuple[tuple[_Short, _Short, _Number], _Unnamed, _Embed | None])
_board = msgspec.json.Decoder(tuple[list[Any], _Named, _Embed | None])


def of_piece(job: str, piece: str, seq: int) -> bytes:
    """The message of sending ``seq`` of a piece: Celery's, protocol 2, without what our tasks have no use for.

    Written here, since `Celery.send_task` takes 1 ms of CPU time for it, and its import 0.2 s of a start.
    """
    return _written(_Headers(PIECE_TASK, uuid.uuid4().hex, True), [job, piece, seq])


def cleaned(raw: bytes) -> bytes:
    """``raw`` as Celery is to see it. Raises WireError for what nobody who keeps to the protocol sends."""
    if len(raw) > LIMIT:
        raise WireError(f"it has {len(raw):,} bytes, more than {LIMIT:,}")
    try:
        envelope = _envelope.decode(raw)
        args = _args(envelope.headers.task, envelope.body)
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError) as error:
        raise WireError(f"{error}"[:SHOWN]) from error
    return _written(envelope.headers, args)


def _args(task: str, body: bytes) -> list[Any]:
    if task == PIECE_TASK:
        return list(_piece.decode(body)[0])
    args, named, _ = _board.decode(body)
    args += [] if named.puzzle is msgspec.UNSET else [named.puzzle]
    if len(args) != 1:
        raise WireError(f"a board is one argument, not {len(args)}")
    (puzzle,) = args
    # What is no text is answered by the name of its type, for which an empty one will do.
    return [puzzle if isinstance(puzzle, str) or puzzle is None else type(puzzle)()]


def _written(headers: _Headers, args: list[Any]) -> bytes:
    body = msgspec.json.encode([args, {}, {"callbacks": None, "errbacks": None, "chain": None, "chord": None}])
    return msgspec.json.encode(
        {
            "body": base64.b64encode(body).decode(),
            "content-encoding": "utf-8",
            "content-type": "application/json",
            "headers": {
                "lang": "py", "task": headers.task, "id": headers.id, "root_id": headers.id, "parent_id": None,
                "argsrepr": "", "kwargsrepr": "", "ignore_result": headers.ignore_result,
            },
            "properties": {
                "body_encoding": "base64", "correlation_id": headers.id, "delivery_tag": str(next(_tags)),
                "delivery_info": {"exchange": "", "routing_key": ""},
            },
        }
    )  # fmt: skip
