"""What one column of a table of results holds: its meaning, type and unit, said where the column is made."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Kind = Literal["int64", "double", "bool", "string", "timestamp", "json"]
"""Types of columns. A timestamp is an instant in UTC; json is text with JSON where a file has no nested values."""


@dataclass(frozen=True)
class Field:
    """One column. meaning: a phrase with its full stop; unit: in words, "" where it has none."""

    meaning: str
    kind: Kind = "int64"
    unit: str = ""
