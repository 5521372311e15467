"""Lines of Postgres' text COPY format, made quickly.

A field is text without tab, newline and backslash, or an escape; a null is ``\\N``.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Any

import orjson
import psycopg

NULL = "\\N"
PIECE = 250
"""Lines sent at once: the server stores them while the next ones are made."""

_ESCAPES = str.maketrans({"\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r", "\x00": "\ufffd"})
_is_plain = re.compile(r"[ -\[\]-~]*", re.ASCII).fullmatch


def text(value: str) -> str:
    """A text as a field; what no database text can hold becomes a replacement character."""
    if _is_plain(value):
        return value
    return storable(value).translate(_ESCAPES)


def storable(value: str) -> str:
    """The text without lone surrogates and null characters."""
    return value.encode("utf-8", "replace").decode().replace("\x00", "\ufffd")


def number(value: float | None) -> str:
    """A number as a field; None and what is not finite are null."""
    return NULL if value is None or not math.isfinite(value) else repr(value)


def whole(value: int | None) -> str:
    """A whole number as a field."""
    return NULL if value is None else str(value)


def array(values: Iterable[int]) -> str:
    """Whole numbers as an array field."""
    return "{" + ",".join(map(str, values)) + "}"


def document(value: Any) -> str:
    """A JSON value as a field."""
    return NULL if value is None else encoded(value).decode().replace("\\", "\\\\")


def encoded(value: Any) -> bytes:
    """A JSON value as the database can hold it; numbers that are not finite become null."""
    try:
        found = orjson.dumps(value)
    except orjson.JSONEncodeError:  # a lone surrogate, a number beyond 64 bits, a key that is no text
        return _slowly(value)
    return _slowly(value) if b"\\u0000" in found else found  # may stand for what no database text can hold


def _slowly(value: Any) -> bytes:
    """Any JSON value, as the database can hold it."""
    return json.dumps(_clean(value), allow_nan=False, separators=(",", ":")).encode()


def _clean(value: Any) -> Any:
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, str):
        return storable(value)
    if isinstance(value, dict):
        return {_clean(key): _clean(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_clean(item) for item in value]
    return value


def send(cursor: psycopg.Cursor[Any], table: str, columns: Sequence[str], lines: Iterable[str]) -> None:
    """COPY lines (fields joined by tabs, no newline at the end) into a table, as they come."""
    rest = iter(lines)
    if not (piece := list(islice(rest, PIECE))):
        return
    with cursor.copy(f"copy {table} ({', '.join(columns)}) from stdin") as copy:
        while piece:
            copy.write("\n".join(piece).encode() + b"\n")
            piece = list(islice(rest, PIECE))
