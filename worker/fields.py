"""What one column of a table of results holds: its meaning, type and unit, said where the column is made."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

FIRST = "0.1.0"
"""The version of the lab whose tables were the first."""

Kind = Literal["int64", "double", "bool", "string", "timestamp", "json"]
"""Types of columns. A timestamp is an instant in UTC; json is text with JSON where a file has no nested values."""


@dataclass(frozen=True)
class Field:
    """One column. meaning: a phrase with its full stop; unit: in words, "" where it has none.

    since: the version of the lab that wrote the column first.
    """

    meaning: str
    kind: Kind = "int64"
    unit: str = ""
    since: str = FIRST
