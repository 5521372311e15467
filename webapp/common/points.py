"""Points as people read them: below zero they are points against a side, and are told as such."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import orjson

from games import options as option_tools
from games import registry
from webapp.common.formats import count, signed

KEPT = 1024
"""Games with their options that a process remembers."""


def are_against(game_id: str, options: Mapping[str, Any]) -> bool:
    """Whether points count against those who get them, by these options of any version."""
    return _are_against(game_id, orjson.dumps(options, option=orjson.OPT_SORT_KEYS))


@lru_cache(maxsize=KEPT)
def _are_against(game_id: str, options: bytes) -> bool:
    """The same, by options as JSON: a page asks for it several times."""
    game = registry.get(game_id)
    return game.counts_against(option_tools.from_older_json(game.options, orjson.loads(options)))


def points_words(score: int, *, is_against: bool) -> str:
    """A score: "1 204", or where points are against a side: "47 against"."""
    return f"{count(-score)} against" if is_against else count(score)


def event_words(kind: str, points: int, names: str, *, is_against: bool) -> str:
    """What something scored: "road 4 for Ana", or "out: 14 against Bob"."""
    return f"{kind}: {count(-points)} against {names}" if is_against else f"{kind} {count(points)} for {names}"


def gain_words(gained: int, *, is_against: bool) -> str:
    """Points of a move: "+4", or "14 against"."""
    return points_words(gained, is_against=True) if is_against else signed(gained, 0)
