"""Formats that are known and not read: each is refused by its name, with what to do instead."""

import re
from collections.abc import Callable, Sequence

from gridmill.formats.cells import is_signs, size_fault
from gridmill.formats.notes import is_note

_AS_TEXT = "export the puzzle as 81 characters"
_ONE_BY_ONE = "--input-format lines has every line answered by itself"

# A row of nine cells, each with its candidates; SudoCue marks with u what the player has filled in.
_GROUP = r"u?[1-9]{1,9}"
_CANDIDATES = re.compile(rf"[|\s]*{_GROUP}(?:[|\s]+{_GROUP}){{8}}[|\s]*").fullmatch
_PLAYED = re.compile(r"u[1-9]").search
_SEVERAL = re.compile(r"[1-9]{2}").search

_SITES = {  # a part of an address: whose it is
    "sudokuwiki": "SudokuWiki",
    "f-puzzles": "f-puzzles",
    "sudokupad": "SudokuPad",
    "crackingthecryptic": "SudokuPad",
    "penpa": "penpa",
}
_ADDRESS = re.compile(r"\s*(?:https?://|www\.)(\S+)", re.IGNORECASE).match
_LINK = re.compile(r"\s*(fpuz(?:zles)?|scl|ctc)[A-Za-z0-9+/=%_-]{40,}\s*").fullmatch
_PENPA = re.compile(r"\s*(?:m=(?:edit|solve)&p=|square,\d+,\d+,)").match
_PAGE = re.compile(r"\s*<(?:!doctype html|html)[\s>]", re.IGNORECASE).match
_SIDES = {4: "4×4", 6: "6×6", 12: "12×12", 16: "16×16", 25: "25×25"}  # rows of a board: its size
_HAS_CELLS = re.compile(r"[0-9.]").search


def refusal(head: Sequence[str], path: str) -> str | None:
    """What a file without a board among its first lines is, and what to do; None when it is nothing known."""
    content = [line for line in head if not is_note(line)]
    if not content:
        return None
    return next(filter(None, (look(content) for look in _LOOKS)), None) or _by_name(path)


def is_candidates(line: str) -> bool:
    """Whether a line is a row of nine cells of which one at least has several candidates."""
    return _CANDIDATES(line) is not None and _SEVERAL(line) is not None


def _wide(content: Sequence[str]) -> str | None:
    start = content[0][:40]
    nulls = {at % 2 for at, sign in enumerate(start) if sign == "\0"}
    if len(nulls) != 1 or start.count("\0") < max(4, len(start) // 2 - 1):
        return None
    form = "UTF-16LE" if nulls == {1} else "UTF-16BE"
    return f"{form} text without a mark; save it as UTF-8 (iconv -f {form} -t UTF-8)"


def _pencilmarks(content: Sequence[str]) -> str | None:
    rows = [line for line in content if _CANDIDATES(line)]
    if len(rows) < 9 or not any(map(is_candidates, rows)):
        return None
    if any(map(_PLAYED, rows)):
        return f"SudoCue's .sdx, a game in progress; {_AS_TEXT}, or save it as .sdk"
    return f"a grid of candidates (pencilmarks); {_AS_TEXT}"


def _address(content: Sequence[str]) -> str | None:
    match = _ADDRESS(content[0])
    if match:
        site = next((name for part, name in _SITES.items() if part in match[1].lower()), None)
        return f"addresses of puzzles{f' at {site}' if site else ''}; open them there and {_AS_TEXT}"
    link = _LINK(content[0])
    if link:
        return f"links of {'f-puzzles' if link[1].startswith('fpuz') else 'SudokuPad'}; open them there and {_AS_TEXT}"
    return f"a puzzle of penpa; {_AS_TEXT}" if _PENPA(content[0]) else None


def _page(content: Sequence[str]) -> str | None:
    return f"a web page (HTML); {_AS_TEXT}" if _PAGE(content[0]) else None


def _lines_of_other_sizes(content: Sequence[str]) -> str | None:
    faults = {size_fault(line.strip()) if _HAS_CELLS(line) else None for line in content}
    fault = faults.pop()
    return None if faults or fault is None else f"no list of 9×9 boards: {fault} ({_ONE_BY_ONE})"


def _rows_of_other_sizes(content: Sequence[str]) -> str | None:
    rows = [line.translate(_NO_BARS).split() for line in content]
    rows = [row for row in rows if any(any(sign.isalnum() or sign in "._" for sign in cell) for cell in row)]
    side = len(rows[0][0]) if rows and len(rows[0]) == 1 else len(rows[0]) if rows else 0
    same = all(len("".join(row)) == side and is_signs("".join(row)) for row in rows) or all(
        len(row) == side and all(len(cell) <= 2 and is_signs(cell) for cell in row) for row in rows
    )
    if side not in _SIDES or len(rows) % side or not same:
        return None
    return f"no list of 9×9 boards: size {_SIDES[side]} is not supported ({_ONE_BY_ONE})"


_NO_BARS = str.maketrans("|+-=", "    ")


def _by_name(path: str) -> str | None:
    """The one look at a name: it decides nothing but the words of a refusal."""
    for ending, words in ((".sud", "a .sud file"), (".sdx", "SudoCue's .sdx, a game in progress")):
        if path.lower().endswith(ending):
            return f"{words}; {_AS_TEXT}"
    return None


_LOOKS: tuple[Callable[[Sequence[str]], str | None], ...] = (
    _wide,
    _pencilmarks,
    _address,
    _page,
    _lines_of_other_sizes,
    _rows_of_other_sizes,
)
