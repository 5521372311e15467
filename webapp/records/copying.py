"""Lines of Postgres' text COPY format, made quickly.

A field is text without tab, newline and backslash, or an escape; a null is ``\\N``.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Sequence
from typing import Any

import psycopg

NULL = "\\N"

_ESCAPES = str.maketrans({"\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r", "\x00": "\ufffd"})
_is_plain = re.compile(r"[ -\[\]-~]*", re.ASCII).fullmatch
_encode = json.JSONEncoder(allow_nan=False, check_circular=False, separators=(",", ":")).encode


def text(value: str) -> str:
    """A text as a field; what no database text can hold becomes a replacement character."""
    if _is_plain(value):
        return value
    return _storable(value).translate(_ESCAPES)


def _storable(value: str) -> str:
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
    """A JSON value as a field; numbers that are not finite become null."""
    if value is None:
        return NULL
    try:
        encoded = _encode(value)
    except ValueError:
        encoded = _encode(_clean(value))
    if "\\u" in encoded:  # may stand for what no database text can hold
        encoded = _encode(_clean(value))
    return encoded.replace("\\", "\\\\")


def _clean(value: Any) -> Any:
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, str):
        return _storable(value)
    if isinstance(value, dict):
        return {_clean(key): _clean(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_clean(item) for item in value]
    return value


def send(cursor: psycopg.Cursor[Any], table: str, columns: Sequence[str], lines: Sequence[str]) -> None:
    """COPY lines (fields joined by tabs, no newline at the end) into a table."""
    if not lines:
        return
    with cursor.copy(f"copy {table} ({', '.join(columns)}) from stdin") as copy:  # type: ignore[arg-type]
        copy.write("\n".join(lines).encode() + b"\n")
