"""An answers file of ours, with other answers in the place of those that failed. All else stays, to the byte."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from gridmill.answers import Status
from gridmill.errors import FormatError
from gridmill.formats import told
from gridmill.formats.quoting import QUOTE, quote, split_row
from gridmill.formats.row import FIELDS

FORMS = ("csv", "jsonl")  # those that have the puzzle beside its answer, one record behind the other

_STATUS, _PUZZLE = FIELDS.index("status"), FIELDS.index("puzzle")
_KEPT = ("record", "line", "id", "puzzle", "in")  # in an object, what is no answer

Said = dict[str, Any]  # an answer: what the columns say from `status` on, as in JSON lines


class _Piece(NamedTuple):
    """A record as it stands in the file, line end included; ``fields`` or ``value`` only of one that failed."""

    raw: str
    puzzle: str = ""
    fields: list[str] | None = None
    value: dict[str, Any] | None = None


def failed(path: Path, form: str) -> list[str]:
    """The puzzles of the records that failed, in order. Raises FormatError."""
    return [piece.puzzle for piece in _pieces(path, form) if piece.puzzle]


def amended(path: Path, form: str, answers: Iterable[Said]) -> Iterator[bytes]:
    """The file with ``answers``, one for each that failed, in order. Raises FormatError."""
    fresh = iter(answers)
    names: list[str] = []
    for piece in _pieces(path, form):
        text = piece.raw
        if piece.fields is not None:
            text = _row(names, piece.fields, next(fresh))
        elif piece.value is not None:
            text = msgspec.json.encode(piece.value | next(fresh)).decode() + "\n"
        elif not names and form == "csv":
            names = split_row(piece.raw)
        yield text.encode("utf-8", "surrogateescape")


def answers(path: Path) -> Iterator[Said]:
    """The answers in JSON lines of ours. Raises FormatError."""
    decoder = msgspec.json.Decoder(dict[str, Any])
    try:
        with path.open("rb") as file:
            for line in file:
                yield {name: value for name, value in decoder.decode(line).items() if name not in _KEPT}
    except (OSError, msgspec.MsgspecError) as error:
        raise FormatError(f"{path} cannot be read: {error}; remove it and try again") from error


def _row(names: list[str], fields: list[str], said: Said) -> str:
    changed = (told.text(said[name]) if name in said else field for name, field in zip(names, fields, strict=True))
    return ",".join(map(quote, changed)) + "\n"


def _pieces(path: Path, form: str) -> Iterator[_Piece]:
    try:
        with path.open(encoding="utf-8", errors="surrogateescape", newline="\n") as file:
            yield from map(_object, file) if form == "jsonl" else map(_fields, _rows(file))
    except (OSError, ValueError, msgspec.MsgspecError, KeyError) as error:
        raise FormatError(f"{path} cannot be read as {form}: {error}") from error


def _rows(lines: Iterable[str]) -> Iterator[str]:
    """The rows of a CSV file that we have written: a row goes on while a quote is open."""
    row = ""
    for line in lines:
        row += line
        if row.count(QUOTE) % 2 == 0:
            yield row
            row = ""
    if row:
        yield row


def _fields(row: str) -> _Piece:
    if f",{Status.FAILED.value}," not in row:
        return _Piece(row)
    fields = split_row(row)
    if len(fields) < len(FIELDS) or fields[_STATUS] != Status.FAILED.value:
        return _Piece(row)
    return _Piece(row, fields[_PUZZLE], fields=fields)


def _object(line: str) -> _Piece:
    if Status.FAILED.value not in line:
        return _Piece(line)
    value = msgspec.json.decode(line.encode("utf-8", "surrogateescape"), type=dict[str, Any])
    return _Piece(line, value["puzzle"], value=value) if value.get("status") == Status.FAILED.value else _Piece(line)
