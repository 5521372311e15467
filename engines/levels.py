"""Named levels of a game's engines, from beginner to strongest, with what each won against the next.

Kept as data (`engines/data/levels_GAME.json`); ``python -m engines levels GAME`` lists them.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "data"
FORMAT = "levels-1"


@dataclass(frozen=True)
class Measured:
    """Matches of a level against the next stronger one, counted for the weaker."""

    wins: int
    draws: int
    losses: int

    @property
    def matches(self) -> int:
        """How many in all."""
        return self.wins + self.draws + self.losses


@dataclass(frozen=True)
class Level:
    """One level. budget: what it was measured with; has_clock: it may be given another thinking time.

    against_next: None for the strongest.
    """

    id: str
    label: str
    summary: str
    engine: str
    options: dict[str, Any]
    budget: dict[str, int | float]
    has_clock: bool
    against_next: Measured | None


@cache
def of(game_id: str) -> tuple[Level, ...]:
    """The levels of a game, weakest first; none where nobody has named any."""
    path = FOLDER / f"levels_{game_id}.json"
    if not path.exists():
        return ()
    data = json.loads(path.read_text(encoding="utf-8"))
    assert data["format"] == FORMAT
    return tuple(_level(row) for row in data["levels"])


def _level(row: dict[str, Any]) -> Level:
    measured = row["against_next"]
    return Level(**(row | {"against_next": None if measured is None else Measured(**measured)}))


def get(game_id: str, level_id: str) -> Level:
    """A level by its id. Raises KeyError."""
    for level in of(game_id):
        if level.id == level_id:
            return level
    raise KeyError(level_id)


def weaker(game_id: str, level_id: str) -> Level | None:
    """The level below, None below the weakest. Raises KeyError."""
    levels = of(game_id)
    place = levels.index(get(game_id, level_id))
    return levels[place - 1] if place else None
