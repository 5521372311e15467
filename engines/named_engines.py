"""Configurations of engines that have a name: published players, and those worth recommending.

They are data (`engines/data/named.json`): an engine, the options that differ from what it begins with,
and the budget that the name stands for. A user may give it another budget.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

FILE = Path(__file__).parent / "data" / "named.json"
FORMAT = "named-1"


@dataclass(frozen=True)
class NamedEngine:
    """A configuration with a name.

    games: ids of the games that it is for; options: those that differ from the defaults; source:
    where it comes from, empty where it is our own.
    """

    id: str
    label: str
    summary: str
    games: tuple[str, ...]
    engine: str
    options: dict[str, Any]
    budget: dict[str, int | float]
    source: str = ""


@cache
def all_named() -> tuple[NamedEngine, ...]:
    """All of them, in the order that pages list them."""
    data = json.loads(FILE.read_text(encoding="utf-8"))
    assert data["format"] == FORMAT
    return tuple(NamedEngine(**(row | {"games": tuple(row["games"])})) for row in data["configurations"])


def for_game(game_id: str) -> tuple[NamedEngine, ...]:
    """The configurations for a game; none where nobody has named any."""
    return tuple(named for named in all_named() if game_id in named.games)


def get(named_id: str) -> NamedEngine:
    """A configuration by its id. Raises KeyError."""
    for named in all_named():
        if named.id == named_id:
            return named
    raise KeyError(named_id)
