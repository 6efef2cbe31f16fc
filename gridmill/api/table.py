"""Answers as a table of Arrow's. Needs the package ``pyarrow``, when it is used."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from gridmill.answers import Answer
from gridmill.api import arrow, columns
from gridmill.board import CELLS
from gridmill.formats import told
from gridmill.formats.sheet import Sheet
from gridmill.questions import Questions
from gridmill.reply import HOLE_CODE, WITH_SECOND, WITH_SOLUTION

if TYPE_CHECKING:
    import pyarrow

_STATUSES = [str(status) for status in columns.STATUSES]
_COUNTS = [Answer(status).count or None for status in columns.STATUSES]


def table(sheets: Sequence[Sheet], asked: Questions) -> pyarrow.Table:
    """The columns of an answers file from ``puzzle`` to ``detail``, and what else was ``asked``; what is empty there is
    null here.

    Raises PackageError without pyarrow.
    """
    arrow.needed()
    import pyarrow

    schema = pyarrow.schema(
        {
            "puzzle": pyarrow.large_string(),
            "status": pyarrow.dictionary(pyarrow.uint8(), pyarrow.string()),
            "count": pyarrow.string(),
            "solution": pyarrow.large_string(),
            "solution2": pyarrow.large_string(),
            "nodes": pyarrow.uint32(),
            "detail": pyarrow.string(),
            **{name: _told_type(name) for name in told.names(asked)},
        }
    )
    batches = [pyarrow.record_batch(_arrays(sheet), schema=schema) for sheet in sheets]
    return pyarrow.Table.from_batches(batches, schema)


def _arrays(sheet: Sheet) -> list[Any]:
    import pyarrow

    size, buffer = len(sheet), pyarrow.py_buffer(columns.codes(sheet))
    codes = pyarrow.Array.from_buffers(pyarrow.uint8(), size, [None, buffer])
    odd = [(index, puzzle, answer.detail) for index, puzzle, answer in sheet.odd()]
    return [
        _replaced(_texts(columns.puzzles(sheet, True)), {at: text for at, text, _ in odd if buffer[at] == HOLE_CODE}),
        pyarrow.DictionaryArray.from_arrays(codes, pyarrow.array(_STATUSES)),
        _counts(sheet) if sheet.asked.count else pyarrow.array(_COUNTS).take(codes),
        _texts(columns.solutions(sheet, True), _having(codes, WITH_SOLUTION)),
        _texts(columns.second_solutions(sheet, True), _having(codes, (WITH_SECOND,))),
        pyarrow.Array.from_buffers(pyarrow.uint32(), size, [None, pyarrow.py_buffer(columns.nodes(sheet))]),
        _replaced(pyarrow.nulls(size, pyarrow.string()), {at: detail for at, _, detail in odd if detail}),
        *(_told(name, texts) for name, texts in zip(told.names(sheet.asked), sheet.told(), strict=True)),
    ]


def _told_type(name: str) -> Any:
    import pyarrow

    return pyarrow.uint8() if name in told.NUMBERS else pyarrow.large_string()


def _told(name: str, texts: Iterable[str]) -> Any:
    import pyarrow

    read = int if name in told.NUMBERS else str
    return pyarrow.array([read(text) if text else None for text in texts], _told_type(name))


def _counts(sheet: Sheet) -> Any:
    import pyarrow

    return pyarrow.array([row.answer.count or None for row in sheet.rows()], pyarrow.string())


def _texts(rows: bytes, valid: Any = None) -> Any:
    """Rows of 81 characters, which stay where they are; null where the bit of ``valid`` is not set."""
    import pyarrow

    offsets = array("q", range(0, len(rows) + 1, CELLS))
    buffers = [valid, pyarrow.py_buffer(offsets), pyarrow.py_buffer(rows)]
    return pyarrow.Array.from_buffers(pyarrow.large_string(), len(offsets) - 1, buffers)


def _having(codes: Any, wanted: Iterable[int]) -> Any:
    """A bit a record: whether its code is one of those ``wanted``."""
    import pyarrow
    from pyarrow import compute

    return compute.is_in(codes, pyarrow.array(sorted(wanted), pyarrow.uint8())).buffers()[1]


def _replaced(texts: Any, others: Mapping[int, str]) -> Any:
    """``texts`` with ``others``, by index and in order, in their places."""
    import pyarrow
    from pyarrow import compute

    if not others:
        return texts
    mask = pyarrow.array([index in others for index in range(len(texts))])
    return compute.replace_with_mask(texts, mask, pyarrow.array(list(others.values()), texts.type))
