"""One puzzle as a JSON value: text, a grid of numbers or texts, or an object with one of these and other fields.

A grid is nine rows of nine cells, nine texts of nine characters, or 81 cells. A cell is a number 0 to 9, a text of one
character, or null. Fields of an object are carried as they stand there, texts without their quotes.
"""

from collections.abc import Callable, Iterable, Sequence

import msgspec

from gridmill.board import BLANK, CELLS
from gridmill.chunk import Record
from gridmill.errors import BoardError, FormatError
from gridmill.formats.cells import check_text, read_cells
from gridmill.formats.columns import ambiguous
from gridmill.formats.escape import printable
from gridmill.formats.header import ID_NAME, PUZZLE_NAMES
from gridmill.formats.reader import fault_of
from gridmill.rules import cell_name

_SIDE = 9
_SHOWN_KEYS = 50  # names of fields in an error: more would hide what it says
_EMPTY = (None, "", " ", 0, "0", BLANK)  # cells that are blank, whatever else is in the grid

_Object = dict[str, msgspec.Raw]
_DIGITS = {number: str(number) if number else BLANK for number in range(_SIDE + 1)}
_GRID = [_SIDE] * _SIDE
_as_numbers = msgspec.json.Decoder(list[list[int]]).decode
_as_object = msgspec.json.Decoder(_Object).decode


class Boards:
    """Makes records of values. ``column``: the field that holds the puzzle, None: one of `PUZZLE_NAMES`.

    ``columns`` are the fields that are carried, by the names that they have in `titles`.
    """

    def __init__(self, samples: Iterable[str], column: str | None) -> None:
        self._column = column
        self._carried = tuple(dict.fromkeys(key for text in samples for key in self._own_keys(text)))
        self.columns = tuple(printable(key) or "column" for key in self._carried)
        self.cells: Callable[[str], str] = read_cells

    def record(self, line: int, text: str) -> Record:
        """The record that a value is, whatever the value is."""
        fields = _fields(text)
        puzzle = self.puzzle_key(fields)
        number = next((_shown(fields[key]) for key in fields if key.lower() == ID_NAME and key != puzzle), "")
        extras = tuple([_shown(fields[key]) if key in fields else "" for key in self._carried])
        value = text if puzzle is None else _text(fields[puzzle])
        try:
            check_text(text)
            if fields and puzzle is None:
                names = ", ".join(map(printable, fields))
                raise BoardError(f"the object has no field with a puzzle ({self._column or 'puzzle'}); it has {names}")
            return Record(line, board_of(value, self.cells), None, number, extras)
        except BoardError as error:
            return Record(line, None, fault_of(error, value), printable(number), tuple(map(printable, extras)))

    def puzzle_key(self, fields: _Object) -> str | None:
        """The key of the field with the puzzle."""
        if self._column is not None:
            return self._column if self._column in fields else None
        lower = {key.lower(): key for key in reversed(fields)}
        return next((lower[name] for name in PUZZLE_NAMES if name in lower), None)

    def _own_keys(self, text: str) -> list[str]:
        fields = _fields(text)
        puzzle = self.puzzle_key(fields)
        return [key for key in fields if key != puzzle and key.lower() != ID_NAME]


def settled(samples: Sequence[str], column: str | None, name: str) -> Boards:
    """What makes records of the values of the file ``name``, of which ``samples`` are the first.

    Raises FormatError when none of them has the demanded ``column``, or when two fields have puzzles.
    """
    fields = [_fields(text) for text in samples]
    keys = tuple(dict.fromkeys(key for each in fields for key in each))
    if column is not None and column not in keys:
        there = ", ".join(printable(key) for key in keys[:_SHOWN_KEYS]) or "none"
        raise FormatError(f"{name} has no field {printable(column)!r}; its first puzzles have: {there}")
    named = [key for key in keys if key.lower() in PUZZLE_NAMES] if column is None else []
    both = (
        [key for key in named if any(is_open(_text(each[key])) for each in fields if key in each)] if named[1:] else []
    )
    if len(both) > 1:
        raise ambiguous(name, "fields {!r} and {!r}".format(*map(printable, both[:2])), "NAME")
    return Boards(samples, both[0] if both else column)


def is_open(text: str) -> bool:
    """Whether a JSON value, or a text without its quotes, is a board with blanks."""
    try:
        return BLANK in (board_of(text) if text.startswith(("[", '"')) else read_cells(text))
    except BoardError:
        return False


def is_puzzle(value: object) -> bool:
    """Whether a decoded value is, by its shape, a puzzle or an object with one."""
    if isinstance(value, dict):
        return any(str(key).lower() in PUZZLE_NAMES for key in value)
    if isinstance(value, list):
        rows = [len(row) if isinstance(row, list | str) else 0 for row in value]
        return len(value) == CELLS or rows == _GRID
    return isinstance(value, str) and len("".join(value.split())) == CELLS


def board_of(text: str, cells: Callable[[str], str] = read_cells) -> str:
    """The board in a JSON value. Raises BoardError."""
    return _numbers(text) or _any(text, cells)


def _numbers(text: str) -> str | None:
    """The board in nine rows of numbers, without a look at each cell; None for any other value."""
    if not text.startswith("["):
        return None
    try:
        rows = _as_numbers(text)
        return "".join([_DIGITS[number] for row in rows for number in row]) if _shape(rows) == _GRID else None
    except (msgspec.MsgspecError, RecursionError, UnicodeError, KeyError):
        return None


def _any(text: str, cells: Callable[[str], str]) -> str:
    try:
        value = msgspec.json.decode(text.encode("utf-8", "surrogateescape"))
    except (msgspec.MsgspecError, RecursionError, UnicodeError, ValueError) as error:
        raise BoardError(f"it cannot be read as JSON: {error}") from error
    if isinstance(value, str):
        return cells(value)
    if isinstance(value, list):
        return _grid(value, cells)
    raise BoardError(f"a puzzle is a text or a grid, not {_kind(value)}")


def _grid(value: list[object], cells: Callable[[str], str]) -> str:
    if all(isinstance(row, str) and len(row) == _SIDE for row in value) and len(value) == _SIDE:
        return cells("".join(map(str, value)))
    if len(value) == CELLS:
        rows: Sequence[object] = value
    elif _shape(value) == _GRID:
        rows = [cell for row in value if isinstance(row, list) for cell in row]
    else:
        raise BoardError(f"a grid has 9 rows of 9 cells, not {_shape_name(value)}")
    return "".join(_cell(at, cell, cells) for at, cell in enumerate(rows))


def _cell(at: int, cell: object, cells: Callable[[str], str]) -> str:
    if cell in _EMPTY and cell is not False:
        return BLANK
    text = str(cell) if isinstance(cell, int | str) and not isinstance(cell, bool) else ""
    if len(text) != 1:
        raise BoardError(f"{cell_name(at)} is {_kind(cell)}, no cell", found=printable(str(cell), 20))
    try:
        return cells(text * CELLS)[0]
    except BoardError as error:
        raise BoardError(f"{cell_name(at)} is {text!a}, neither a digit 1-9 nor a blank", found=text) from error


def _shape(value: Sequence[object]) -> list[int]:
    return [len(row) if isinstance(row, list) else 0 for row in value]


def _shape_name(value: list[object]) -> str:
    widths = sorted(set(_shape(value)))
    return f"{len(value)} rows of {' or '.join(map(str, widths)) or 'no'} cells"


def _kind(value: object) -> str:
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list):
        return "a list"
    return f"{value!a}"[:20]


def _fields(text: str) -> _Object:
    """The fields of an object; none for any other value."""
    if not text.lstrip().startswith("{"):
        return {}
    try:
        return _as_object(text.encode("utf-8", "surrogateescape"))
    except (msgspec.MsgspecError, RecursionError, UnicodeError, ValueError):
        return {}


def _text(raw: msgspec.Raw) -> str:
    return bytes(raw).decode("utf-8", "surrogateescape")


def _shown(raw: msgspec.Raw) -> str:
    """A field as text: a string itself, nothing for null, anything else as it stands there."""
    text = _text(raw).strip()
    if text.startswith('"'):
        try:
            return msgspec.json.decode(raw, type=str)
        except (msgspec.MsgspecError, UnicodeError):
            return text
    return "" if text == "null" else text
