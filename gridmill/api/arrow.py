"""Boards in columns of Arrow's. Needs the package ``pyarrow``, when it is used."""

from __future__ import annotations

import struct
from typing import Any, Protocol, TypeGuard

from gridmill.api.rows import Rows
from gridmill.board import CELLS
from gridmill.errors import BoardError, PackageError
from gridmill.formats.parquet import REMEDY


class _Array(Protocol):
    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]: ...


class _Stream(Protocol):
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...


Column = _Array | _Stream


def is_column(boards: object) -> TypeGuard[Column]:
    """Whether it has one of the two methods of the Arrow PyCapsule interface."""
    return hasattr(boards, "__arrow_c_stream__") or hasattr(boards, "__arrow_c_array__")


def parts(column: Column) -> list[Rows | list[str | None]]:
    """The texts of a column: as rows, where they lie end to end and each has 81 bytes, else one by one.

    Raises BoardError when it holds no texts, PackageError without pyarrow.
    """
    needed()
    import pyarrow
    from pyarrow import types

    found = pyarrow.chunked_array(column) if hasattr(column, "__arrow_c_stream__") else pyarrow.array(column)
    if types.is_struct(found.type) and found.type.num_fields == 1:  # a table of one column
        return parts(_only_field(found))
    if types.is_struct(found.type):
        names = ", ".join(repr(field.name) for field in found.type)
        raise BoardError(f"this is a table; give one of its columns: {names}")
    if types.is_dictionary(found.type):
        found = found.cast(found.type.value_type)
    if not (types.is_string(found.type) or types.is_large_string(found.type) or types.is_string_view(found.type)):
        raise BoardError(f"a column of {found.type} holds no boards; give one of strings of 81 cells")
    return [_part(chunk) for chunk in (found.chunks if isinstance(found, pyarrow.ChunkedArray) else [found])]


def needed() -> None:
    """Raise PackageError unless pyarrow is there."""
    try:
        import pyarrow  # noqa: F401  # whether it can be imported is what is asked here
    except ImportError as error:
        raise PackageError(f"Arrow needs a package that is not installed: {REMEDY}") from error


def _only_field(column: Any) -> Any:
    import pyarrow

    chunks = column.chunks if isinstance(column, pyarrow.ChunkedArray) else [column]
    return pyarrow.chunked_array([chunk.field(0) for chunk in chunks], column.type.field(0).type)


def _part(chunk: Any) -> Rows | list[str | None]:
    import pyarrow
    from pyarrow import compute, types

    if types.is_string_view(chunk.type):  # polars has these: each text points to where it is
        chunk = chunk.cast(pyarrow.large_string())
    lengths = compute.min_max(compute.binary_length(chunk)).as_py()
    if chunk.null_count or (lengths["min"], lengths["max"]) != (CELLS, CELLS):
        texts: list[str | None] = chunk.to_pylist()
        return texts
    _, offsets, text = chunk.buffers()
    form, width = ("<q", 8) if types.is_large_string(chunk.type) else ("<i", 4)
    (begin,) = struct.unpack_from(form, offsets, width * chunk.offset)
    return Rows(memoryview(text).cast("B")[begin : begin + CELLS * len(chunk)], CELLS)
