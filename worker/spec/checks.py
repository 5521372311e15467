"""Checks of JSON that people wrote: every error names its place."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from typing import Any

from games.json_paths import Path, PathError
from games.options import quote

MAX_NAME = 200


class SpecError(PathError):
    """A bad spec. `path` names the place, e.g. ``("arms", 0, "seats", 1, "options", "epsilon")``."""

    def below(self, *path: str | int) -> SpecError:
        """The same of a spec that holds this one at a place."""
        return SpecError((*path, *self.path), self.message)


def object_of(data: Any, path: Path, keys: Mapping[str, bool]) -> Mapping[str, Any]:
    """Check that `data` is an object with only `keys`; True marks those that must be there."""
    if not isinstance(data, Mapping):
        raise SpecError(path, f"{'' if path else 'a spec '}must be an object, not {quote(data)}")
    for key in data:
        if key not in keys:
            raise SpecError((*path, str(key)), f"unknown field; known: {', '.join(keys)}")
    for key, required in keys.items():
        if required and key not in data:
            raise SpecError((*path, key), "is missing")
    return data


def whole_number(data: Any, path: Path, low: int, high: int) -> int:
    """A whole number between two bounds."""
    if isinstance(data, bool) or not isinstance(data, int) or not low <= data <= high:
        allowed = f"a whole number from {low} to {high}" if low != high else f"{low}"
        raise SpecError(path, f"must be {allowed}, not {quote(data)}")
    return data


def one_of(data: Any, path: Path, allowed: tuple[str, ...]) -> str:
    """One of some words."""
    if data not in allowed:
        raise SpecError(path, f"must be one of {', '.join(allowed)}, not {quote(data)}")
    return str(data)


def name_of(data: Any, path: Path) -> str:
    """Text on one line that every file and database can hold."""
    text = data.strip() if isinstance(data, str) else ""
    if not 0 < len(text) <= MAX_NAME:
        raise SpecError(path, f"must be text of 1 to {MAX_NAME} characters")
    if any(unicodedata.category(character) in ("Cc", "Cs") for character in text):
        raise SpecError(path, "must not hold control characters")
    return text


def list_of(data: Any, path: Path, low: int, high: int) -> list[Any]:
    """A list whose length is between two bounds."""
    if not isinstance(data, list) or not low <= len(data) <= high:
        raise SpecError(path, f"must be a list of {low} to {high}" if low != high else f"must be a list of {low}")
    return data
