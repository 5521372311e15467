"""Rows of Postgres' binary COPY format, made quickly: many at once from columns, or one by one.

A row is the number of its fields (two bytes) and the fields, each its length (four bytes) and its bytes; a null
has the length -1. All numbers are big-endian. What a number that does not fit its type raises is in `TOO_LARGE`.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Any, NamedTuple

import numpy as np
import psycopg
from numpy.typing import NDArray

from webapp.records import copy_format

TOO_LARGE = (struct.error, OverflowError)
NULL = b"\xff\xff\xff\xff"
SMALL, LARGE = 21, 23
REAL = 701
"""Numbers by which Postgres knows smallint, integer and double precision, as elements of arrays."""

_HEAD, _END = b"PGCOPY\n\xff\r\n\x00" + bytes(8), b"\xff\xff"
_PIECE = 500
"""Rows sent at once: the server stores them while the next ones are made."""
_length = struct.Struct(">i").pack
_json_head, _JSONB = struct.Struct(">ib").pack, 1
"""Length, and the version of a document's bytes."""
_ARRAY = struct.Struct(">iiiiii").pack  # length of the field, dimensions, whether there are nulls, type, elements, 1


class Fixed(NamedTuple):
    """A field that is a number in each row. values: of all rows, or by row; type: of numpy, big-endian."""

    values: NDArray[Any] | int | float
    type: str


class Integers(NamedTuple):
    """A field that is an array of integers, none of them null. values: [rows, elements]."""

    values: NDArray[np.int64]


_ELEMENT = [("length", ">i4"), ("value", ">i4")]


def blocks(rows: int, *columns: Fixed | Integers | None) -> list[bytes]:
    """The bytes of some fields side by side, of each row; None: a null. Raises what is in `TOO_LARGE`."""
    parts: list[Any] = []
    for i, column in enumerate(columns):
        if isinstance(column, Integers):
            parts += [(f"head{i}", ">i4", 6), (f"value{i}", _ELEMENT, column.values.shape[1])]
        else:
            parts += [(f"head{i}", ">i4"), *([] if column is None else [(f"value{i}", column.type)])]
    table = np.empty(rows, parts)
    for i, column in enumerate(columns):
        if isinstance(column, Integers):
            size = column.values.shape[1]
            table[f"head{i}"] = (20 + 8 * size, 1, 0, LARGE, size, 1)
            table[f"value{i}"]["length"] = 4
            table[f"value{i}"]["value"] = _fitting(column.values, ">i4")
        else:
            table[f"head{i}"] = -1 if column is None else np.dtype(column.type).itemsize
            if column is not None:
                table[f"value{i}"] = _fitting(column.values, column.type)
    cut: list[bytes] = table.view(f"V{table.itemsize}").tolist()
    return cut


def _fitting(values: Any, type_: str) -> Any:
    """Numbers that fit their type. Raises OverflowError where one does not."""
    if np.dtype(type_).kind == "f":
        return values
    found, bounds = np.asarray(values), np.iinfo(type_)
    if found.size and not (bounds.min <= int(found.min()) and int(found.max()) <= bounds.max):
        raise OverflowError(f"{int(found.min())} to {int(found.max())} do not fit in {bounds.bits} bits")
    return found


def ragged_arrays(values: NDArray[Any], is_there: NDArray[np.bool_], kind: int) -> list[bytes]:
    """The field of each row of an array without the nulls at its end. values, is_there: [rows, elements].

    kind: SMALL or REAL.
    """
    rows, size = values.shape
    if not size:
        return [_empty(kind)] * rows
    type_, unit = (">i2", np.dtype("u2")) if kind == SMALL else (">f8", np.dtype("u4"))
    width = np.dtype(type_).itemsize
    table = np.empty((rows, size), [("l", ">i4"), ("v", type_)])
    table["l"] = np.where(is_there, width, -1)
    table["v"] = values if is_there.all() else np.where(is_there, values, 0)
    sizes = size - np.argmax(is_there[:, ::-1], axis=1)
    sizes[~is_there.any(axis=1)] = 0
    of_length, of_value = 4 // unit.itemsize, width // unit.itemsize
    units = table.view(unit).reshape(rows, size, of_length + of_value)
    are_kept = np.empty(units.shape, np.bool_)
    are_kept[:, :, :of_length] = (np.arange(size) < sizes[:, None])[:, :, None]
    are_kept[:, :, of_length:] = is_there[:, :, None]
    body = units[are_kept].tobytes()
    lengths = 4 * sizes + width * is_there.sum(axis=1)
    has_nulls = sizes > is_there.sum(axis=1)
    ends = np.cumsum(lengths)
    parts = zip((ends - lengths).tolist(), ends.tolist(), sizes.tolist(), has_nulls.tolist(), strict=True)
    return [
        _ARRAY(20 + end - start, 1, has_null, kind, number, 1) + body[start:end] if number else _empty(kind)
        for start, end, number, has_null in parts
    ]


def _empty(kind: int) -> bytes:
    return struct.pack(">iiii", 12, 0, 0, kind)


def text(value: str) -> bytes:
    """A text as a field."""
    encoded = copy_format.storable(value).encode()
    return _length(len(encoded)) + encoded


def document(value: Any) -> bytes:
    """A JSON value as a field."""
    if value is None:
        return NULL
    encoded = copy_format.encoded(value)
    return _json_head(len(encoded) + 1, _JSONB) + encoded


def json_bytes(encoded: bytes) -> bytes:
    """JSON as a field."""
    return _json_head(len(encoded) + 1, _JSONB) + encoded


def send(cursor: psycopg.Cursor[Any], table: str, columns: Sequence[str], rows: Iterable[bytes]) -> None:
    """COPY rows (their fields alone) into a table, as they come."""
    rest = iter(rows)
    if not (piece := list(islice(rest, _PIECE))):
        return
    number = struct.pack(">h", len(columns))
    with cursor.copy(f"copy {table} ({', '.join(columns)}) from stdin (format binary)") as copy:
        copy.write(_HEAD)
        while piece:
            copy.write(number + number.join(piece))
            piece = list(islice(rest, _PIECE))
        copy.write(_END)
