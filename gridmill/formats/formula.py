"""Cells of a CSV file that a spreadsheet would run as a formula, made harmless.

Ids, carried columns and malformed text come from whoever wrote the input, and spreadsheets run what begins with
``= + - @``. Such cells get a ``'`` in front, as do those that begin with ``'``, so that taking one ``'`` away
gives back the exact text. Plain numbers stay as they are.
"""

import re

MARK = "'"
_LEADS = ("=", "+", "-", "@", "\t", "\r", "\n", MARK)
_NUMBER = re.compile(r"[+-]?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?").fullmatch


def guard(cell: str) -> str:
    """``cell`` as it is written to a CSV file."""
    return MARK + cell if cell.startswith(_LEADS) and not _NUMBER(cell) else cell


def unguard(cell: str) -> str:
    """The cell that `guard` was given."""
    return cell.removeprefix(MARK)
