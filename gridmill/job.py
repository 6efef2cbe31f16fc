"""A job: its id, and the spec that every role reads."""

import secrets
from typing import Annotated, Self

import msgspec

from gridmill.errors import OtherRelease, UnknownJob, WireError
from gridmill.questions import NOTHING, Questions

WIRE = 5  # version of everything that travels: messages, chunks, replies, spec
MOST = 1 << 53  # nodes or records that can be asked for: what Lua counts to, and more than there is time for
_ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"  # no 0/o, 1/l/i: ids are read aloud and typed
_ID_LENGTH = 10  # 31**10 = 8e14 ids: no clash in a lifetime of jobs


def new_id() -> str:
    """A fresh job id."""
    return "".join(secrets.choice(_ALPHABET) for _ in range(_ID_LENGTH))


def is_id(text: str) -> bool:
    """Whether ``text`` could be a job id; anything else must not become part of a key."""
    return len(text) == _ID_LENGTH and all(sign in _ALPHABET for sign in text)


def checked(text: str) -> str:
    """``text``, a job id. Raises UnknownJob when it cannot be one."""
    if not is_id(text):
        raise UnknownJob(f"{text[:60]!r} is not a job id; gridmill status lists them", job=text)
    return text


_Number = Annotated[int, msgspec.Meta(ge=1, le=MOST)]


class _Version(msgspec.Struct):
    """What the spec of any release has."""

    wire: int


class Spec(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What was asked. An answer, and how the input is cut, depend on this and the input alone.

    ``budget`` counts search nodes a board, ``chunk`` records. ``column`` is the table column that holds the puzzles
    (empty: found by its name), ``columns`` are all the input's own columns, ``answers`` the indices of those with known
    solutions. ``form`` and ``blank``: what was said of the input's format (empty: found by looking). ``asked``: what
    else is asked of each puzzle.
    """

    wire: int
    solver: str
    version: int
    first: bool
    budget: _Number
    chunk: _Number
    column: str
    columns: tuple[str, ...]
    inputs: tuple[str, ...]
    answers: tuple[int, ...] = ()
    form: str = ""
    blank: str = ""
    asked: Questions = NOTHING

    def encode(self) -> bytes:
        """The bytes that are stored in Redis and in the journal."""
        return msgspec.msgpack.encode(self)

    @classmethod
    def decode(cls, data: bytes) -> Self:
        """Read what `encode` wrote. Raises OtherRelease where another version wrote it, WireError where none did."""
        try:
            wire = msgspec.msgpack.decode(data, type=_Version).wire
            if wire == WIRE:
                return msgspec.msgpack.decode(data, type=cls)
        except (msgspec.MsgspecError, RecursionError) as error:
            raise WireError(f"the spec of a job cannot be read: {error}") from error
        raise OtherRelease(f"another release made the job (wire version {wire}, this is version {WIRE})")
