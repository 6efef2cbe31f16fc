"""81 cells as people write them, and what is wrong where they are not that.

One kind of blank a board: `gridmill.board.BLANKS` has several signs, and a board with two of them is more likely
damaged than meant. Spaces inside are dropped where they set apart single cells, threes or whole rows; ``80 cells, a
space, one cell`` is no board but a damaged one with a number behind it.
"""

import re
from typing import NoReturn

from gridmill.board import BLANK, BLANKS, CELLS, counted
from gridmill.errors import BoardError
from gridmill.formats.text import LINE_LIMIT, is_cut

DIGITS = "123456789"
CELL = rf"[{DIGITS}{re.escape(BLANKS)}]"  # a regular expression for one cell

_SIZE = "size {} is not supported, Gridmill solves 9×9"
_OTHER_SIZES = {  # characters: what has so many
    16: _SIZE.format("4×4"),
    36: _SIZE.format("6×6"),
    256: _SIZE.format("16×16"),
    625: _SIZE.format("25×25"),
    729: "729 characters are a pencilmark grid, which Gridmill does not read; give the 81 cells",
}
is_signs = re.compile(r"[\w.*?-]+", re.ASCII).fullmatch  # what boards of other sizes are made of
_ROW = 9
_PLAIN = re.compile("|".join(rf"([{DIGITS}{re.escape(sign)}]{{{CELLS}}})" for sign in BLANKS)).fullmatch
_CELLS = re.compile(rf"{CELL}+").fullmatch
_BROKEN = re.compile("[\0\ud800-\udfff]").search


def plain(text: str) -> str | None:
    """The board, blanks as ``.``, when ``text`` is 81 cells with one kind of blank and nothing else; else None."""
    match = _PLAIN(text)
    if match is None:
        return None
    kind = match.lastindex or 0
    return text if kind == 1 else text.replace(BLANKS[kind - 1], BLANK)


def size_fault(text: str) -> str | None:
    """What a text without spaces is, when it has as many characters as a board of another size."""
    return _OTHER_SIZES.get(len(text)) if is_signs(text) else None


def read_cells(text: str) -> str:
    """The board in ``text``, blanks as ``.``, spaces dropped.

    Raises BoardError with the column of the first wrong character, or column 0 where the whole is wrong.
    """
    groups = text.split()
    together = "".join(groups)
    board = plain(together)
    if board is None:
        _refuse(text, groups, together)
    if not _are_even({len(group) for group in groups}):
        raise BoardError("81 cells, but set apart unevenly: spaces may part single cells, threes or rows")
    return board


def check_text(text: str, limit: int = LINE_LIMIT) -> None:
    """Raise BoardError for a line of a source that was cut, or has a NUL or a byte that was not UTF-8."""
    if is_cut(text, limit):
        raise BoardError(f"it has {limit:,} characters or more")
    broken = None if text.isascii() and "\0" not in text else _BROKEN(text)
    if broken:
        what = "a NUL byte" if broken[0] == "\0" else f"the byte 0x{ord(broken[0]) & 0xFF:02x} is not UTF-8"
        raise BoardError(what, column=broken.start() + 1, found=broken[0])


def check_signs(text: str, between: str = "") -> None:
    """Raise BoardError at the first character that is no cell, no white space and not in ``between``."""
    for column, sign in enumerate(text, 1):
        if sign not in between and not sign.isspace() and not _CELLS(sign):
            raise BoardError(f"{sign!a} is neither a digit 1-9 nor a blank", column=column, found=sign)


def _are_even(sizes: set[int]) -> bool:
    return sizes in ({1}, {3}) or all(size % _ROW == 0 for size in sizes)


def _refuse(text: str, groups: list[str], together: str) -> NoReturn:
    """Raise BoardError with what is wrong with ``text``, which is no board."""
    first = groups[0] if groups else ""
    if fault := size_fault(first):
        raise BoardError(fault)
    cells = together
    if not _CELLS(together):
        if not (_CELLS(first) and _ROW < len(first) != CELLS):  # that would be a damaged board with something behind it
            check_signs(text)
        cells = first
    if len(cells) != CELLS:
        raise BoardError(f"{counted(len(cells))} instead of {CELLS}")
    blanks = [(at, sign) for at, sign in enumerate(text, 1) if sign in BLANKS]
    one = blanks[0][1]
    column, other = next((at, sign) for at, sign in blanks if sign != one)
    raise BoardError(f"two kinds of blank in one board, {one!a} and {other!a}", column=column, found=other)
