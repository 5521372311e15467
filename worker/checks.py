"""Checks of JSON that people wrote: every error names its place."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from typing import Any

from games.options import shown

MAX_NAME = 200


class SpecError(ValueError):
    """A bad spec. `path` names the place, e.g. ``arms[0].seats[1].options.epsilon``."""

    def __init__(self, path: str, message: str) -> None:
        super().__init__(f"{path}: {message}" if path else message)
        self.path = path
        self.message = message


def object_of(data: Any, path: str, keys: Mapping[str, bool]) -> Mapping[str, Any]:
    """Check that `data` is an object with only `keys`; True marks those that must be there."""
    if not isinstance(data, Mapping):
        raise SpecError(path, f"{'' if path else 'a spec '}must be an object, not {shown(data)}")
    prefix = f"{path}." if path else ""
    for key in data:
        if key not in keys:
            raise SpecError(f"{prefix}{key}", f"unknown field; known: {', '.join(keys)}")
    for key, required in keys.items():
        if required and key not in data:
            raise SpecError(f"{prefix}{key}", "is missing")
    return data


def whole(data: Any, path: str, low: int, high: int) -> int:
    """A whole number between two bounds."""
    if isinstance(data, bool) or not isinstance(data, int) or not low <= data <= high:
        allowed = f"a whole number from {low} to {high}" if low != high else f"{low}"
        raise SpecError(path, f"must be {allowed}, not {shown(data)}")
    return data


def one_of(data: Any, path: str, allowed: tuple[str, ...]) -> str:
    """One of some words."""
    if data not in allowed:
        raise SpecError(path, f"must be one of {', '.join(allowed)}, not {shown(data)}")
    return str(data)


def name_of(data: Any, path: str) -> str:
    """Text on one line that every file and database can hold."""
    text = data.strip() if isinstance(data, str) else ""
    if not 0 < len(text) <= MAX_NAME:
        raise SpecError(path, f"must be text of 1 to {MAX_NAME} characters")
    if any(unicodedata.category(character) in ("Cc", "Cs") for character in text):
        raise SpecError(path, "must not hold control characters")
    return text


def listed(data: Any, path: str, low: int, high: int) -> list[Any]:
    """A list whose length is between two bounds."""
    if not isinstance(data, list) or not low <= len(data) <= high:
        raise SpecError(path, f"must be a list of {low} to {high}" if low != high else f"must be a list of {low}")
    return data
